package dataset

import (
	"runtime"
	"sort"
	"sync"
)

// Snapshot is the dataset as it was in one generation, with everything that
// follows from it. It is immutable and safe for concurrent use. Its blocks are
// dropped when nothing refers to it any more.
type Snapshot struct {
	generation int64
	since      int64 // the generation of the reset before
	// profiles and installations are in the order of loading, events in that of
	// time. An installation stands before the name of its owner.
	profiles, installations, events *list
	seconds                         []int64 // of the first event of each block
	reasonSets                      []reasonSet

	deriving sync.Mutex
	results  map[string]any
}

// reasonSet is the reasons that one row of the reachability of profiles shows
// together.
type reasonSet struct {
	channel string
	names   []string
}

// dropWhenUnused gives the blocks of a snapshot back when it is garbage.
func (s *Snapshot) dropWhenUnused() {
	kept := s.profiles.blocks
	var numbers []int64
	for _, list := range []*list{s.profiles, s.installations, s.events} {
		numbers = append(numbers, list.full...)
	}
	if len(numbers) > 0 {
		// An error means that the disk is in trouble, or closed: others will say it.
		runtime.AddCleanup(s, func(numbers []int64) { _ = kept.Drop(numbers) }, numbers)
	}
}

// profileAt is the profile with a number.
func (s *Snapshot) profileAt(number int32) *profile {
	at := s.profiles.from(int64(number))
	at.more(s.profiles.count)
	found := new(profile)
	decodeProfile(&at.decoder, found)
	return found
}

// installationAt is the installation with a number, and the name of its owner.
func (s *Snapshot) installationAt(number int32) (*installation, *profile) {
	at := s.installations.from(int64(number))
	at.more(s.installations.count)
	found, owner := new(installation), new(profile)
	decodeInstallation(&at.decoder, found)
	decodeProfile(&at.decoder, owner)
	return found, owner
}

// before is the number of events up to a second, that second included.
func (s *Snapshot) before(second int64) int64 {
	// The first block that begins later; the last before it may hold such events.
	later := sort.Search(len(s.seconds), func(i int) bool { return s.seconds[i] > second })
	if later == 0 {
		return 0
	}
	at := s.events.from(int64(later-1) * blockRecords)
	end := min(int64(later)*blockRecords, s.events.count)
	for at.more(end) {
		if at.int() > second { // a moment begins with it
			return at.number()
		}
	}
	return end
}

// derived keeps, as long as the snapshot lives, what others derive from it: it is
// made once for each key, while other callers wait.
func (s *Snapshot) derived(key string, make func() any) any {
	s.deriving.Lock()
	defer s.deriving.Unlock()
	if s.results[key] == nil {
		s.results[key] = make()
	}
	return s.results[key]
}
