package program

import (
	"runtime"
	"sync"
)

// ResumeCache keeps the rows of units of which a block has shown only a part, so
// that the next block of the same file need not make them again. It holds a few,
// and evicts the oldest, so a client that never comes back costs nothing.
type ResumeCache struct {
	lock    sync.Mutex
	entries []resumeEntry
	next    int // where the next entry goes
}

type resumeEntry struct {
	file    any // identifies it
	unit    int64
	scratch *Scratch
}

// NewResumeCache makes one for a renderer.
func NewResumeCache() ResumeCache {
	return ResumeCache{entries: make([]resumeEntry, 4*runtime.GOMAXPROCS(0))}
}

// Put keeps the rows of a unit, and returns the scratch that it evicts, if any.
func (c *ResumeCache) Put(file any, unit int64, s *Scratch) (evicted *Scratch) {
	c.lock.Lock()
	defer c.lock.Unlock()
	evicted = c.entries[c.next].scratch
	c.entries[c.next] = resumeEntry{file, unit, s}
	c.next = (c.next + 1) % len(c.entries)
	return evicted
}

// Take removes and returns the scratch with the rows of a unit; nil: they are
// not cached.
func (c *ResumeCache) Take(file any, unit int64) *Scratch {
	c.lock.Lock()
	defer c.lock.Unlock()
	for i := range c.entries {
		if c.entries[i].file == file && c.entries[i].unit == unit {
			found := c.entries[i].scratch
			c.entries[i] = resumeEntry{}
			return found
		}
	}
	return nil
}
