package files

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
)

const (
	// mostWriting is how many files are written at a time; others wait.
	mostWriting = 4
	// mostEntries is how many files are known, and mostParts how many parts they may have in all: lists and lookups need no more.
	mostEntries = 4096
	mostParts   = 1 << 16
	// mostOnDisk is how many files are open on the disk.
	mostOnDisk = 256
)

// shelf is where files lie.
type shelf struct {
	lock    sync.Mutex
	entries map[string]*list.Element // of *entry, by the identifier of the export
	order   *list.List               // the entry used last first
	used    usage
	work    work
	next    expected
}

// usage is what the entries take.
type usage struct {
	memory       int64
	limit        *budget.Budget // of memory
	onDisk, part int
}

// work are the files that are being written.
type work struct {
	files   map[*writing]bool
	places  chan struct{} // one for each
	stopped bool
}

// entry is what is known of a file.
type entry struct {
	id, owner string
	parts     []rows.Part
	content   *content // nil: it is being written, or was evicted
	writing   *writing // nil: it is not
	failure   error    // it cannot be written
	slow      bool     // it took more than a moment
	late      bool     // a lookup was told that it is not there yet
}

// writing is the work on a file.
type writing struct {
	ready  chan struct{} // closed when the rest is set
	parts  []rows.Part
	stored *content
	err    error

	waiting int // requests; guarded by the lock
	cancel  context.CancelFunc
	dropped bool // nobody shall find it
}

func (s *shelf) open(budgets *budget.Set) {
	s.entries, s.order = map[string]*list.Element{}, list.New()
	s.work = work{files: map[*writing]bool{}, places: make(chan struct{}, mostWriting)}
	s.used.limit = budgets.Of(budget.Kept)
}

// Account lets the budgets see what these files take, in the place of others.
func (f *Files) Account() {
	f.used.limit.Measure(func() int64 {
		f.lock.Lock()
		defer f.lock.Unlock()
		return f.used.memory
	})
	f.budgets.Of(budget.Disk).Reclaim(f.reclaim)
}

// entry is that of an export, which is used now; nil: there is none. The lock is held.
func (s *shelf) entry(id string) *entry {
	element, known := s.entries[id]
	if !known {
		return nil
	}
	s.order.MoveToFront(element)
	return element.Value.(*entry)
}

// Parts lists the parts of the file of an export. Unless they are known, it waits until the file is written, which goes on when the
// context ends: others may wait for it too, and a client that ran out of patience asks again.
func (f *Files) Parts(ctx context.Context, record *exports.Record) ([]rows.Part, error) {
	f.lock.Lock()
	if e := f.entry(record.ID); e != nil && e.parts != nil {
		defer f.lock.Unlock()
		return e.parts, nil
	}
	w, err := f.begin(ctx, record)
	if err != nil {
		return nil, err
	}
	defer f.leave(w)
	if err := f.wait(ctx, w); err != nil {
		return nil, err
	}
	return w.parts, nil
}

// Sizes are those of the parts of a file, which the record may know.
func (f *Files) Sizes(ctx context.Context, record *exports.Record) ([]int64, error) {
	if record.Written != nil {
		return record.Written, nil
	}
	parts, err := f.Parts(ctx, record)
	sizes := make([]int64, len(parts))
	for i, part := range parts {
		sizes[i] = part.Size
	}
	return sizes, err
}

// Read opens a part of the file of an export, from 1, after Parts.
func (f *Files) Read(ctx context.Context, record *exports.Record, part int) (io.ReadSeekCloser, error) {
	for {
		f.lock.Lock()
		if e := f.entry(record.ID); e != nil && e.content != nil {
			defer f.lock.Unlock()
			return e.content.read(e.parts, part)
		}
		w, err := f.begin(ctx, record)
		if err != nil {
			return nil, err
		}
		err = f.wait(ctx, w)
		f.lock.Lock()
		evicted := err == nil && w.stored.closed // to make room, in between
		var opened io.ReadSeekCloser
		if err == nil && !evicted {
			opened, err = w.stored.read(w.parts, part)
		}
		f.lock.Unlock()
		f.leave(w)
		if !evicted {
			return opened, err
		}
	}
}

// Later is Read when the first byte is asked for: an answer without a body needs no file that was evicted.
func (f *Files) Later(ctx context.Context, record *exports.Record, part rows.Part) io.ReadSeekCloser {
	return &later{size: part.Size, read: func() (io.ReadSeekCloser, error) { return f.Read(ctx, record, part.Number) }}
}

// begin writes a file, if nobody does yet, for one request more. The lock is held, and let go of.
func (f *Files) begin(ctx context.Context, record *exports.Record) (*writing, error) {
	defer f.lock.Unlock()
	e := f.entry(record.ID)
	if e == nil {
		e = &entry{id: record.ID, owner: record.Owner}
		f.entries[e.id] = f.order.PushFront(e)
		f.evict()
	}
	switch {
	case e.failure != nil:
		return nil, e.failure
	case e.writing != nil:
	case ctx.Err() != nil || f.work.stopped:
		return nil, context.Canceled
	default:
		work, cancel := context.WithCancel(context.WithoutCancel(ctx))
		e.writing = &writing{ready: make(chan struct{}), cancel: cancel}
		f.work.files[e.writing] = true
		go f.run(work, e, e.writing, record)
	}
	e.writing.waiting++
	return e.writing, nil
}

