// Package ahead renders what the readers of files will ask for next, so that one
// download uses all processors.
// See docs/explanation/performance.md#why-is-a-download-slower-than-a-stored-file
package ahead

import (
	"slices"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/limiter"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
)

// RunBlocks is how many blocks are rendered in one go: as many as a buffer has room
// for. The rows of a unit that two runs share are made twice.
const RunBlocks = 3

// longUnread is after how many blocks, of all readers, a run makes room that nobody
// has read yet: its client takes nothing.
const longUnread = 512

// Shared is what all readers share. They hold a few runs together: when many read at
// once, each renders for itself. It is safe for concurrent use.
type Shared struct {
	limiter *limiter.Limiter
	pool    *program.Pool
	each    int // runs of one reader: one that is read, and one for each processor

	lock sync.Mutex
	runs []*run // those that are not read, the oldest first
	read int64  // how many blocks were asked for
}

// New shares the processors that a limiter has, and its spare one.
func New(l *limiter.Limiter, pool *program.Pool) *Shared {
	return &Shared{limiter: l, pool: pool, each: l.Most() + 2}
}

// run are a few blocks of a file, which one reader wants.
type run struct {
	first, end int           // blocks first up to, not including, end
	ready      chan struct{} // closed when text and ends are set
	text       []byte        // nil: rendering failed, and fails again for the reader
	ends       []int         // of the blocks, in text
	began      int64         // Shared.read
	dropped    bool          // guarded by the lock
}

// begin renders a run, unless too many are unread, or somebody waits for the processors.
func (s *Shared) begin(first, end int, render func(dst []byte, block int) []byte) *run {
	if s.limiter.IsBusy() {
		return nil
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if len(s.runs) >= 2*s.each {
		if oldest := s.runs[0]; s.read-oldest.began < longUnread {
			return nil
		}
		s.runs[0].dropped = true
		s.runs = s.runs[1:]
	}
	made := &run{first: first, end: end, ready: make(chan struct{}), began: s.read}
	s.runs = append(s.runs, made)
	go s.render(made, render)
	return made
}

func (s *Shared) render(r *run, render func(dst []byte, block int) []byte) {
	defer close(r.ready)
	defer func() { _ = recover() }() // the reader meets the same panic, where somebody can report it
	text := s.pool.GetBuffer()
	for block := r.first; block < r.end; block++ {
		if s.isDropped(r) {
			return
		}
		s.limiter.DoAhead(func() { text = render(text, block) })
		r.ends = append(r.ends, len(text))
	}
	r.text = text
}

func (s *Shared) isDropped(r *run) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return r.dropped
}

func (s *Shared) count() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.read++
}

// end forgets a run.
func (s *Shared) end(r *run) {
	s.lock.Lock()
	defer s.lock.Unlock()
	r.dropped = true
	if at := slices.Index(s.runs, r); at >= 0 {
		s.runs = slices.Delete(s.runs, at, at+1)
	}
	select {
	case <-r.ready:
		s.pool.PutBuffer(r.text)
	default:
	}
}
