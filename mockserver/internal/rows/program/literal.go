package program

// padding is so many bytes that most texts between two values fit, and few enough to be
// moved in two instructions.
const padding = 32

// literal is a text that is copied for every row: as padding bytes, of which those behind
// its end are written over by what follows, if it is so short and there is room for them.
type literal struct {
	padded [padding]byte
	text   []byte
}

func literalOf(text []byte) literal {
	made := literal{text: text}
	copy(made.padded[:], text)
	return made
}

// appendTo adds the text to dst.
func (l *literal) appendTo(dst []byte) []byte {
	if len(l.text) == 0 {
		return dst
	}
	if begin := len(dst); len(l.text) <= padding && cap(dst)-begin >= padding {
		*(*[padding]byte)(dst[begin : begin+padding]) = l.padded
		return dst[:begin+len(l.text)]
	}
	return append(dst, l.text...)
}

// literals are the texts of an op as they are copied.
type literals struct {
	before, after, instead literal
	texts                  []literal
}

// prepared are the literals of a program.
type prepared struct {
	ops  []literals
	tail literal
}

// prepare makes the literals of the ops, without which none is run.
func (p *Program) prepare() {
	p.ready = prepared{make([]literals, len(p.Ops)), literalOf(p.Tail)}
	for i := range p.Ops {
		o := &p.Ops[i]
		p.ready.ops[i] = literals{literalOf(o.Before), literalOf(o.After), literalOf(o.Instead), make([]literal, len(o.Texts))}
		for at, text := range o.Texts {
			p.ready.ops[i].texts[at] = literalOf(text)
		}
	}
}
