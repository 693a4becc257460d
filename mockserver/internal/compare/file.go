package compare

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/unpack"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Limits of what is read of a file.
const (
	mostRows  = 200_000
	mostWords = 200
)

// What only the rows of a file tell.
const (
	aboutQuoting  = "quoting"
	aboutRowOrder = "order of the rows by "
)

// content is what is known of a file, beside its facts.
type content struct {
	facts
	schema  *jsonschema.Schema
	columns []string
	rows    int64
	// values are those of columns and members that a schema lists, or that are dates, by column or pointer.
	values map[string]map[string]bool
	dates  map[string][2]string // the least and the greatest
	last   map[string]string
	rising map[string]bool
	fell   map[string]bool
	says   map[string]bool // what the schema says of a place
}

// readFile notes what a file is like, and hands what is in it, unpacked, on.
func readFile(into facts, library *schemas.Library, output, encoding string, body io.Reader, on io.Writer) (*content, error) {
	c := &content{facts: into, schema: library.Schema(output), values: map[string]map[string]bool{}, dates: map[string][2]string{}, last: map[string]string{}, rising: map[string]bool{}, fell: map[string]bool{}, says: map[string]bool{}}
	buffered := bufio.NewReaderSize(body, 1<<16)
	begin, _ := buffered.Peek(4)
	packed := "not compressed"
	switch {
	case bytes.HasPrefix(begin, []byte{0x1f, 0x8b}):
		packed = "gzip"
	case bytes.HasPrefix(begin, []byte("PK\x03\x04")):
		packed = "zip"
	}
	if encoding != "" {
		packed += ", sent as " + encoding
	}
	into.add(kindCompression, "compression of the file", packed)
	opened, err := unpack.Open(io.NopCloser(buffered))
	if err != nil {
		return c, err
	}
	begin, _ = opened.Peek(unpack.PeekBytes)
	mark := "no byte order mark"
	if bytes.HasPrefix(begin, []byte("\xef\xbb\xbf")) {
		mark, begin = "a byte order mark", begin[3:]
	}
	into.add(kindLayout, "beginning of the file", mark)
	opened.SkipMark()
	trimmed := bytes.TrimLeft(begin, " \r\n\t")
	switch {
	case len(trimmed) == 0:
		into.add(kindLayout, "format of the file", "nothing")
	case trimmed[0] == '[':
		into.add(kindLayout, "format of the file", "an array of JSON")
		err = c.json(io.TeeReader(opened, on), true)
	case trimmed[0] == '{':
		into.add(kindLayout, "format of the file", "an object of JSON a line")
		err = c.json(io.TeeReader(opened, on), false)
	default:
		into.add(kindLayout, "format of the file", "CSV")
		err = c.csv(io.TeeReader(opened, on), string(begin))
	}
	into[kindRows] = &Fact{Kind: kindRows, Seen: map[string]int64{"rows": c.rows}, Of: max(c.rows, 1)}
	c.end()
	return c, err
}

// csv reads the rows of CSV.
func (c *content) csv(file io.Reader, begin string) error {
	line, rest, ended := strings.Cut(begin, "\n")
	ends := "line feeds"
	if strings.HasSuffix(line, "\r") {
		ends = "carriage returns and line feeds"
	}
	if ended {
		c.add(kindLayout, "line ends", ends)
	}
	separator := ';'
	for _, other := range []rune{';', ',', '\t', '|'} {
		if strings.ContainsRune(line, other) {
			separator = other
			c.add(kindLayout, "separator", fmt.Sprintf("%q", other))
			break
		}
	}
	if row, _, _ := strings.Cut(rest, "\n"); row != "" {
		quoted := "where it is needed"
		if cells := strings.Split(strings.TrimSuffix(row, "\r"), string(separator)); !slices.ContainsFunc(cells, func(cell string) bool { return !strings.HasPrefix(cell, `"`) }) {
			quoted = "everywhere"
		}
		c.add(kindLayout, aboutQuoting, quoted)
	}
	reader := csv.NewReader(file)
	reader.Comma, reader.FieldsPerRecord, reader.LazyQuotes, reader.ReuseRecord = separator, -1, true, true
	header, err := reader.Read()
	if err != nil {
		return err
	}
	c.columns = slices.Clone(header)
	shown := make([]string, len(header))
	for i, name := range c.columns {
		shown[i] = drift.MemberName(name)
		c.add(kindColumn, "column "+shown[i], "a column")
	}
	c.add(kindOrder, "columns in order", "columns"+saying+strings.Join(shown, ", "))
	for c.rows < mostRows {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		c.rows++
		if len(cells) != len(header) {
			c.sampled(kindLayout, "cells of a row", "another number than the header has")
		}
		for i, cell := range cells[:min(len(cells), len(header))] {
			c.value("column "+shown[i], c.columns[i], cell, textual(cell))
		}
	}
	return nil
}

// json reads the rows of an array, or of one object a line.
func (c *content) json(file io.Reader, array bool) error {
	decoder := json.NewDecoder(file)
	decoder.UseNumber()
	if array {
		if _, err := decoder.Token(); err != nil {
			return err
		}
	}
	for c.rows < mostRows {
		if array && !decoder.More() {
			_, err := decoder.Token()
			return err
		}
		var row any
		if err := decoder.Decode(&row); errors.Is(err, io.EOF) && !array {
			return nil
		} else if err != nil {
			return err
		}
		c.rows++
		c.row(row, "")
	}
	return nil
}

