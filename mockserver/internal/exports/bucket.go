package exports

import (
	"math"
	"time"
)

// Bucket is a token bucket: it holds up to a burst of tokens, gains one in every interval, and a request takes one (export API section
// 8). The zero value is full. It is kept as the single instant at which it is full again, so it needs no upkeep between requests, and the
// one at which the last token was taken, which tells that the clock was set back since. See
// docs/explanation/specification.md#what-happens-when-filtered-exports-are-requested-too-often
type Bucket struct {
	FullAt  time.Time `json:"full_at"`
	TakenAt time.Time `json:"taken_at,omitzero"`
}

// overlap is by how much a request may be behind another one that was first without a clock that was set back: requests overlap, and the
// clocks of several servers differ.
const overlap = time.Minute

// BucketOf is the name of the bucket from which exports of a kind take their tokens that are made with a key.
func BucketOf(kind, owner string) string { return kind + ":" + owner }

// Take takes a token from a bucket that holds burst tokens (at least 1) and gains one in every interval. Without a token it reports
// false, changes nothing and says how long the next one takes, always more than zero. After a clock was set back the bucket is full: what
// was taken lies in the future. An interval of zero or less limits nothing.
func (b *Bucket) Take(now time.Time, burst int, every time.Duration) (ok bool, retryAfter time.Duration) {
	if every <= 0 {
		return true, 0
	}
	burst = max(burst, 1)
	capacity := time.Duration(math.MaxInt64)
	if int64(burst) <= math.MaxInt64/int64(every) {
		capacity = time.Duration(burst) * every
	}
	taken := b.TakenAt
	if taken.IsZero() { // nobody noted it: not before this, or it would be full earlier
		taken = b.FullAt.Add(-capacity)
	}
	full, at := b.FullAt, now.UTC()
	switch behind := taken.Sub(now); {
	case behind > overlap:
		full = at
	case behind > 0:
		at = taken
	}
	// What is missing from a full bucket, as time: never more than all of it, however large the burst was before.
	missing := max(min(full.Sub(at), taken.Add(capacity).Sub(at)), 0)
	if missing > capacity-every {
		return false, missing - (capacity - every) + at.Sub(now)
	}
	b.FullAt, b.TakenAt = at.Add(missing+every), at
	return true, 0
}
