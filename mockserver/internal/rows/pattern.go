package rows

import (
	"regexp/syntax"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// matcher makes generators of texts that a regular expression matches, or
// nearly: what it demands of what stands around a match is not read.
type matcher struct {
	fixed bool // different draws give different texts
	exact bool // every text matches
	depth int  // of repeats and alternatives
}

// unbounded is how many repeats more than needed an open repetition gets.
const unbounded = 8

func (m *matcher) pieces(tree *syntax.Regexp) []generator {
	return m.match(tree, nil)
}

func (m *matcher) match(tree *syntax.Regexp, made []generator) []generator {
	switch tree.Op {
	case syntax.OpLiteral:
		return append(made, constant(string(tree.Rune)))
	case syntax.OpCharClass:
		return append(made, characters(tree.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return append(made, characters([]rune{'a', 'z'}))
	case syntax.OpCapture, syntax.OpConcat:
		for _, part := range tree.Sub {
			made = m.match(part, made)
		}
		return made
	case syntax.OpAlternate:
		var branches mixture
		m.depth++
		for _, part := range tree.Sub {
			branches = append(branches, text{pieces: m.match(part, nil)})
		}
		m.depth--
		m.fixed = false
		return append(made, branches)
	case syntax.OpStar:
		return m.repeat(tree, 0, unbounded, made)
	case syntax.OpPlus:
		return m.repeat(tree, 1, unbounded, made)
	case syntax.OpQuest:
		return m.repeat(tree, 0, 1, made)
	case syntax.OpRepeat:
		most := tree.Max
		if most < 0 {
			most = tree.Min + unbounded
		}
		return m.repeat(tree, tree.Min, most, made)
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpBeginLine, syntax.OpEndText, syntax.OpEndLine:
		// In the middle of a pattern they are rare; samples that do not match show them.
		m.exact = m.exact && m.depth == 0
		return made
	}
	m.exact = false // a word boundary, or nothing that matches
	return made
}

func (m *matcher) repeat(tree *syntax.Regexp, least, most int, made []generator) []generator {
	m.fixed = m.fixed && least == most
	m.depth++
	part := text{pieces: m.match(tree.Sub[0], nil)}
	m.depth--
	return append(made, repeated{part, least, uint64(most-least) + 1, m.fixed})
}

// repeated is a text several times.
type repeated struct {
	part  text
	least int
	more  uint64
	fixed bool
}

func (g repeated) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	more, draws := draws.Below(g.more)
	for range g.least + int(more) {
		dst, draws = g.part.write(dst, draws)
	}
	return dst, draws
}

func (g repeated) alternatives() uint64 {
	if !g.fixed {
		return 0
	}
	part := text{pieces: g.part.pieces, fixed: true}.alternatives()
	product := uint64(1)
	for range g.least {
		product = times(product, part)
	}
	return product
}

// characters picks a character of a class, a printable ASCII one if there is any.
func characters(ranges []rune) generator {
	made := choice{}
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := max(ranges[i], ' '); r <= min(ranges[i+1], '~'); r++ {
			made.texts = append(made.texts, []byte(string(r)))
		}
	}
	if len(made.texts) == 0 && len(ranges) > 0 {
		return constant(string(ranges[0]))
	}
	if len(made.texts) == 0 {
		return constant(" ")
	}
	return made
}
