// Package program writes rows. A program is a list of ops, compiled once per file,
// each of which writes one value of a row.
package program

import (
	"slices"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Program writes rows of one kind. It is compiled once per file: what is the
// same for all rows of its kind is text in one of its ops.
type Program struct {
	Ops  []Op
	Tail []byte // behind the last op

	ready prepared // by Finish
}

// Op writes one value and the text before it, up to the value before.
type Op struct {
	Kind    Kind
	Absent  func(*world.Row) bool // nil: never
	Before  []byte                // when there is a value; of Choice and Flag, it is in Texts
	After   []byte                // when there is a value
	Instead []byte                // when there is none

	Text   func(dst []byte, row *world.Row) []byte
	Number func(*world.Row) int64
	Choice func(*world.Row) int
	Flag   func(*world.Row) bool
	Texts  [][]byte
	List   *List
}

// Kind is what an op writes.
type Kind uint8

// The kinds of ops.
const (
	Text    Kind = iota // Op.Text
	Time                // Number, as YYYY-MM-DDTHH:mm:ss
	Number              // Number, in decimal
	Choice              // one of Texts
	Flag                // one of two Texts, the first for false
	Array               // List
	closing             // the bracket of an object that may have no members
)

// List is an array of values about entities that belong to the row.
type List struct {
	Each func(row *world.Row, items []world.Row) []world.Row
	Item Program
}

// Scratch is the memory of one render.
type Scratch struct{ items []world.Row }

// Finish makes a program ready to run.
func (p *Program) Finish() {
	p.prepare()
	for i := range p.Ops {
		if o := &p.Ops[i]; o.Kind == Array {
			o.List.Item.Finish()
		}
	}
}

// Literal is a program that writes a constant text.
func Literal(text []byte) Program { return Program{Tail: text} }

// Append appends a constant text.
func (p *Program) Append(text []byte) { p.Tail = slices.Concat(p.Tail, text) }

// Add appends an op. The text before it becomes a part of it, so that every op
// begins with one copy.
func (p *Program) Add(o Op) {
	text := p.Tail
	p.Tail = nil
	if o.Absent == nil && o.Kind != Choice && o.Kind != Flag {
		p.Tail, o.After = o.After, nil
	}
	o.Instead = slices.Concat(text, o.Instead)
	if o.Kind == Choice || o.Kind == Flag {
		texts := make([][]byte, len(o.Texts))
		for i := range texts {
			texts[i] = slices.Concat(text, o.Before, o.Texts[i], o.After)
		}
		o.Texts, o.Before, o.After = texts, nil, nil
	} else {
		o.Before = slices.Concat(text, o.Before)
	}
	p.Ops = append(p.Ops, o)
}

// Join appends another program.
func (p *Program) Join(other Program) {
	for _, o := range other.Ops {
		p.Add(o)
	}
	p.Tail = slices.Concat(p.Tail, other.Tail)
}

// Close puts a bracket in the place of the comma behind the last member; there
// is no comma when the object is empty.
func (p *Program) Close(bracket byte) {
	switch {
	case len(p.Tail) == 0:
		p.Ops = append(p.Ops, Op{Kind: closing, Texts: [][]byte{{bracket}}})
	case p.Tail[len(p.Tail)-1] == ',':
		p.Tail[len(p.Tail)-1] = bracket
	default:
		p.Tail = append(p.Tail, bracket)
	}
}

// Run adds a row to dst.
func (p *Program) Run(dst []byte, row *world.Row, s *Scratch) []byte {
	for i := range p.Ops {
		o, written := &p.Ops[i], &p.ready.ops[i]
		if o.Absent != nil && o.Absent(row) {
			dst = written.instead.appendTo(dst)
			continue
		}
		switch o.Kind {
		case Text:
			dst = written.after.appendTo(o.Text(written.before.appendTo(dst), row))
		case Time:
			dst = written.after.appendTo(appendDateTime(written.before.appendTo(dst), o.Number(row)))
		case Number:
			dst = written.after.appendTo(strconv.AppendInt(written.before.appendTo(dst), o.Number(row), 10))
		case Choice:
			dst = written.texts[o.Choice(row)].appendTo(dst)
		case Flag:
			nth := 0
			if o.Flag(row) {
				nth = 1
			}
			dst = written.texts[nth].appendTo(dst)
		case Array:
			dst = written.after.appendTo(o.List.run(written.before.appendTo(dst), row, s))
		case closing:
			dst = closeList(dst, o.Texts[0][0])
		}
	}
	return p.ready.tail.appendTo(dst)
}

func (l *List) run(dst []byte, row *world.Row, s *Scratch) []byte {
	begin := len(s.items)
	s.items = l.Each(row, s.items)
	dst = append(dst, '[')
	for i := begin; i < len(s.items); i++ {
		dst = append(l.Item.Run(dst, &s.items[i], s), ',')
	}
	s.items = s.items[:begin]
	return closeList(dst, ']')
}

// closeList puts a bracket in the place of the last comma.
func closeList(dst []byte, bracket byte) []byte {
	if dst[len(dst)-1] == ',' {
		dst[len(dst)-1] = bracket
		return dst
	}
	return append(dst, bracket)
}
