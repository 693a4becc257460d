package rows

import (
	"regexp/syntax"
	"strings"
)

// matching is a text that a regular expression matches, or nearly: what it
// demands of what stands around a match is not read.
func (s *sampler) matching(pattern string) string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var out strings.Builder
	s.match(&out, tree.Simplify())
	return out.String()
}

// unbounded is how many repeats more than needed an open repetition gets.
const unbounded = 8

func (s *sampler) match(out *strings.Builder, tree *syntax.Regexp) {
	repeat := func(least, most int) {
		for range least + s.random.IntN(most-least+1) {
			s.match(out, tree.Sub[0])
		}
	}
	switch tree.Op {
	case syntax.OpLiteral:
		out.WriteString(string(tree.Rune))
	case syntax.OpCharClass:
		out.WriteRune(s.oneOf(tree.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteByte(byte('a' + s.random.IntN(26)))
	case syntax.OpCapture, syntax.OpConcat:
		for _, part := range tree.Sub {
			s.match(out, part)
		}
	case syntax.OpAlternate:
		s.match(out, tree.Sub[s.random.IntN(len(tree.Sub))])
	case syntax.OpStar:
		repeat(0, unbounded)
	case syntax.OpPlus:
		repeat(1, unbounded)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		most := tree.Max
		if most < 0 {
			most = tree.Min + unbounded
		}
		repeat(tree.Min, most)
	}
}

// oneOf picks a character of a class, a printable ASCII one if there is any.
func (s *sampler) oneOf(ranges []rune) rune {
	var usable []rune
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := max(ranges[i], ' '); r <= min(ranges[i+1], '~'); r++ {
			usable = append(usable, r)
		}
	}
	if len(usable) > 0 {
		return usable[s.random.IntN(len(usable))]
	}
	if len(ranges) < 2 {
		return ' '
	}
	return ranges[0]
}
