package sqlite

import (
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// recent are the records that were written or read last. Nobody else writes the file, and all writes go through
// one goroutine, which takes what a transaction changes out before it commits, and puts it in afterwards: a record
// that is found here is the one that a read of the file would find.
type recent struct {
	lock    sync.RWMutex
	records store.Latest[*kept] // nil for one that is being changed
	// committing tells that the file may or may not have been changed, and commits counts when it was: what was
	// read from it meanwhile is not put in.
	committing bool
	commits    uint64
}

// kept is a record as the file has it, decoded when it is first asked for.
type kept struct {
	encoded string
	once    sync.Once
	record  *exports.Record
	err     error
}

// decode is the record. It must not be changed.
func (k *kept) decode() (*exports.Record, error) {
	k.once.Do(func() {
		k.record, k.err = store.DecodeRecord([]byte(k.encoded))
		k.encoded = ""
	})
	return k.record, k.err
}

// changes are what a transaction does to records.
type changes struct {
	ids     []string
	encoded []string // as they are afterwards
	all     bool     // any record may be another one, or gone
}

func (c *changes) note(id, encoded string) {
	c.ids, c.encoded = append(c.ids, id), append(c.encoded, encoded)
}

func (c *changes) reset() {
	clear(c.encoded)
	c.ids, c.encoded, c.all = c.ids[:0], c.encoded[:0], false
}

// get is a record, or nil and what put needs to know of the moment.
func (r *recent) get(id string) (found *kept, commits uint64) {
	r.lock.RLock()
	defer r.lock.RUnlock()
	found, _ = r.records.Get(id)
	return found, r.commits
}

// put keeps a record that was read since there had been this many commits.
func (r *recent) put(id string, read *kept, commits uint64) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if !r.committing && r.commits == commits {
		r.records.Put(id, read)
	}
}

// begin takes out what a transaction changes, before it commits.
func (r *recent) begin(c *changes) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.committing = true
	if c.all {
		r.records.Clear()
	}
	for _, id := range c.ids {
		if found, _ := r.records.Get(id); found != nil {
			r.records.Put(id, nil)
		}
	}
}

// end puts in what was committed.
func (r *recent) end(c *changes, committed bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.committing = false
	r.commits++
	if !committed || c.all {
		return
	}
	for i, id := range c.ids {
		if len(c.encoded[i]) <= store.LargestLatest {
			r.records.Put(id, &kept{encoded: c.encoded[i]})
		}
	}
}
