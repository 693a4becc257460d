package exports

import (
	"math"
	"time"
)

// Bucket is a token bucket: it holds up to a burst of tokens, gains one in
// every interval, and a request takes one (export API section 8). The zero
// value is full. It is kept as the single instant at which it is full again,
// so it needs no upkeep between requests.
// See docs/explanation/specification.md#what-happens-when-filtered-exports-are-requested-too-often
type Bucket struct {
	FullAt time.Time `json:"full_at"`
}

// BucketOf is the name of the bucket from which exports of a kind take their
// tokens that are made with a key.
func BucketOf(kind, owner string) string { return kind + ":" + owner }

// Take takes a token from a bucket that holds burst tokens (at least 1) and
// gains one in every interval. Without a token it reports false, changes
// nothing and says how long the next one takes, always more than zero. A clock
// that was set back leaves the bucket empty at worst. An interval of zero or
// less limits nothing.
func (b *Bucket) Take(now time.Time, burst int, every time.Duration) (ok bool, retryAfter time.Duration) {
	if every <= 0 {
		return true, 0
	}
	burst = max(burst, 1)
	capacity := time.Duration(math.MaxInt64)
	if int64(burst) <= math.MaxInt64/int64(every) {
		capacity = time.Duration(burst) * every
	}
	// What is missing from a full bucket, as time: never more than all of it,
	// so that a clock set back leaves the bucket empty and no worse.
	missing := min(max(b.FullAt.Sub(now), 0), capacity)
	if missing > capacity-every {
		return false, missing - (capacity - every)
	}
	b.FullAt = now.UTC().Add(missing + every)
	return true, 0
}
