package program

import (
	"bytes"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// sharedOps are those that all programs of a file begin with and that say whom a row is about: what
// they write is written once for several rows about the same one.
type sharedOps struct {
	count int
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
	made := &sharedOps{}
	for ; isShared(programs, made.count); made.count++ {
	}
	for i := range programs {
		programs[i].shared = made
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
