package importer

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/unpack"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Pseudonymise copies a file of an export with pseudonyms in the places of identifiers, addresses, numbers, names and
// texts. What the schema does not know is replaced too. Values are the same as those of [Files] with the same key.
func Pseudonymise(library *schemas.Library, export schemas.Export, key *pseudonym.Key, from io.Reader, into io.Writer) error {
	content, err := unpack.Open(from)
	if err != nil {
		return err
	}
	content.SkipMark()
	out := bufio.NewWriter(into)
	schema := library.Schema(export.Output)
	copying := copier{key: key, out: out}
	if export.Format == "json" {
		err = copying.values(json.NewDecoder(content), layoutOf([]*jsonschema.Schema{schema.Items2020}, nil), !export.Lines())
	} else {
		begin, _ := content.Peek(unpack.PeekBytes)
		at := layoutOf([]*jsonschema.Schema{schema}, nil)
		if err = checkHeader(library, export, at, begin); err == nil { // a header is copied as it is
			err = copying.cells(content, at, schemas.KeywordsOf(schema).CSV.Separator)
		}
	}
	if damage := content.Damage(); damage != "" {
		err = errors.Join(err, errors.New(damage))
	}
	return errors.Join(err, out.Flush())
}

type copier struct {
	key *pseudonym.Key
	out *bufio.Writer
}

// cells copies CSV.
func (c *copier) cells(from io.Reader, at *layout, separator string) error {
	reader, writer := csv.NewReader(from), csv.NewWriter(c.out)
	reader.Comma, writer.Comma = rune(separator[0]), rune(separator[0])
	header, err := reader.Read()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
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
		if err := writer.Write(cells); err != nil {
			return err
		}
	}
}

func (c *copier) cell(column *layout, cell string) (string, error) {
	if cell == "" {
		return "", nil
	}
	replaced, err := c.leaf(column, quoted(cell))
	if err != nil {
		return "", err
	}
	err = json.Unmarshal(replaced, &cell)
	return cell, err
}

// leaf is a value with its pseudonym, as JSON. One that no schema knows may say anything.
func (c *copier) leaf(at *layout, value json.RawMessage) (json.RawMessage, error) {
	switch {
	case at == nil || at.key && string(value) != "null":
		return c.key.Attribute(value)
	case at.member == "" || string(value) == "null":
		return value, nil
	}
	return c.key.Member(at.member, value)
}

// values copies JSON: an array, or one value a line.
func (c *copier) values(from *json.Decoder, at *layout, array bool) error {
	if array {
		if opening, err := from.Token(); err != nil || opening != json.Delim('[') {
			return errors.Join(err, errors.New("it is not an array"))
		}
	}
	first, separator := "", "\n"
	if array {
		first, separator = "[\n", ",\n"
	}
	for more := first; !array || from.More(); more = separator {
		var value json.RawMessage
		if err := from.Decode(&value); err == io.EOF && !array {
			break
		} else if err != nil {
			return err
		}
		c.out.WriteString(more)
		if err := c.value(at, value); err != nil {
			return err
		}
		first = "" // there is one
	}
	if array {
		c.out.WriteString(strings.TrimSuffix(first, "\n") + "\n]")
	}
	return c.out.WriteByte('\n')
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
	replaced, err := c.leaf(at, value)
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
		c.out.Write(quoted(text))
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
