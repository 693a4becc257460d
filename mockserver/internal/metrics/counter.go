package metrics

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Counter counts by one label, such as the kind of an export. The zero value is
// ready to use, and safe for concurrent use.
type Counter struct {
	list atomic.Pointer[[]*count] // replaced when a label is new
	add  sync.Mutex
}

type count struct {
	label string
	value atomic.Uint64
}

// Add counts. Labels must come from a small set: each is kept for ever.
func (c *Counter) Add(label string, number uint64) { c.of(label).value.Add(number) }

// of finds the count of a label. The lists are short, so a scan is quicker than
// a map.
func (c *Counter) of(label string) *count {
	if list := c.list.Load(); list != nil {
		for _, known := range *list {
			if known.label == label {
				return known
			}
		}
	}
	return c.new(label)
}

func (c *Counter) new(label string) *count {
	c.add.Lock()
	defer c.add.Unlock()
	var list []*count
	if known := c.list.Load(); known != nil {
		list = *known
	}
	for _, known := range list { // another one may have come first
		if known.label == label {
			return known
		}
	}
	added := &count{label: label}
	list = append(slices.Clone(list), added)
	c.list.Store(&list)
	return added
}

// Each calls visit with every label and its count, sorted by label.
func (c *Counter) Each(visit func(label string, value uint64)) {
	list := c.list.Load()
	if list == nil {
		return
	}
	sorted := slices.Clone(*list)
	slices.SortFunc(sorted, func(a, b *count) int { return strings.Compare(a.label, b.label) })
	for _, known := range sorted {
		visit(known.label, known.value.Load())
	}
}
