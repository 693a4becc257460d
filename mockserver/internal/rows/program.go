package rows

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// program writes rows of one kind. It is compiled once per file: what is the
// same for all rows of its kind is text in one of its ops.
type program struct {
	ops  []op
	tail []byte // behind the last op

	// What is known of the length of a row before any is seen.
	fixed    int   // bytes that every row has
	variable []int // the ops that add to them
	rendered bool  // only rendering a row tells its length
}

// op writes one value and the text before it, up to the value before.
type op struct {
	kind    opKind
	absent  func(*world.Row) bool // nil: never
	before  []byte                // when there is a value; with opText, opChoice and opFlag it is in texts
	after   []byte                // when there is a value
	instead []byte                // when there is none

	textValue
	number func(*world.Row) int64
	choice func(*world.Row) int
	flag   func(*world.Row) bool
	texts  [][]byte
	list   *list

	// each is how many orchestrations there are when the value depends on nothing
	// else; zero otherwise. Such a value is written out once for every one.
	each int
}

// textValue is a text that is written anew for every row.
type textValue struct {
	text   func(dst []byte, row *world.Row) []byte
	width  int                  // bytes it always has; 0: they differ
	length func(*world.Row) int // nil: only rendering tells
}

type opKind uint8

const (
	opText   opKind = iota // text
	opTime                 // number, as YYYY-MM-DDTHH:mm:ss
	opNumber               // number, in decimal
	opChoice               // one of texts
	opFlag                 // one of two texts, the first for false
	opList                 // an array
	opClose                // the bracket of an object that may have no members
)

// list is an array of values about things that belong to the row.
type list struct {
	each func(row *world.Row, items []world.Row) []world.Row
	item program
}

// timeWidth is the length of a moment without its zone.
const timeWidth = len("2006-01-02T15:04:05")

// scratch is the memory of one render.
type scratch struct {
	rows  []world.Row
	items []world.Row
	text  []byte
}

// add appends an op. The text before it becomes a part of it, so that every op
// begins with one copy.
func (p *program) add(o op) {
	text := p.tail
	p.tail = nil
	if o.each > 0 {
		o.writeOut()
		if last := len(p.ops) - 1; last >= 0 && p.ops[last].each > 0 {
			for i := range o.texts {
				p.ops[last].texts[i] = slices.Concat(p.ops[last].texts[i], text, o.texts[i])
			}
			return
		}
	}
	if o.absent == nil && o.kind != opChoice && o.kind != opFlag {
		p.tail, o.after = o.after, nil
	}
	o.instead = slices.Concat(text, o.instead)
	if o.kind == opChoice || o.kind == opFlag {
		texts := make([][]byte, len(o.texts))
		for i := range texts {
			texts[i] = slices.Concat(text, o.before, o.texts[i], o.after)
		}
		o.texts, o.before, o.after = texts, nil, nil
	} else {
		o.before = slices.Concat(text, o.before)
	}
	p.ops = append(p.ops, o)
}

// writeOut turns a value that depends on the orchestration alone into a choice
// among texts, one per orchestration.
func (o *op) writeOut() {
	if o.kind == opChoice {
		return // it was written out before
	}
	alone := program{ops: []op{*o}}
	alone.ops[0].each = 0
	*o = op{
		kind: opChoice, each: o.each, texts: make([][]byte, o.each),
		choice: func(row *world.Row) int { return int(row.Orchestration) },
	}
	for i := range o.texts {
		o.texts[i] = alone.run(nil, &world.Row{Orchestration: int32(i)}, nil)
	}
}

// empty says whether an op may add nothing.
func (o *op) empty() bool {
	return o.each > 0 && slices.ContainsFunc(o.texts, func(text []byte) bool { return len(text) == 0 })
}

// join appends another program.
func (p *program) join(other program) {
	for _, o := range other.ops {
		p.add(o)
	}
	p.tail = slices.Concat(p.tail, other.tail)
	p.rendered = p.rendered || other.rendered
}

// close puts a bracket in the place of the comma behind the last member; there
// is no comma when the object is empty.
func (p *program) close(bracket byte) {
	switch {
	case len(p.tail) == 0:
		// A member that is always there leaves a comma: the length is the same
		// with the bracket in its place.
		p.rendered = p.rendered || !slices.ContainsFunc(p.ops, func(o op) bool {
			return o.absent == nil && !o.empty() || bytes.HasSuffix(o.instead, []byte(","))
		})
		p.ops = append(p.ops, op{kind: opClose, texts: [][]byte{{bracket}}})
	case p.tail[len(p.tail)-1] == ',':
		p.tail[len(p.tail)-1] = bracket
	default:
		p.tail = append(p.tail, bracket)
	}
}

// run adds a row to dst.
func (p *program) run(dst []byte, row *world.Row, s *scratch) []byte {
	for i := range p.ops {
		o := &p.ops[i]
		if o.absent != nil && o.absent(row) {
			dst = append(dst, o.instead...)
			continue
		}
		switch o.kind {
		case opText:
			dst = append(o.text(append(dst, o.before...), row), o.after...)
		case opTime:
			dst = append(appendDateTime(append(dst, o.before...), o.number(row)), o.after...)
		case opNumber:
			dst = append(strconv.AppendInt(append(dst, o.before...), o.number(row), 10), o.after...)
		case opChoice:
			dst = append(dst, o.texts[o.choice(row)]...)
		case opFlag:
			if o.flag(row) {
				dst = append(dst, o.texts[1]...)
			} else {
				dst = append(dst, o.texts[0]...)
			}
		case opList:
			dst = append(o.list.run(append(dst, o.before...), row, s), o.after...)
		case opClose:
			dst = closeList(dst, o.texts[0][0])
		}
	}
	return append(dst, p.tail...)
}

func (l *list) run(dst []byte, row *world.Row, s *scratch) []byte {
	begin := len(s.items)
	s.items = l.each(row, s.items)
	dst = append(dst, '[')
	for i := begin; i < len(s.items); i++ {
		dst = append(l.item.run(dst, &s.items[i], s), ',')
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
