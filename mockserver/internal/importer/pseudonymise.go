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

	"github.com/go-json-experiment/json/jsontext"
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
	if array && !from.IsArray() {
		return errors.New("it is not an array")
	}
	begin, between, end := "", "", ""
	if array {
		begin, between, end = "[\n", ",\n", "\n]\n"
	}
	separator := begin
	copied := func(value filetype.Value) error {
		c.out.WriteString(separator)
		separator = between
		defer c.end()
		decoder := jsontext.NewDecoder(bytes.NewReader(value.Text), jsontext.AllowDuplicateNames(true))
		if err := c.value(at, decoder); err != nil || array {
			return err
		}
		return c.out.WriteByte('\n')
	}
	if array {
		err := from.Items(copied)
		if separator == begin { // there was no item
			end = "[" + end
		}
		c.out.WriteString(end)
		return err
	}
	for {
		value, err := from.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = copied(value)
		}
		if err != nil {
			return err
		}
	}
}

// value copies a value, its members in their order.
func (c *copier) value(at *layout, from *jsontext.Decoder) error {
	nested, kind := at != nil && (at.members != nil || at.custom || at.items != nil), from.PeekKind()
	if !nested || kind != '{' && (kind != '[' || at.items == nil) {
		value, err := from.ReadValue()
		if err != nil {
			return err
		}
		replaced, err := c.masked(at, json.RawMessage(value))
		c.out.Write(replaced)
		return err
	}
	if _, err := from.ReadToken(); err != nil {
		return err
	}
	c.out.WriteByte(byte(kind))
	for more := false; from.PeekKind() != kind+2; more = true { // the bracket that closes
		if more {
			c.out.WriteByte(',')
		}
		below, text := at.items, ""
		if kind == '{' {
			name, err := from.ReadToken()
			if err != nil {
				return err
			}
			text = name.String()
			below = at.members[text]
			shown := text
			if below == nil {
				shown = c.text(nameOf, text)
			}
			c.out.Write(append(quoted(shown), ':'))
		}
		if err := c.value(below, from); err != nil && text != "" {
			return fmt.Errorf("%s: %w", text, err)
		} else if err != nil {
			return err
		}
	}
	_, err := from.ReadToken()
	c.out.WriteByte(byte(kind + 2))
	return err
}
