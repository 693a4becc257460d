package main

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

// cell is one of a table that was printed.
type cell struct {
	Part   string  `json:"part"`
	Table  string  `json:"table"`
	Row    string  `json:"row"`
	Column string  `json:"column"`
	Text   string  `json:"text"`            // as it was printed
	Value  float64 `json:"value,omitempty"` // the number that it begins with
	Met    *bool   `json:"met,omitempty"`   // whether an aim is met, where there is one
}

// tables takes down what is printed as a table, so that two runs can be compared: an empty line comes before the head of a table,
// tabs stand between cells.
type tables struct {
	out  io.Writer
	part string
	line bytes.Buffer
	head []string // nil: the next line is one
	all  []cell
}

// begin says which part the next tables are of.
func (r *tables) begin(part string) { r.part, r.head = part, nil }

func (r *tables) Write(text []byte) (int, error) {
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
	return r.out.Write(text)
}

// number is what a cell begins with.
var number = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?`)

func (r *tables) take(line string) {
	if line == "" {
		r.head = nil
		return
	}
	cells := strings.Split(line, "\t")
	switch {
	case len(cells) < 2: // a remark
		return
	case r.head == nil:
		r.head = cells
		return
	}
	for i, text := range cells[1:] {
		made := cell{Part: r.part, Table: r.head[0], Row: cells[0], Column: strconv.Itoa(i + 1), Text: text}
		if i+1 < len(r.head) {
			made.Column = r.head[i+1]
		}
		made.Value, _ = strconv.ParseFloat(number.FindString(text), 64) // zero where it is no number
		if strings.HasSuffix(text, ": met") || strings.HasSuffix(text, ": missed") {
			met := strings.HasSuffix(text, ": met")
			made.Met = &met
		}
		r.all = append(r.all, made)
	}
}

// write writes what was measured into a file, a cell in each line.
func (r *tables) write(file string) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	for _, each := range r.all {
		if err := encoder.Encode(each); err != nil {
			return err
		}
	}
	return os.WriteFile(file, text.Bytes(), 0o644)
}

// readMeasured reads what write has written.
func readMeasured(file string) (all []cell, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		var read cell
		if err := decoder.Decode(&read); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s is no file that -json has written: %w", file, err)
		}
		all = append(all, read)
	}
}

// compare prints the numbers of two runs beside each other.
func compare(out io.Writer, before, after []cell) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\npart\trow\tcolumn\tbefore\tnow\tnow/before")
	type key struct{ part, table, row, column string }
	known := map[key]cell{}
	for _, then := range before {
		known[key{then.Part, then.Table, then.Row, then.Column}] = then
	}
	for _, now := range after {
		if then := known[key{now.Part, now.Table, now.Row, now.Column}]; then.Value != 0 && now.Value != 0 {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", now.Part, now.Row, now.Column, figure(then.Value), figure(now.Value), figure(now.Value/then.Value))
		}
	}
	return table.Flush()
}
