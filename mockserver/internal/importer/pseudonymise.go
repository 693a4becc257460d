package importer

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// Pseudonymise copies a file of an export with pseudonyms, as [Files] makes them with the same key. Members that the schema
// does not know are replaced too. It reads the file twice, since texts stay that enough of its people share.
func Pseudonymise(
	library *schemas.Library, export schemas.Export, key *pseudonym.Key, open func() (io.ReadCloser, error), into io.Writer,
) error {
	m := newMask(library, key, false)
	err := m.copy(library, export, open, io.Discard)
	if m.final = true; err == nil {
		err = m.copy(library, export, open, into)
	}
	return err
}

func (m *mask) copy(library *schemas.Library, export schemas.Export, open func() (io.ReadCloser, error), into io.Writer) error {
	from, err := open()
	if err != nil {
		return err
	}
	defer from.Close()
	content, err := filetype.Open(from)
	if err != nil {
		return err
	}
	if sentence := library.Unlike(export, content); sentence != "" {
		return errors.New(sentence)
	}
	out := bufio.NewWriter(into)
	schema := library.Schema(export.Output)
	copying := copier{mask: m, out: out}
	if export.Format == "json" {
		err = copying.values(filetype.NewJSON(content), layoutOf([]*jsonschema.Schema{schema.Items2020}, nil), !export.Lines())
	} else { // a header is copied as it is
		err = copying.cells(content, layoutOf([]*jsonschema.Schema{schema}, nil), schemas.KeywordsOf(schema).CSV.Separator)
	}
	return errors.Join(err, content.Damage(), out.Flush())
}

type copier struct {
	*mask
	out *bufio.Writer
}

// cells copies CSV.
func (c *copier) cells(from io.Reader, at *layout, separator string) error {
	reader, writer := filetype.NewCSV(from, rune(separator[0])), csv.NewWriter(c.out)
	reader.FieldsPerRecord, writer.Comma = 0, reader.Comma
	header, err := reader.Read()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	header = slices.Clone(header)
	columns := make([]*layout, len(header))
	for i, name := range header {
		columns[i] = at.members[name]
	}
	if err := writer.Write(header); err != nil {
		return err
	}
	for {
		cells, err := reader.Read()
		if err == io.EOF {
			writer.Flush()
			return writer.Error()
		}
		if err != nil {
			return err
		}
		for i, cell := range cells {
			if cells[i], err = c.cell(columns[i], cell); err != nil {
				return fmt.Errorf("%s: %w", header[i], err)
			}
		}
		c.end()
		if err := writer.Write(cells); err != nil {
			return err
		}
	}
}

func (c *copier) cell(column *layout, cell string) (string, error) {
	if cell == "" {
		return "", nil
	}
	replaced, err := c.masked(column, quoted(cell))
	if err != nil {
		return "", err
	}
	err = json.Unmarshal(replaced, &cell)
	return cell, err
}

// masked is a value with its pseudonym, as JSON. One that no schema knows may say anything.
func (c *copier) masked(at *layout, value json.RawMessage) (json.RawMessage, error) {
	switch {
	case at == nil:
		return c.mask.value(attributes, nil, value)
	case at.key:
		return c.mask.value("api_key", nil, value)
	}
	return c.mask.value(at.member, at.listed, value)
}

// values copies JSON: an array, or one value a line.
func (c *copier) values(from *filetype.JSON, at *layout, array bool) error {
	if !array {
		for {
			value, err := from.Next()
			if err == io.EOF {
				return nil
			}
			if err == nil {
				err = c.value(at, value.Text)
				c.end()
			}
			if err != nil {
				return err
			}
			c.out.WriteByte('\n')
		}
	}
	if !from.IsArray() {
		return errors.New("it is not an array")
	}
	separator := "[\n"
	err := from.Items(func(value filetype.Value) error {
		c.out.WriteString(separator)
		separator = ",\n"
		defer c.end()
		return c.value(at, value.Text)
	})
	c.out.WriteString(strings.TrimSuffix(strings.TrimPrefix(separator, ",\n"), "\n")) // the beginning, if there was no item
	c.out.WriteString("\n]\n")
	return err
}

// value copies a value, its members in their order.
func (c *copier) value(at *layout, value json.RawMessage) error {
	begin := bytes.TrimSpace(value)
	nested := at != nil && (at.members != nil || at.custom || at.items != nil) && len(begin) > 0
	switch {
	case nested && begin[0] == '{':
		return c.members(at, value)
	case nested && begin[0] == '[' && at.items != nil:
		return c.items(at.items, value)
	}
	replaced, err := c.masked(at, value)
	if err == nil {
		_, err = c.out.Write(replaced)
	}
	return err
}

func (c *copier) items(at *layout, list json.RawMessage) error {
	var values []json.RawMessage
	if err := json.Unmarshal(list, &values); err != nil {
		return err
	}
	c.out.WriteByte('[')
	for i, value := range values {
		if i > 0 {
			c.out.WriteByte(',')
		}
		if err := c.value(at, value); err != nil {
			return err
		}
	}
	return c.out.WriteByte(']')
}

func (c *copier) members(at *layout, object json.RawMessage) error {
	from := json.NewDecoder(bytes.NewReader(object))
	if _, err := from.Token(); err != nil {
		return err
	}
	for more := "{"; from.More(); more = "," {
		name, err := from.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := from.Decode(&value); err != nil {
			return err
		}
		text, _ := name.(string)
		c.out.WriteString(more)
		if at.members[text] == nil {
			c.out.Write(quoted(c.text(nameOf, text)))
		} else {
			c.out.Write(quoted(text))
		}
		c.out.WriteByte(':')
		if err := c.value(at.members[text], value); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		object = nil // there was one
	}
	if object != nil {
		c.out.WriteByte('{')
	}
	return c.out.WriteByte('}')
}