// row notes the members of a row.
func (c *content) row(value any, pointer string) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			c.row(v[name], pointer+"/"+name)
		}
	case []any:
		c.sampled(kindMember, "member "+shownPointer(pointer), "an array")
		for _, item := range v {
			c.row(item, pointer+"/*")
		}
	default:
		text, _ := v.(string)
		c.value("member "+shownPointer(pointer), pointer, text, shapeOf(v, nil, false))
	}
}

func shownPointer(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i := range parts {
		parts[i] = drift.MemberName(parts[i])
	}
	return strings.Join(parts, "/")
}

// sampled notes what is so of some rows.
func (c *content) sampled(kind, about, seen string) { c.add(kind, about, seen).Of = 1 }

// value notes one value of a row: its shape, and what it says if a schema lists what it may say.
func (c *content) value(about, place, text, shape string) {
	kind := kindMember
	if strings.HasPrefix(about, "column ") {
		kind, about = kindColumn, about+", its cells"
	}
	if shape != "null" || !c.mayBeNull(place) {
		c.sampled(kind, about, grouped(shape))
	}
	if strings.HasPrefix(shape, "a date") {
		bounds, there := c.dates[place]
		if !there || text < bounds[0] {
			bounds[0] = text
		}
		if !there || text > bounds[1] {
			bounds[1] = text
		}
		c.dates[place] = bounds
		if before, there := c.last[place]; there {
			c.rising[place] = c.rising[place] || text > before
			c.fell[place] = c.fell[place] || text < before
		}
		c.last[place] = text
	}
	if !c.listed(place) {
		return
	}
	if c.values[place] == nil {
		c.values[place] = map[string]bool{}
	}
	if len(c.values[place]) < mostWords && text != "" {
		c.values[place][text] = true
		shown := "another value"
		if drift.IsWord(text) {
			shown = text
		}
		c.sampled(kindValue, "values of "+strings.TrimSuffix(about, ", its cells"), shown)
	}
}

// grouped is the shape of a value of a file: tokens, texts and what happens to look like something else are one.
func grouped(shape string) string {
	switch plain := family(shape); plain {
	case "a token", "a text", "an e-mail address", "a path", "a UUID", "a date of HTTP":
		return "a text"
	case "an address with http", "an address with https":
		return "an address"
	case "a decimal number":
		return "a number"
	case "an integer of JSON", "a number of JSON":
		return "a number of JSON"
	default:
		return plain
	}
}

// listed tells whether the schema lists what may stand in a column or member.
func (c *content) listed(place string) bool {
	return c.known(place, "listed", func(s *jsonschema.Schema) bool { return len(s.Enum) > 0 || len(s.Constant) > 0 })
}

// mayBeNull tells whether the schema allows a member to be null: then it is chance which rows are.
func (c *content) mayBeNull(place string) bool {
	return c.known(place, "null", func(s *jsonschema.Schema) bool {
		return slices.Contains(s.Types, "null") || slices.Contains(s.Enum, nil) || slices.Contains(s.Constant, nil)
	})
}

// known asks the schema once for every place.
func (c *content) known(place, what string, is func(*jsonschema.Schema) bool) bool {
	its, there := c.says[what+place]
	if !there {
		its = anywhere(c.schema, strings.Split(strings.TrimPrefix(place, "/"), "/"), 0, is)
		c.says[what+place] = its
	}
	return its
}

// anywhere looks for something at the end of a path, in all branches.
func anywhere(s *jsonschema.Schema, path []string, depth int, is func(*jsonschema.Schema) bool) bool {
	const deepest = 24
	if s == nil || depth > deepest {
		return false
	}
	if len(path) == 0 && is(s) {
		return true
	}
	if len(path) > 0 {
		if path[0] == "*" && s.Items2020 != nil && anywhere(s.Items2020, path[1:], depth+1, is) {
			return true
		}
		if property := s.Properties[path[0]]; property != nil && anywhere(property, path[1:], depth+1, is) {
			return true
		}
	}
	if s.Items2020 != nil && depth == 0 && anywhere(s.Items2020, path, depth+1, is) { // the rows of a file of JSON
		return true
	}
	for _, other := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf, []*jsonschema.Schema{s.Ref, s.If, s.Then, s.Else}) {
		if anywhere(other, path, depth+1, is) {
			return true
		}
	}
	return false
}

// end notes what only the whole of a file tells.
func (c *content) end() {
	for about, fact := range c.facts {
		if fact.Of > 0 && about != kindRows {
			fact.Of = c.rows
		}
	}
	for place := range c.dates {
		if name := place[strings.LastIndex(place, "/")+1:]; name != "event_date" && name != "timestamp" {
			continue
		}
		order := "in no order"
		switch {
		case !c.rising[place] && !c.fell[place]:
			continue
		case !c.fell[place]:
			order = "the oldest first"
		case !c.rising[place]:
			order = "the newest first"
		}
		c.add(kindOrder, aboutRowOrder+shownPointer(place), order)
	}
}
