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

	ready  prepared // by Finish
	shared *sharedOps
}

// Op writes one value and the text before it, up to the value before.
type Op struct {
	Kind    Kind
	Absent  func(*world.Row) bool // nil: never
	Before  []byte                // when there is a value; of Choice and Flag, it is in Texts
	After   []byte                // when there is a value
	Instead []byte                // when there is none

	TextValue TextValue
	Number    func(*world.Row) int64
	Choice    func(*world.Row) int
	Flag      func(*world.Row) bool
	Texts     [][]byte
	List      *List

	DependsOn Dependence
}

// Dependence is what a value depends on, if on one thing only.
type Dependence struct {
	// Orchestrations is how many there are when the value depends on nothing else;
	// zero otherwise. Such a value is written out once for every one.
	Orchestrations int
	// Recipient is the name of a value that depends on nothing of a row but whom it is about.
	Recipient string
}

// TextValue is a text that is written anew for every row.
type TextValue struct {
	Text func(dst []byte, row *world.Row) []byte
	// Optional is Text that adds nothing where the value is absent, found with less work; nil: there is none.
	Optional func(dst []byte, row *world.Row) []byte
}

// Kind is what an op writes.
type Kind uint8

// The kinds of ops.

const (
	Text        Kind = iota // the text of TextValue
	Time                    // Number, as YYYY-MM-DDTHH:mm:ss
	TimeInOrder             // the same, of rows that are in the order of it, mostly
	Number                  // Number, in decimal
	Choice                  // one of Texts
	Flag                    // one of two Texts, the first for false
	Array                   // List
	closing                 // the bracket of an object that may have no members
)

// List is an array of values about entities that belong to the row.
type List struct {
	Each func(row *world.Row, items []world.Row) []world.Row
	Item Program
}

// Scratch is the memory of one render.
type Scratch struct {
	Rows   []world.Row
	Items  []world.Row
	about  [4]recipient // by the lowest bits of the installation
	minute minute       // of the last date in order
}

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
	if o.DependsOn.Orchestrations > 0 {
		o.writeOut()
		if last := len(p.Ops) - 1; last >= 0 && p.Ops[last].DependsOn.Orchestrations > 0 {
			for i := range o.Texts {
				p.Ops[last].Texts[i] = slices.Concat(p.Ops[last].Texts[i], text, o.Texts[i])
			}
			return
		}
	}
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

// writeOut turns a value that depends on the orchestration alone into a choice
// among texts, one per orchestration.
func (o *Op) writeOut() {
	if o.Kind == Choice {
		return // it was written out before
	}
	alone := Program{Ops: []Op{*o}}
	alone.Ops[0].DependsOn.Orchestrations = 0
	alone.prepare()
	*o = Op{
		Kind: Choice, DependsOn: o.DependsOn, Texts: make([][]byte, o.DependsOn.Orchestrations),
		Choice: func(row *world.Row) int { return int(row.Orchestration) },
	}
	for i := range o.Texts {
		o.Texts[i] = alone.Run(nil, &world.Row{Orchestration: int32(i)}, nil)
	}
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
	from := 0
	if p.shared != nil && p.shared.count > 0 {
		dst, from = p.runShared(dst, row, s), p.shared.count
	}
	return p.ready.tail.appendTo(p.run(dst, row, s, from, len(p.Ops)))
}

// run adds what some of the ops write.
func (p *Program) run(dst []byte, row *world.Row, s *Scratch, from, to int) []byte {
	for i := from; i < to; i++ {
		o, written := &p.Ops[i], &p.ready.ops[i]
		if written.optional != nil {
			dst = written.optional(written.before.appendTo(dst), row)
			continue
		}
		if o.Absent != nil && o.Absent(row) {
			dst = written.instead.appendTo(dst)
			continue
		}
		switch o.Kind {
		case Text:
			dst = written.after.appendTo(o.TextValue.Text(written.before.appendTo(dst), row))
		case Time:
			dst = written.after.appendTo(appendDateTime(written.before.appendTo(dst), o.Number(row)))
		case TimeInOrder:
			dst = written.after.appendTo(s.minute.appendTo(written.before.appendTo(dst), o.Number(row)))
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
	return dst
}

func (l *List) run(dst []byte, row *world.Row, s *Scratch) []byte {
	begin := len(s.Items)
	s.Items = l.Each(row, s.Items)
	dst = append(dst, '[')
	for i := begin; i < len(s.Items); i++ {
		dst = append(l.Item.Run(dst, &s.Items[i], s), ',')
	}
	s.Items = s.Items[:begin]
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
