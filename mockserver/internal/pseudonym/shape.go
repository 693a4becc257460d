package pseudonym

import "unicode"

// class is the characters that one may become another of, in order.
type class []unicode.Range32

var (
	digits      = class{{Lo: '0', Hi: '9', Stride: 1}}
	firstDigits = class{{Lo: '1', Hi: '9', Stride: 1}}
	lower       = class{{Lo: 'a', Hi: 'z', Stride: 1}}
	upper       = class{{Lo: 'A', Hi: 'Z', Stride: 1}}
	hexLower    = class{{Lo: '0', Hi: '9', Stride: 1}, {Lo: 'a', Hi: 'f', Stride: 1}}
	hexUpper    = class{{Lo: '0', Hi: '9', Stride: 1}, {Lo: 'A', Hi: 'F', Stride: 1}}
	// Of other scripts, letters become letters that fonts have: those of a small range each.
	scripts = []class{
		{{Lo: 'à', Hi: 'ö', Stride: 1}, {Lo: 'ø', Hi: 'ÿ', Stride: 1}}, {{Lo: 'À', Hi: 'Ö', Stride: 1}, {Lo: 'Ø', Hi: 'Þ', Stride: 1}},
		{{Lo: 'α', Hi: 'ω', Stride: 1}}, {{Lo: 'Α', Hi: 'Ρ', Stride: 1}, {Lo: 'Σ', Hi: 'Ω', Stride: 1}},
		{{Lo: 'а', Hi: 'я', Stride: 1}}, {{Lo: 'А', Hi: 'Я', Stride: 1}},
		{{Lo: 'א', Hi: 'ת', Stride: 1}}, {{Lo: 'ا', Hi: 'غ', Stride: 1}, {Lo: 'ف', Hi: 'ي', Stride: 1}},
		{{Lo: 'ぁ', Hi: 'ゖ', Stride: 1}}, {{Lo: 'ァ', Hi: 'ヺ', Stride: 1}},
		{{Lo: 0x4e00, Hi: 0x9fff, Stride: 1}}, {{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}},
	}
)

func (c class) size() (size uint32) {
	for _, r := range c {
		size += r.Hi - r.Lo + 1
	}
	return size
}

// indexOf is the place of a character in the class.
func (c class) indexOf(char rune) (uint32, bool) {
	before := uint32(0)
	for _, r := range c {
		if uint32(char) >= r.Lo && uint32(char) <= r.Hi {
			return before + uint32(char) - r.Lo, true
		}
		before += r.Hi - r.Lo + 1
	}
	return 0, false
}

func (c class) at(index uint32) rune {
	for _, r := range c {
		if size := r.Hi - r.Lo + 1; index >= size {
			index -= size
		} else {
			return rune(r.Lo + index)
		}
	}
	return unicode.ReplacementChar
}

// classOf is the class of a character; nil: it stays as it is. A letter of no script above becomes a
// Latin one: its shape is lost, and two texts may become one, but none survives.
func classOf(char rune) class {
	for _, c := range []class{digits, lower, upper} {
		if _, is := c.indexOf(char); is {
			return c
		}
	}
	if char < 0x80 || !unicode.IsLetter(char) && !unicode.IsNumber(char) {
		return nil
	}
	for _, c := range scripts {
		if _, is := c.indexOf(char); is {
			return c
		}
	}
	return lower
}

// symbol is one character of a text that is replaced.
type symbol struct {
	place int // in the text
	class class
	index uint32
}

// rounds of the network: more than the eight that attacks on small domains suggest.
const rounds = 10

// permute replaces the characters of a text by others of the same class; classOf says which class each
// has, nil for those that stay.
func (k *Key) permute(of domain, text string, classOf func(place int, char rune) class) string {
	chars := []rune(text)
	var symbols []symbol
	for place, char := range chars {
		if c := classOf(place, char); c != nil {
			index, is := c.indexOf(char)
			if !is {
				index = uint32(char) % c.size()
			}
			symbols = append(symbols, symbol{place, c, index})
		}
	}
	k.network(of, symbols)
	for _, s := range symbols {
		chars[s.place] = s.class.at(s.index)
	}
	return string(chars)
}

// network is a Feistel network whose halves are added to by turns, each symbol modulo the size of its class.
func (k *Key) network(of domain, symbols []symbol) {
	middle := (len(symbols) + 1) / 2
	shape := k.mac(of, uint32(len(symbols)))
	for _, s := range symbols { // texts of another shape have another permutation
		shape.add(s.class.size())
	}
	shape.flush()
	random := make([]uint32, middle)
	for round := range rounds {
		changed, other := symbols[:middle], symbols[middle:]
		if round%2 == 1 {
			changed, other = other, changed
		}
		m := shape
		m.add(uint32(round))
		for _, s := range other {
			m.add(s.index)
		}
		m.numbers(random[:len(changed)])
		for i := range changed {
			size := uint64(changed[i].class.size())
			changed[i].index = uint32((uint64(changed[i].index) + uint64(random[i])*size>>32) % size)
		}
	}
}
