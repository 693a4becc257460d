package rows

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"

// finish computes what is known of the length of a row before any is rendered.
func (p *program) finish() {
	p.fixed = len(p.tail)
	for i := range p.ops {
		o := &p.ops[i]
		if o.kind == opClose {
			continue // it takes the place of a comma
		}
		if o.kind == opList {
			o.list.item.finish()
		}
		if always, is := o.always(); is && (o.absent == nil || always == len(o.instead)) {
			p.fixed += always
		} else {
			p.variable = append(p.variable, i)
		}
	}
}

// always is the length of a value that is there, with the text around it, when
// it is always the same.
func (o *op) always() (int, bool) {
	around := len(o.before) + len(o.after)
	switch o.kind {
	case opText:
		return around + o.width, o.width > 0
	case opTime:
		return around + timeWidth, true
	case opChoice, opFlag:
		for _, text := range o.texts {
			if len(text) != len(o.texts[0]) {
				return 0, false
			}
		}
		return len(o.texts[0]), true
	}
	return 0, false
}

// length is how many bytes run adds for a row.
func (p *program) length(row *world.Row, s *scratch) int {
	if p.rendered {
		begin := len(s.text)
		s.text = p.run(s.text, row, s)
		length := len(s.text) - begin
		s.text = s.text[:begin]
		return length
	}
	sum := p.fixed
	for _, i := range p.variable {
		sum += p.ops[i].measure(row, s)
	}
	return sum
}

// measure is how many bytes an op adds.
func (o *op) measure(row *world.Row, s *scratch) int {
	if o.absent != nil && o.absent(row) {
		return len(o.instead)
	}
	around := len(o.before) + len(o.after)
	switch o.kind {
	case opTime:
		return around + timeWidth
	case opNumber:
		return around + decimals(o.number(row))
	case opChoice:
		return len(o.texts[o.choice(row)])
	case opFlag:
		if o.flag(row) {
			return len(o.texts[1])
		}
		return len(o.texts[0])
	case opList:
		return around + o.list.length(row, s)
	}
	switch {
	case o.width > 0:
		return around + o.width
	case o.length != nil:
		return around + o.length(row)
	}
	begin := len(s.text)
	s.text = o.text(s.text, row)
	length := len(s.text) - begin
	s.text = s.text[:begin]
	return around + length
}

func (l *list) length(row *world.Row, s *scratch) int {
	begin := len(s.items)
	s.items = l.each(row, s.items)
	count := len(s.items) - begin
	sum := count + len("[]") - min(count, 1) // with a comma between two items
	for i := begin; i < begin+count; i++ {
		sum += l.item.length(&s.items[i], s)
	}
	s.items = s.items[:begin]
	return sum
}

// decimals is how many characters a number has.
func decimals(n int64) int {
	count := 1
	if n < 0 {
		count++
	}
	for n /= 10; n != 0; n /= 10 {
		count++
	}
	return count
}
