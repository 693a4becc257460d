package dataset

import (
	"runtime"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
)

// Snapshot is the dataset as it was in one generation: people, each with their installations and events. It is immutable and safe for
// concurrent use. Its blocks are dropped when nothing refers to it any more.
type Snapshot struct {
	generation int64
	since      int64 // the generation of the reset before
	people     *blocks.List
	events     int64

	deriving sync.Mutex
	results  map[string]any
}

// Events is how many events there are.
func (s *Snapshot) Events() int64 { return s.events }

// dropWhenUnused gives the blocks of a snapshot back when it is garbage.
func (s *Snapshot) dropWhenUnused() {
	kept := s.people.Blocks
	if len(s.people.Full) > 0 { // an error means that the disk is in trouble, or closed: others will say it
		runtime.AddCleanup(s, func(numbers []int64) { _ = kept.Drop(numbers) }, s.people.Full)
	}
}

// Derived keeps, as long as the snapshot lives, what others derive from it: it is made once for each key, while other callers wait.
func (s *Snapshot) Derived(key string, make func() any) any {
	s.deriving.Lock()
	defer s.deriving.Unlock()
	if s.results[key] == nil {
		s.results[key] = make()
	}
	return s.results[key]
}
