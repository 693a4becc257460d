package acceptor

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// matcher says whether a text has a match of a pattern. For ASCII texts it is a table with a state per row; other texts go to the regexp
// package. To make the table takes longer than some texts, so the first ones go there, too: a program that has just started answers
// first.
type matcher struct {
	pattern *regexp.Regexp
	texts   atomic.Uint32 // how many were matched without a table
	making  sync.Once
	made    atomic.Pointer[table]
}

// table is the table of a pattern.
type table struct {
	next    [][utf8.RuneSelf]uint16 // 0: no match is possible any more; nil: no table
	accepts []bool                  // at the end of the text
}

// maxStates bounds the table of a pattern at 256 kB.
const maxStates = 1024

// withoutTable is how many texts are matched without a table.
const withoutTable = 4

// table is the one of the pattern; nil for the first texts.
func (m *matcher) table() *table {
	if made := m.made.Load(); made != nil || m.texts.Add(1) <= withoutTable {
		return made
	}
	m.making.Do(func() {
		made := &table{}
		if parsed, err := syntax.Parse(m.pattern.String(), syntax.Perl); err == nil {
			if program, err := syntax.Compile(parsed.Simplify()); err == nil {
				made.build(program)
			}
		}
		m.made.Store(made)
	})
	return m.made.Load()
}

func (m *matcher) match(text []byte, ascii bool) bool {
	t := m.table()
	if !ascii || t == nil || t.next == nil {
		return m.pattern.Match(text)
	}
	state := uint16(1)
	for _, c := range text {
		if state = t.next[state][c%utf8.RuneSelf]; state == 0 {
			return false
		}
	}
	return t.accepts[state]
}

// build makes the table by the subset construction: a state is the set of instructions the program may stand at between two characters.
// Programs that look at word boundaries or lines are left to the regexp package.
func (t *table) build(program *syntax.Prog) {
	for _, inst := range program.Inst {
		const text = syntax.EmptyBeginText | syntax.EmptyEndText
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&^text != 0 {
			return
		}
	}
	b := &builder{program: program, states: map[string]uint16{}}
	b.state(nil) // 0: nothing left
	b.state(b.closure([]uint32{uint32(program.Start)}, syntax.EmptyBeginText))
	var next [][utf8.RuneSelf]uint16
	for index := 0; index < len(b.sets); index++ {
		var row [utf8.RuneSelf]uint16
		for c := range rune(utf8.RuneSelf) {
			var reached []uint32
			for _, at := range b.sets[index] {
				if inst := &program.Inst[at]; consumes(inst) && inst.MatchRune(c) {
					reached = append(reached, inst.Out)
				}
			}
			// A search may also begin at any later place, once anchors at the beginning have had their chance.
			if index != 0 {
				reached = append(reached, uint32(program.Start))
			}
			row[c] = b.state(b.closure(reached, 0))
		}
		if next = append(next, row); len(b.sets) > maxStates {
			return
		}
	}
	for index := range b.sets {
		atStart := syntax.EmptyOp(0)
		if index == 1 {
			atStart = syntax.EmptyBeginText
		}
		t.accepts = append(t.accepts, b.matches(b.sets[index], atStart|syntax.EmptyEndText))
		if b.matches(b.sets[index], atStart) { // whatever follows
			for c := range next[index] {
				next[index][c] = uint16(index)
			}
		}
	}
	t.next = next
}

func consumes(inst *syntax.Inst) bool {
	switch inst.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	return false
}

type builder struct {
	program *syntax.Prog
	sets    [][]uint32
	states  map[string]uint16
}

// state is the number of a set of instructions. A set from which no match can come is state 0.
func (b *builder) state(set []uint32) uint16 {
	slices.Sort(set)
	key := make([]byte, 0, 4*len(set))
	for _, at := range set {
		key = append(key, byte(at), byte(at>>8), byte(at>>16), byte(at>>24))
	}
	if len(b.sets) == 1 {
		// The beginning has a state of its own: no other has the same anchors.
		b.sets = append(b.sets, set)
		return 1
	}
	number, known := b.states[string(key)]
	if !known {
		number = uint16(min(len(b.sets), maxStates+1))
		b.states[string(key)] = number
		b.sets = append(b.sets, set)
	}
	return number
}

// closure are the instructions reached without a character. Those that wait for the end of the text stay in the set.
func (b *builder) closure(from []uint32, holds syntax.EmptyOp) []uint32 {
	var set []uint32
	seen := map[uint32]bool{}
	for len(from) > 0 {
		at := from[len(from)-1]
		from = from[:len(from)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		inst := &b.program.Inst[at]
		switch inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			from = append(from, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			from = append(from, inst.Out)
		case syntax.InstEmptyWidth:
			needs := syntax.EmptyOp(inst.Arg)
			switch {
			case needs&^holds == 0:
				from = append(from, inst.Out)
			case needs&syntax.EmptyBeginText == 0 || holds&syntax.EmptyBeginText != 0:
				set = append(set, at)
			}
		case syntax.InstFail:
		default:
			set = append(set, at)
		}
	}
	return set
}

// matches says whether a set matches where the given conditions hold.
func (b *builder) matches(set []uint32, holds syntax.EmptyOp) bool {
	return slices.ContainsFunc(b.closure(slices.Clone(set), holds), func(at uint32) bool {
		return b.program.Inst[at].Op == syntax.InstMatch
	})
}
