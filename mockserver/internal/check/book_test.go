package check_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// book holds files in a form in which a test can change single rows.
type book struct {
	t      testing.TB
	names  []string
	kinds  map[string]string
	raw    map[string][]byte
	sheets map[string]*sheet // those that were looked at
}

// sheet is one file.
type sheet struct {
	name   string
	kind   string
	header []string // nil: JSON
	rows   []*line
}

// line is one row of a file.
type line struct {
	sheet *sheet
	cells []string
	item  map[string]any
}

func newBook(t testing.TB) *book {
	return &book{t: t, kinds: map[string]string{}, raw: map[string][]byte{}, sheets: map[string]*sheet{}}
}

// add puts a rendered file into the book, under a name.
func (b *book) add(name, kind string, data []byte) {
	b.names = append(b.names, name)
	b.kinds[name], b.raw[name] = kind, data
}

// copy is a book with the same files, as they were added.
func (b *book) copy() *book {
	return &book{t: b.t, names: b.names, kinds: b.kinds, raw: b.raw, sheets: map[string]*sheet{}}
}

// file is a file of the book, ready to be changed.
func (b *book) file(name string) *sheet {
	b.t.Helper()
	if b.sheets[name] == nil {
		b.sheets[name] = b.read(name)
	}
	return b.sheets[name]
}

func (b *book) read(name string) *sheet {
	b.t.Helper()
	data := b.raw[name]
	made := &sheet{name: name, kind: b.kinds[name]}
	if data[0] == '[' {
		var items []map[string]any
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		must.Do(b.t, decoder.Decode(&items))
		for _, item := range items {
			made.rows = append(made.rows, &line{sheet: made, item: item})
		}
	} else {
		for i, text := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
			cells := strings.Split(text, ";")
			if i == 0 {
				made.header = cells
				continue
			}
			made.rows = append(made.rows, &line{sheet: made, cells: cells})
		}
	}
	return made
}

// bytes writes a file back.
func (s *sheet) bytes(t testing.TB) []byte {
	if s.header != nil {
		lines := []string{strings.Join(s.header, ";")}
		for _, row := range s.rows {
			lines = append(lines, strings.Join(row.cells, ";"))
		}
		return []byte(strings.Join(lines, "\n") + "\n")
	}
	items := []map[string]any{}
	for _, row := range s.rows {
		items = append(items, row.item)
	}
	return must.Get(json.Marshal(items))(t)
}

// at is a row by its index. It panics with errNoRow if there are fewer.
func (s *sheet) at(index int) *line {
	if index >= len(s.rows) {
		panic(errNoRow)
	}
	return s.rows[index]
}

func (b *book) inputs() (inputs []check.Input) {
	for _, name := range b.names {
		data := b.raw[name]
		if changed := b.sheets[name]; changed != nil {
			data = changed.bytes(b.t)
		}
		found := input(name, data)
		found.Kind = b.kinds[name]
		inputs = append(inputs, found)
	}
	return inputs
}

// number is the row number of a line, in the file that it is in now.
func (l *line) number() int64 { return int64(slices.Index(l.sheet.rows, l)) + 1 }

// get is the value of a column, or of a member by its path; "" for none.
func (l *line) get(path string) string {
	if l.sheet.header != nil {
		if at := slices.Index(l.sheet.header, path); at >= 0 {
			return l.cells[at]
		}
		return ""
	}
	value := l.value(path)
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

func (l *line) value(path string) any {
	var value any = l.item
	for _, name := range strings.Split(path, "/") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

// set changes a value.
func (l *line) set(path string, value any) *line {
	if l.sheet.header != nil {
		l.cells[slices.Index(l.sheet.header, path)] = value.(string)
		return l
	}
	object := l.item
	names := strings.Split(path, "/")
	for _, name := range names[:len(names)-1] {
		object = object[name].(map[string]any)
	}
	object[names[len(names)-1]] = value
	return l
}

// copy is a new line with the same values, not in a file yet.
func (l *line) copy() *line {
	made := &line{sheet: l.sheet, cells: slices.Clone(l.cells)}
	if l.item != nil {
		data, _ := json.Marshal(l.item)
		_ = json.Unmarshal(data, &made.item)
	}
	return made
}

// dateOf is where rows of a kind say when they happened.
func (l *line) dateOf() string {
	if l.sheet.kind == "profiles.reachability" {
		return "event/timestamp"
	}
	return "event_date"
}

func (l *line) time() time.Time {
	text := strings.TrimSuffix(l.get(l.dateOf()), "Z")
	date, _ := time.Parse("2006-01-02T15:04:05", text)
	return date
}

// at moves a line to another time.
func (l *line) at(date time.Time) *line {
	layout := "2006-01-02T15:04:05"
	if l.sheet.header == nil {
		layout += "Z"
	}
	return l.set(l.dateOf(), date.Format(layout))
}

// insert puts a line where its time belongs, behind those of the same second.
func (l *line) insert() *line {
	rows := l.sheet.rows
	at := slices.IndexFunc(rows, func(other *line) bool { return other.time().After(l.time()) })
	if at < 0 {
		at = len(rows)
	}
	l.sheet.rows = slices.Insert(rows, at, l)
	return l
}

func (l *line) remove() {
	l.sheet.rows = slices.DeleteFunc(l.sheet.rows, func(other *line) bool { return other == l })
}

// errNoRow is what a book panics with that has no row such as a test needs.
var errNoRow = errors.New("no row such as the test needs")

// find is the first line that a function accepts. It panics with errNoRow if there is none.
func (b *book) find(name string, accepts func(*line) bool) *line {
	b.t.Helper()
	for _, row := range b.file(name).rows {
		if accepts(row) {
			return row
		}
	}
	panic(errNoRow)
}

// all are the lines of a file that have a value.
func (b *book) all(name, path, value string) (found []*line) {
	for _, row := range b.file(name).rows {
		if row.get(path) == value {
			found = append(found, row)
		}
	}
	return found
}
