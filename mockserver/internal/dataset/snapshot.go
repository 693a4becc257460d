package dataset

import (
	"runtime"
	"sort"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/record"
)

// Snapshot is the dataset as it was in one generation, with everything that
// follows from it. It is immutable and safe for concurrent use. Its blocks are
// dropped when nothing refers to it any more.
type Snapshot struct {
	generation int64
	Since      int64 // the generation of the reset before
	// profiles and installations are in the order of loading, events in that of
	// time. An installation stands before the name of its owner.
	Profiles, Installations, Events *blocks.List
	Seconds                         []int64 // of the first event of each block
	ReasonSets                      []ReasonSet

	deriving sync.Mutex
	results  map[string]any
}

// ReasonSet is the reasons that one row of the reachability of profiles shows
// together.
type ReasonSet struct {
	Channel string
	Names   []string
}

// dropWhenUnused gives the blocks of a snapshot back when it is garbage.
func (s *Snapshot) dropWhenUnused() {
	kept := s.Profiles.Blocks
	if numbers := s.blocks(); len(numbers) > 0 {
		// An error means that the disk is in trouble, or closed: others will say it.
		runtime.AddCleanup(s, func(numbers []int64) { _ = kept.Drop(numbers) }, numbers)
	}
}

// blocks are those of its lists.
func (s *Snapshot) blocks() (numbers []int64) {
	for _, list := range []*blocks.List{s.Profiles, s.Installations, s.Events} {
		numbers = append(numbers, list.Full...)
	}
	return numbers
}

// ProfileAt is the profile with a number.
func (s *Snapshot) ProfileAt(number int32) *record.Profile {
	at := s.Profiles.From(int64(number))
	at.More(s.Profiles.Count)
	found := new(record.Profile)
	record.DecodeProfile(&at.Decoder, found)
	return found
}

// InstallationAt is the installation with a number, and the name of its owner.
func (s *Snapshot) InstallationAt(number int32) (*record.Installation, *record.Profile) {
	at := s.Installations.From(int64(number))
	at.More(s.Installations.Count)
	found, owner := new(record.Installation), new(record.Profile)
	record.DecodeInstallation(&at.Decoder, found)
	record.DecodeProfile(&at.Decoder, owner)
	return found, owner
}

// Before is the number of events up to a second, that second included.
func (s *Snapshot) Before(second int64) int64 {
	// The first block that begins later; the last before it may hold such events.
	later := sort.Search(len(s.Seconds), func(i int) bool { return s.Seconds[i] > second })
	if later == 0 {
		return 0
	}
	at := s.Events.From(int64(later-1) * blocks.RecordsPerBlock)
	end := min(int64(later)*blocks.RecordsPerBlock, s.Events.Count)
	for at.More(end) {
		if at.Int() > second { // a moment begins with it
			return at.Number()
		}
	}
	return end
}

// Derived keeps, as long as the snapshot lives, what others derive from it: it is
// made once for each key, while other callers wait.
func (s *Snapshot) Derived(key string, make func() any) any {
	s.deriving.Lock()
	defer s.deriving.Unlock()
	if s.results[key] == nil {
		s.results[key] = make()
	}
	return s.results[key]
}
