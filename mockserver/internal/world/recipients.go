package world

import (
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// recipients is the view of the distinct pairs of a member of the audience and
// an event that happened to them in the span.
type recipients struct {
	*messages
	listed listedAs
}

// listedAs is how recipients are listed.
type listedAs struct {
	links    bool       // rows show whether an installation is linked to its profile
	plain    bool       // nothing of a message shows in a row but its event and whom it reached
	furthest int64      // how many seconds after a message its last step comes, at most
	pool     *sync.Pool // of *listing
}

// TellsMoreThanWho reports whether a fact of a row of recipients tells more than who it is and
// which event happened to them.
func TellsMoreThanWho(name string) bool {
	switch name {
	case vocabulary.InstallationID, vocabulary.AdvertisingID, vocabulary.CustomID, vocabulary.EventType:
		return false
	}
	return true
}

// members is an upper bound for the members of the stream that exist before the
// span ends.
func (v *recipients) members() int64 {
	return v.world.ProfilesAt(v.span.to)
}

func (v *recipients) Units() int64 {
	if v.span.to <= v.span.from {
		return 0
	}
	return blocksOf(v.members())
}

func (v *recipients) Append(rows []Row, unit int64) []Row {
	return v.appendBlock(rows, unit, firstMembers(v.members()-unit*blockSize))
}

// appendBlock adds a row per event that happened to some members of a block, on
// each of their installations, and per state of its link if rows show that.
func (v *recipients) appendBlock(rows []Row, block int64, members memberSet) []Row {
	l := v.listingOf(block, members)
	defer v.listed.pool.Put(l)
	return l.appendRows(rows)
}

// listingOf is what is found out about some members of a block.
func (v *recipients) listingOf(block int64, members memberSet) *listing {
	if v.stream.recipients.audience != nil {
		members = v.stream.recipients.audience(block, members)
	}
	l := v.listed.pool.Get().(*listing)
	l.begin(v, block, members)
	l.find()
	return l
}

func (v *recipients) sameRecipient(a, b *Row) bool {
	return a.Event == b.Event && a.Installation == b.Installation && (!v.listed.links || v.world.isLinked(a) == v.world.isLinked(b))
}

// Unwrap is the view of the messages themselves.
func (v *recipients) Unwrap() View { return v.messages }
