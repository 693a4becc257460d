package program

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"

// Finish makes a program ready to run, and computes what is known of the length of a row
// before any is rendered.
func (p *Program) Finish() {
	p.prepare()
	p.fixed = len(p.Tail)
	for i := range p.Ops {
		o := &p.Ops[i]
		if o.Kind == closing {
			continue // it takes the place of a comma
		}
		if o.Kind == Array {
			o.List.Item.Finish()
		}
		if always, is := o.always(); is && (o.Absent == nil || always == len(o.Instead)) {
			p.fixed += always
		} else {
			p.variable = append(p.variable, i)
		}
	}
}

// always is the length of a value that is there, with the text around it, when
// it is always the same.
func (o *Op) always() (int, bool) {
	around := len(o.Before) + len(o.After)
	switch o.Kind {
	case Text:
		return around + o.TextValue.Width, o.TextValue.Width > 0
	case Time, TimeInOrder:
		return around + timeWidth, true
	case Choice, Flag:
		for _, text := range o.Texts {
			if len(text) != len(o.Texts[0]) {
				return 0, false
			}
		}
		return len(o.Texts[0]), true
	}
	return 0, false
}

// Length is how many bytes run adds for a row.
func (p *Program) Length(row *world.Row, s *Scratch) int {
	if p.Rendered {
		begin := len(s.text)
		s.text = p.Run(s.text, row, s)
		length := len(s.text) - begin
		s.text = s.text[:begin]
		return length
	}
	sum := p.fixed
	for _, i := range p.variable {
		sum += p.Ops[i].measure(row, s)
	}
	return sum
}

// measure is how many bytes an op adds.
func (o *Op) measure(row *world.Row, s *Scratch) int {
	if o.Absent != nil && o.Absent(row) {
		return len(o.Instead)
	}
	around := len(o.Before) + len(o.After)
	switch o.Kind {
	case Time, TimeInOrder:
		return around + timeWidth
	case Number:
		return around + decimals(o.Number(row))
	case Choice:
		return len(o.Texts[o.Choice(row)])
	case Flag:
		if o.Flag(row) {
			return len(o.Texts[1])
		}
		return len(o.Texts[0])
	case Array:
		return around + o.List.length(row, s)
	}
	switch {
	case o.TextValue.Width > 0:
		return around + o.TextValue.Width
	case o.TextValue.Length != nil:
		if length := o.TextValue.Length(row); length >= 0 {
			return around + length
		}
	}
	begin := len(s.text)
	s.text = o.TextValue.Text(s.text, row)
	length := len(s.text) - begin
	s.text = s.text[:begin]
	return around + length
}

func (l *List) length(row *world.Row, s *Scratch) int {
	begin := len(s.Items)
	s.Items = l.Each(row, s.Items)
	count := len(s.Items) - begin
	sum := count + len("[]") - min(count, 1) // with a comma between two items
	for i := begin; i < begin+count; i++ {
		sum += l.Item.Length(&s.Items[i], s)
	}
	s.Items = s.Items[:begin]
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
