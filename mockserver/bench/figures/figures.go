// Package figures takes down the tables of a run of the benchmarks, and compares two runs.
package figures

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Cell is one of a table that was printed.
type Cell struct {
	Part   string  `json:"part"`
	Table  string  `json:"table"`
	Row    string  `json:"row"`
	Column string  `json:"column"`
	Text   string  `json:"text"`            // as it was printed
	Value  float64 `json:"value,omitempty"` // the number that it begins with
	Met    *bool   `json:"met,omitempty"`   // whether an aim is met, where there is one
}

// Tables takes down what is printed as a table, so that two runs can be compared: an empty line comes before the head of a table,
// tabs stand between cells.
type Tables struct {
	Out  io.Writer // where it is printed as well
	part string
	line bytes.Buffer
	head []string // nil: the next line is one
	All  []Cell
}

// Begin says which part the next tables are of.
func (r *Tables) Begin(part string) { r.part, r.head = part, nil }

// Write implements [io.Writer].
func (r *Tables) Write(text []byte) (int, error) {
	for rest := text; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			r.line.Write(rest)
			break
		}
		r.line.Write(rest[:end])
		r.take(r.line.String())
		r.line.Reset()
		rest = rest[end+1:]
	}
	return r.Out.Write(text)
}

// number is what a cell begins with.
var number = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?`)

func (r *Tables) take(line string) {
	if line == "" {
		r.head = nil
		return
	}
	cells := strings.Split(line, "\t")
	switch {
	case len(cells) < 2: // a remark
		return
	case r.head == nil:
		r.head = distinct(cells)
		return
	}
	for i, text := range cells[1:] {
		made := Cell{Part: r.part, Table: r.head[0], Row: cells[0], Column: strconv.Itoa(i + 1), Text: text}
		if i+1 < len(r.head) {
			made.Column = r.head[i+1]
		}
		made.Value, _ = strconv.ParseFloat(number.FindString(text), 64) // zero where it is no number
		if strings.HasSuffix(text, ": met") || strings.HasSuffix(text, ": missed") {
			met := strings.HasSuffix(text, ": met")
			made.Met = &met
		}
		r.All = append(r.All, made)
	}
}

// distinct gives the second of two columns of one name another one, so that a cell has one place.
func distinct(head []string) []string {
	count := map[string]int{}
	for i, name := range head {
		if count[name]++; count[name] > 1 {
			head[i] = fmt.Sprintf("%s (%d)", name, count[name])
		}
	}
	return head
}

// Save writes what was measured into a file, a cell in each line.
func (r *Tables) Save(file string) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	for _, each := range r.All {
		if err := encoder.Encode(each); err != nil {
			return err
		}
	}
	return os.WriteFile(file, text.Bytes(), 0o644)
}

// Read reads what Save has written.
func Read(file string) (all []Cell, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		var read Cell
		if err := decoder.Decode(&read); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s is no file that -json has written: %w", file, err)
		}
		all = append(all, read)
	}
}

// Compare prints the numbers of two runs beside each other.
func Compare(out io.Writer, before, after []Cell) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\npart\trow\tcolumn\tbefore\tnow\tnow/before")
	type key struct{ part, table, row, column string }
	known := map[key]Cell{}
	for _, then := range before {
		known[key{then.Part, then.Table, then.Row, then.Column}] = then
	}
	for _, now := range after {
		if then := known[key{now.Part, now.Table, now.Row, now.Column}]; then.Value != 0 && now.Value != 0 {
			fmt.Fprintf(table, "%s\t%s\t%s\t%.3g\t%.3g\t%.2f\n", now.Part, now.Row, now.Column, then.Value, now.Value, now.Value/then.Value)
		}
	}
	return table.Flush()
}
