package postgres

import (
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// slots is how many counts of changes there are, see migrations/0004_changes.sql.
const slots = 64

// recent are the records that were written or read last, each with the count of
// its slot when it was like that. The database counts what anybody changes; a
// record is what the database has as long as the count is known to be no other.
type recent struct {
	lock    sync.RWMutex
	records store.Latest[kept]
	known   [slots]int64 // the counts, when they were asked for last
	// cleared counts how often all were forgotten: what was read before is not put in.
	cleared uint64
}

// kept is a record as the database has it, decoded when it is first asked for.
type kept struct {
	at     counted
	decode func() (*exports.Record, error)
}

// counted is the count of a slot.
type counted struct {
	slot    int
	changes int64
}

func newKept(encoded []byte, at counted) kept {
	return kept{at, sync.OnceValues(func() (*exports.Record, error) { return store.DecodeRecord(encoded) })}
}

// get is a record that nobody has changed, as far as is known.
func (r *recent) get(id string) (found kept, valid bool) {
	r.lock.RLock()
	defer r.lock.RUnlock()
	found, there := r.records.Get(id)
	return found, there && found.at.changes >= r.known[found.at.slot]
}

// now is what put needs to know of the moment.
func (r *recent) now() uint64 {
	r.lock.RLock()
	defer r.lock.RUnlock()
	return r.cleared
}

// put keeps a record that was read or written since all were forgotten this often. An
// older one does not take the place of a newer.
func (r *recent) put(id string, encoded []byte, at counted, cleared uint64) {
	if len(encoded) > store.LargestLatest || at.slot < 0 || at.slot >= slots {
		return
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	if before, there := r.records.Get(id); r.cleared == cleared && (!there || before.at.changes <= at.changes) {
		r.records.Put(id, newKept(encoded, at))
	}
}

// wrote keeps a record that was changed: what was read before is not valid any more.
func (r *recent) wrote(id string, encoded []byte, at counted, cleared uint64) {
	r.put(id, encoded, at, cleared)
	r.lock.Lock()
	defer r.lock.Unlock()
	if at.slot >= 0 && at.slot < slots {
		r.known[at.slot] = max(r.known[at.slot], at.changes)
	}
}

// asking is what learn needs to know of the moment before the database is asked.
func (r *recent) asking() [slots]int64 {
	r.lock.RLock()
	defer r.lock.RUnlock()
	return r.known
}

// learn notes the counts as the database has them. One that was known to be higher before
// it was asked is of an older database, restored in its place: nothing kept is of that one.
func (r *recent) learn(changes []int64, before [slots]int64) {
	r.lock.Lock()
	defer r.lock.Unlock()
	older := false
	for slot, count := range changes[:min(len(changes), slots)] {
		if count < before[slot] {
			older, r.known[slot] = true, count
		} else {
			r.known[slot] = max(r.known[slot], count)
		}
	}
	if older {
		r.forget()
	}
}

// clear forgets all records.
func (r *recent) clear() {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.forget()
}

// forget forgets all records. The lock is held.
func (r *recent) forget() {
	r.records.Clear()
	r.cleared++
}
