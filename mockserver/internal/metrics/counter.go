package metrics

import (
	"maps"
	"slices"
	"sync"
)

// Counter counts by one label, such as the kind of an export. The zero value is ready to use, and safe for concurrent use.
type Counter struct {
	lock   sync.Mutex
	counts map[string]uint64
}

// Add counts. Labels must come from a small set: each is kept for ever.
func (c *Counter) Add(label string, number uint64) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.counts == nil {
		c.counts = map[string]uint64{}
	}
	c.counts[label] += number
}

// Each calls visit with every label and its count, sorted by label.
func (c *Counter) Each(visit func(label string, value uint64)) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, label := range slices.Sorted(maps.Keys(c.counts)) {
		visit(label, c.counts[label])
	}
}
