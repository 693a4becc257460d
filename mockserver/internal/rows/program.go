package rows

import (
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// program writes rows of one kind. It is compiled once per file: what is the same for all rows of its kind is text in one of its ops.
type program struct {
	ops  []op
	tail []byte // behind the last op
}

// op writes one value, and the text up to the value before.
type op struct {
	absent  func(*world.Row) bool // nil: never
	before  []byte                // when there is a value
	after   []byte                // when there is a value
	instead []byte                // when there is none
	write   func(dst []byte, row *world.Row, s *scratch) []byte
	date    bool // it writes a date
}

// scratch is the memory of one render.
type scratch struct{ items []world.Row }

// textOp is an op that needs no memory.
func textOp(write func(dst []byte, row *world.Row) []byte) op {
	return op{write: func(dst []byte, row *world.Row, _ *scratch) []byte { return write(dst, row) }}
}

// choiceOp writes one of some texts.
func choiceOp(texts [][]byte, choose func(*world.Row) int) op {
	return textOp(func(dst []byte, row *world.Row) []byte { return append(dst, texts[choose(row)]...) })
}

// dateOp writes a time as YYYY-MM-DDTHH:mm:ss.
func dateOp(seconds func(*world.Row) int64) op {
	made := textOp(func(dst []byte, row *world.Row) []byte {
		dst = time.Unix(seconds(row), 0).UTC().AppendFormat(dst, time.RFC3339)
		return dst[:len(dst)-len("Z")]
	})
	made.date = true
	return made
}

// listOp writes an array of values about entities that belong to the row.
func listOp(each func(row *world.Row, items []world.Row) []world.Row, item program) op {
	return op{write: func(dst []byte, row *world.Row, s *scratch) []byte {
		begin := len(s.items)
		s.items = each(row, s.items)
		dst = append(dst, '[')
		for i := begin; i < len(s.items); i++ {
			dst = append(item.run(dst, &s.items[i], s), ',')
		}
		s.items = s.items[:begin]
		return closeList(dst, ']')
	}}
}

// append appends a constant text.
func (p *program) append(text []byte) { p.tail = slices.Concat(p.tail, text) }

// add appends an op. The text before it becomes a part of it.
func (p *program) add(o op) {
	text := p.tail
	p.tail = nil
	if o.absent == nil {
		p.tail, o.after = o.after, nil
	}
	o.before, o.instead = slices.Concat(text, o.before), slices.Concat(text, o.instead)
	p.ops = append(p.ops, o)
}

// join appends another program.
func (p *program) join(other program) {
	for _, o := range other.ops {
		p.add(o)
	}
	p.append(other.tail)
}

// close puts a bracket in the place of the comma behind the last member; there is no comma when the object is empty.
func (p *program) close(bracket byte) {
	switch {
	case len(p.tail) == 0:
		p.add(textOp(func(dst []byte, _ *world.Row) []byte { return closeList(dst, bracket) }))
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
		dst = append(o.write(append(dst, o.before...), row, s), o.after...)
	}
	return append(dst, p.tail...)
}

// closeList puts a bracket in the place of the last comma.
func closeList(dst []byte, bracket byte) []byte {
	if dst[len(dst)-1] == ',' {
		dst[len(dst)-1] = bracket
		return dst
	}
	return append(dst, bracket)
}
