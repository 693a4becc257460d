package journal

import (
	"cmp"
	"slices"
)

// coverage is which bytes of a part of a file a client has received. The zero value is none of a file of unknown size.
type coverage struct {
	ranges []Range // sorted, apart
	size   int64
	whole  bool // or it cannot be told
}

// add adds a download.
func (c coverage) add(e *Entry) coverage {
	got := e.Received
	if got.Size == 0 {
		c.whole = true
		return c
	}
	got.To = min(got.To, got.From+e.ResponseBytes)
	c.size = got.Size
	sorted := append(slices.Clone(c.ranges), got)
	slices.SortFunc(sorted, func(a, b Range) int { return cmp.Compare(a.From, b.From) })
	c.ranges = sorted[:1]
	for _, next := range sorted[1:] {
		if last := &c.ranges[len(c.ranges)-1]; next.From <= last.To {
			last.To = max(last.To, next.To)
		} else {
			c.ranges = append(c.ranges, next)
		}
	}
	return c
}

func (c coverage) bytes() (sum int64) {
	for _, r := range c.ranges {
		sum += r.To - r.From
	}
	return sum
}

// lacks reports whether some bytes are known not to have been received.
func (c coverage) lacks() bool { return !c.whole && c.size > 0 && c.bytes() < c.size }
