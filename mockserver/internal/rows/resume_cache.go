package rows

import (
	"runtime"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
)

// resumeCache keeps the rows of units of which a block has shown only a part, so
// that the next block of the same file need not make them again. It holds a few,
// and evicts the oldest, so a client that never comes back costs nothing.
type resumeCache struct {
	lock    sync.Mutex
	entries []resumeEntry
	next    int // where the next entry goes
}

type resumeEntry struct {
	file    *File
	unit    int64
	scratch *program.Scratch
}

func newResumeCache() resumeCache {
	return resumeCache{entries: make([]resumeEntry, 4*runtime.GOMAXPROCS(0))}
}

// put keeps the rows of a unit, and returns the scratch that it evicts, if any.
func (c *resumeCache) put(f *File, unit int64, s *program.Scratch) (evicted *program.Scratch) {
	c.lock.Lock()
	defer c.lock.Unlock()
	evicted = c.entries[c.next].scratch
	c.entries[c.next] = resumeEntry{f, unit, s}
	c.next = (c.next + 1) % len(c.entries)
	return evicted
}

// take removes and returns the scratch with the rows of a unit; nil: they are
// not cached.
func (c *resumeCache) take(f *File, unit int64) *program.Scratch {
	c.lock.Lock()
	defer c.lock.Unlock()
	for i := range c.entries {
		if c.entries[i].file == f && c.entries[i].unit == unit {
			found := c.entries[i].scratch
			c.entries[i] = resumeEntry{}
			return found
		}
	}
	return nil
}
