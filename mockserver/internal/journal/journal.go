package journal

import (
	"sync"
	"unsafe"
)

// DefaultSize is how many requests a journal holds unless told otherwise.
const DefaultSize = 10_000

// batch is how many entries are copied under one lock.
const batch = 256

// Journal holds the last requests. It is safe for concurrent use.
//
// What it holds is bounded by the number of entries and by the lengths that their texts are shortened to: about a kilobyte each usually,
// ten at the very most. See docs/how-to/lint-a-client.md#why-is-the-journal-not-stored
type Journal struct {
	size  uint64
	bytes int64 // what the entries may take

	mutex   sync.Mutex
	ring    []Entry // the entry with sequence n is at (n-1) % size; a cleared one is zero
	last    uint64  // the sequence given last
	first   uint64  // the sequence from which on entries are held
	held    int64   // what they take, in bytes
	dropped uint64  // how many were overwritten since the last clear
	cleared uint64  // how often entries were cleared
	changed chan struct{}
}

// New returns an empty journal for a number of entries, 0 means [DefaultSize], that
// take at most a number of bytes. Memory is taken as entries come.
func New(size int, bytes int64) *Journal {
	if size <= 0 {
		size = DefaultSize
	}
	const each = int64(unsafe.Sizeof(Entry{}))
	return &Journal{size: uint64(max(min(int64(size), bytes/each), 1)), bytes: bytes, first: 1}
}

// Size is how many entries the journal holds at most.
func (j *Journal) Size() int { return int(j.size) }

// Record adds a copy of an entry, gives it the next sequence, and returns that. The oldest entry makes room if need be. What entry points
// to must not be changed afterwards.
func (j *Journal) Record(entry *Entry) uint64 {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.last++
	entry.Sequence = j.last
	at := (j.last - 1) % j.size
	if at == uint64(len(j.ring)) {
		j.ring = append(j.ring, Entry{})
	}
	place := &j.ring[at]
	j.drop(place)
	*place = *entry
	for j.held += entry.bytes(); j.held > j.bytes && j.first < j.last; j.first++ {
		j.drop(&j.ring[(j.first-1)%j.size])
	}
	j.first = max(j.first, j.last-min(j.last, j.size)+1)
	j.wake()
	return j.last
}

// drop makes room for another entry. The caller holds the lock.
func (j *Journal) drop(place *Entry) {
	if place.Sequence != 0 {
		j.dropped++
		j.held -= place.bytes()
		*place = Entry{}
	}
}

// Bytes is about how much memory the entries take.
func (j *Journal) Bytes() int64 {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.held
}

// End says how a download ended that was recorded as open.
func (j *Journal) End(sequence uint64, bytes int64, seconds float64, broken bool) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	place := &j.ring[(sequence-1)%j.size]
	if place.Sequence != sequence {
		return // cleared or overwritten meanwhile
	}
	place.Open, place.Broken, place.ResponseBytes, place.Duration = false, broken, bytes, seconds
}

// Clear forgets the entries that the filter chooses and returns how many there were. Sequences go on.
func (j *Journal) Clear(filter Filter) int {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	count := 0
	for i := range j.ring {
		if place := &j.ring[i]; place.Sequence != 0 && filter.chooses(place) {
			j.held -= place.bytes()
			*place = Entry{}
			count++
		}
	}
	if filter == (Filter{}) {
		j.dropped = 0
	}
	j.cleared++
	j.wake()
	return count
}

// Last is the sequence of the newest entry there ever was.
func (j *Journal) Last() uint64 {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.last
}

// Dropped is how many entries were overwritten since everything was cleared.
func (j *Journal) Dropped() uint64 {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.dropped
}

// wake tells those who wait that something changed. The caller holds the lock.
func (j *Journal) wake() {
	if j.changed != nil {
		close(j.changed)
		j.changed = nil
	}
}

// view is the state of a journal at the moment of a look.
type view struct {
	last    uint64
	cleared uint64
	changed <-chan struct{} // closed at the next change
}

// look returns what the journal is like now, and the channel that says when it is not any more.
func (j *Journal) look() view {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.changed == nil {
		j.changed = make(chan struct{})
	}
	return view{last: j.last, cleared: j.cleared, changed: j.changed}
}

// copyAfter copies entries with a sequence above the given one into a buffer, at most as many as it holds, and says with which sequence
// to go on. More tells whether there may be others.
func (j *Journal) copyAfter(sequence uint64, buffer []Entry) (copied []Entry, next uint64, more bool) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.last > j.size {
		sequence = max(sequence, j.last-j.size)
	}
	copied = buffer[:0]
	for sequence < j.last && len(copied) < cap(buffer) {
		sequence++
		if entry := &j.ring[(sequence-1)%j.size]; entry.Sequence == sequence {
			copied = append(copied, *entry)
		}
	}
	return copied, sequence, sequence < j.last
}

// each calls visit with every entry after a sequence that the filter chooses, oldest first, until it returns false, and returns the
// sequence it came to. The lock is not held meanwhile.
func (j *Journal) each(after uint64, filter Filter, visit func(*Entry) bool) uint64 {
	after = max(after, filter.Since)
	buffer := make([]Entry, 0, batch)
	for more := true; more; {
		var entries []Entry
		entries, after, more = j.copyAfter(after, buffer)
		for i := range entries {
			if filter.chooses(&entries[i]) && !visit(&entries[i]) {
				return entries[i].Sequence
			}
		}
	}
	return after
}
