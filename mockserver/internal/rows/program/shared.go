package program

import (
	"bytes"
	"math/bits"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// sharedOps are those that all programs of a file begin with and that say whom a row is about: what
// they write is written once for several rows about the same one.
type sharedOps struct {
	count int
	alike bool // nothing else makes the length of a row of one kind another one
}

// recipient is what was written last of somebody.
type recipient struct {
	by   *sharedOps
	of   world.Recipient
	text []byte
}

// Share finds out what the programs of all kinds of rows of a file write about whoever a row is
// about, if rows about one often follow each other.
func Share(programs []Program, often bool) {
	if !often {
		return
	}
	made := &sharedOps{alike: true}
	for ; isShared(programs, made.count); made.count++ {
	}
	for i := range programs {
		p := &programs[i]
		p.shared = made
		made.alike = made.alike && !p.Rendered && (len(p.variable) == 0 || p.variable[len(p.variable)-1] < made.count)
	}
}

// isShared reports whether all programs have the same op at a place, about whoever it is.
func isShared(programs []Program, at int) bool {
	for i := range programs {
		if at >= len(programs[i].Ops) {
			return false
		}
		first, other := &programs[0].Ops[at], &programs[i].Ops[at]
		if first.DependsOn.Recipient == "" || first.DependsOn != other.DependsOn || first.Kind != other.Kind ||
			!bytes.Equal(first.Before, other.Before) || !bytes.Equal(first.After, other.After) || !bytes.Equal(first.Instead, other.Instead) {
			return false
		}
	}
	return len(programs) > 0
}

// runShared adds what all programs of the file write about whom a row is about.
func (p *Program) runShared(dst []byte, row *world.Row, s *Scratch) []byte {
	begin := len(dst)
	about, known := row.Recipient()
	kept := &s.about[uint64(row.Installation)%uint64(len(s.about))]
	if known && kept.by == p.shared && kept.of == about {
		return append(dst, kept.text...)
	}
	if dst = p.run(dst, row, s, 0, p.shared.count); known {
		kept.by, kept.of, kept.text = p.shared, about, append(kept.text[:0], dst[begin:]...)
	}
	return dst
}

// Size is how many rows a unit of a view of recipients has, and how many bytes; not known: its
// rows have to be looked at one by one.
func Size(programs []Program, view world.View, unit int64, s *Scratch) (rows int, size int64, known bool) {
	recipients, is := view.(world.GroupedRecipients)
	if !is || programs[0].shared == nil || !programs[0].shared.alike {
		return 0, 0, false
	}
	known = recipients.EachRecipient(unit, func(row *world.Row, events uint64) {
		first := &programs[bits.TrailingZeros64(events)]
		about := first.Length(row, s) - first.fixed
		for rest := events; rest != 0; rest &= rest - 1 {
			size += int64(about + programs[bits.TrailingZeros64(rest)].fixed)
			rows++
		}
	})
	return rows, size, known
}

// UnitSize is Size of any view, from the lengths of its rows, each of the program that pick says.
func UnitSize(programs []Program, pick func(*world.Row) int, view world.View, unit int64, s *Scratch) (rows int, size int64) {
	if rows, size, known := Size(programs, view, unit, s); known {
		return rows, size
	}
	s.Rows = view.Append(s.Rows[:0], unit)
	for i := range s.Rows {
		size += int64(programs[pick(&s.Rows[i])].Length(&s.Rows[i], s))
	}
	return len(s.Rows), size
}
