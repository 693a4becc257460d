package metrics

import (
	"math"
	"sync/atomic"
)

// bounds are the upper ends of the buckets, in seconds: from a lookup in memory to a long download.
var bounds = [...]float64{0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30}

// Histogram counts durations. The zero value is ready to use, and safe for concurrent use.
type Histogram struct {
	buckets [len(bounds) + 1]atomic.Uint64 // not cumulative; the last has no end
	nanos   atomic.Int64                   // all durations together
}

// Observe counts one duration, in seconds.
func (h *Histogram) Observe(seconds float64) {
	place := 0
	for place < len(bounds) && seconds > bounds[place] {
		place++
	}
	h.buckets[place].Add(1)
	h.nanos.Add(int64(seconds * 1e9))
}

// write writes the samples of one histogram, none of one that counted nothing. A request that is counted
// meanwhile may be in the sum and not yet in a bucket.
func (h *Histogram) write(out *Writer, name string, labels ...Label) {
	if h.nanos.Load() == 0 && h.buckets[0].Load() == 0 {
		return
	}
	total := uint64(0)
	for i := range h.buckets {
		total += h.buckets[i].Load()
		bound := math.Inf(1)
		if i < len(bounds) {
			bound = bounds[i]
		}
		out.Sample(name+"_bucket", float64(total), append(labels[:len(labels):len(labels)], Label{"le", number(bound)})...)
	}
	out.Sample(name+"_sum", float64(h.nanos.Load())/1e9, labels...)
	out.Sample(name+"_count", float64(total), labels...)
}