// wait returns when a file is written.
func (f *Files) wait(ctx context.Context, w *writing) error {
	select {
	case <-w.ready:
		return w.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// leave says that a request waits no longer.
func (f *Files) leave(w *writing) {
	f.lock.Lock()
	defer f.lock.Unlock()
	w.waiting--
	f.clear(w)
}

// clear ends work that nobody shall find and nobody waits for. The lock is held.
func (s *shelf) clear(w *writing) {
	if !w.dropped || w.waiting > 0 {
		return
	}
	w.cancel()
	select {
	case <-w.ready:
		w.stored.close()
	default:
	}
}

// run writes a file. A panic is the error of this file and not the end of the program: no handler stands above this goroutine.
func (f *Files) run(ctx context.Context, e *entry, w *writing, record *exports.Record) {
	defer w.cancel()
	made := &content{small: min(smallFile, f.used.limit.Limit()/2), directory: f.directory(), room: f.budgets.Of(budget.Disk)}
	err := fmt.Errorf("writing a file ended without a result")
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
		if err != nil {
			err = f.explained(ctx, e.id, err)
			made.close()
			made = nil
		}
		f.end(e, w, made, err)
	}()
	select {
	case f.work.places <- struct{}{}:
		defer func() { <-f.work.places }()
	case <-ctx.Done():
		err = context.Cause(ctx)
		return
	}
	limited, cancel := f.budgets.Deadline(ctx)
	defer cancel()
	defer time.AfterFunc(moment, func() {
		f.lock.Lock()
		defer f.lock.Unlock()
		e.slow = true
	}).Stop()
	w.parts, err = f.write(limited, record, made)
}

// end puts a file on the shelf.
func (f *Files) end(e *entry, w *writing, made *content, err error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	delete(f.work.files, w)
	w.stored, w.err = made, err
	close(w.ready)
	if w.dropped {
		f.clear(w)
		return
	}
	e.writing = nil
	if err != nil {
		if broken := new(brokenError); errors.As(err, &broken) {
			e.failure = broken
		}
		return
	}
	if e.parts == nil {
		f.used.part += len(w.parts)
	}
	e.parts, e.content = w.parts, made
	f.used.memory += made.inMemory()
	f.used.onDisk += made.onDisk()
	f.evict()
}

// evict drops files, those whose use is longest ago first, until the rest is within its bounds. The lock is held.
func (s *shelf) evict() {
	for element := s.order.Back(); element != nil && (s.used.memory > s.used.limit.Limit() || s.used.onDisk > mostOnDisk); {
		e, next := element.Value.(*entry), element.Prev()
		if s.used.onDisk > mostOnDisk && e.content.onDisk() > 0 || s.used.memory > s.used.limit.Limit() && e.content.inMemory() > 0 {
			s.drop(e)
		}
		element = next
	}
	for element := s.order.Back(); element != s.order.Front() && (s.order.Len() > mostEntries || s.used.part > mostParts); {
		e, next := element.Value.(*entry), element.Prev()
		if e.writing == nil {
			s.forget(e)
		}
		element = next
	}
}

// reclaim gives room on the disk back, about so many bytes, and reports whether it gave any.
func (s *shelf) reclaim(bytes int64) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	given := int64(0)
	for element := s.order.Back(); element != nil && given < bytes; element = element.Prev() {
		if e := element.Value.(*entry); e.content.onDisk() > 0 && !e.content.file.IsRead() { // which would give nothing yet
			given += e.content.file.Size()
			s.drop(e)
		}
	}
	return given > 0
}

// drop drops the bytes of a file, whose parts are remembered. The lock is held.
func (s *shelf) drop(e *entry) {
	s.used.memory -= e.content.inMemory()
	s.used.onDisk -= e.content.onDisk()
	e.content.close()
	e.content = nil
}

// forget drops a file and all that is known of it. Whoever waits for it gets it. The lock is held.
func (s *shelf) forget(e *entry) {
	s.drop(e)
	s.used.part -= len(e.parts)
	s.order.Remove(s.entries[e.id])
	delete(s.entries, e.id)
	if e.writing != nil {
		e.writing.dropped = true
		s.clear(e.writing)
	}
}

// Forget deletes the file of an export.
func (s *shelf) Forget(id string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.next.forget(func(r *exports.Record) bool { return r.ID == id })
	if element, known := s.entries[id]; known {
		s.forget(element.Value.(*entry))
	}
}

// ForgetOwned deletes the files of an owner.
func (s *shelf) ForgetOwned(owner string) {
	s.forgetThose(func(of string) bool { return of == owner })
}

// ForgetAll deletes all files: the exports were replaced.
func (s *shelf) ForgetAll() { s.forgetThose(func(string) bool { return true }) }

func (s *shelf) forgetThose(are func(owner string) bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.next.forget(func(r *exports.Record) bool { return are(r.Owner) })
	for element := s.order.Front(); element != nil; {
		e, next := element.Value.(*entry), element.Next()
		if are(e.owner) {
			s.forget(e)
		}
		element = next
	}
}

// failure is why the file of an export cannot be written; nil: it can, or was not tried.
func (s *shelf) failure(id string) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if element, known := s.entries[id]; known {
		return element.Value.(*entry).failure
	}
	return nil
}

// tellPending remembers that a lookup was told that a file is not there yet.
func (s *shelf) tellPending(id string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if element, known := s.entries[id]; known {
		element.Value.(*entry).late = true
	}
}

// isAwaited reports whether a file that takes more than a moment is not there yet.
func (s *shelf) isAwaited(id string) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	element, known := s.entries[id]
	if !known {
		return false
	}
	e := element.Value.(*entry)
	return (e.slow || e.late) && e.parts == nil
}

// Took is what the record of an export should remember of its file: the sizes of its parts,
// nil as long as it is not there, and whether somebody was told that it is late.
func (s *shelf) Took(id string) (sizes []int64, late bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	element, known := s.entries[id]
	if !known {
		return nil, false
	}
	e := element.Value.(*entry)
	for _, part := range e.parts {
		sizes = append(sizes, part.Size)
	}
	return sizes, e.late
}
