package bolt

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"go.etcd.io/bbolt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// writer is the queue of writes. The caller that gets the turn commits all that wait, in the order of their coming.
type writer struct {
	turn chan struct{} // full while somebody has it

	lock   sync.Mutex
	queue  []*request
	closed bool

	broken error // of a commit that found the file damaged: nothing is written any more; guarded by the turn
}

// request is a write that waits for its commit.
type request struct {
	// apply does the work in a transaction that it shares with others. It reads and refuses first, and writes then: an
	// error other than a [fileError] leaves nothing behind. A panic spoils the transaction. It may be run again.
	apply func(tx *bbolt.Tx) error
	err   error
	done  chan struct{} // closed when err is set
}

// write waits until a write is committed. When it returns the error of the context, the write was withdrawn before it began.
func (s *Store) write(ctx context.Context, apply func(tx *bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &request{apply: apply, done: make(chan struct{})}
	if !s.writer.add(r) {
		return store.ErrClosed
	}
	for waiting := true; waiting; {
		select {
		case <-r.done:
			waiting = false
		case s.writer.turn <- struct{}{}:
			s.commitWaiting()
			<-s.writer.turn
		case <-ctx.Done():
			if s.writer.withdraw(r) {
				return ctx.Err()
			}
			<-r.done // it is being written: that takes no time to speak of
			waiting = false
		}
	}
	if caught := new(panicked); errors.As(r.err, &caught) {
		panic(caught.value)
	}
	return s.explain(r.err)
}

// add queues a request, unless the store is closed.
func (w *writer) add(r *request) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	if !w.closed {
		w.queue = append(w.queue, r)
	}
	return !w.closed
}

// withdraw takes a request out of the queue, and reports whether it was there.
func (w *writer) withdraw(r *request) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	at := slices.Index(w.queue, r)
	if at >= 0 {
		w.queue = slices.Delete(w.queue, at, at+1)
	}
	return at >= 0
}

// waiting returns the length of the queue, and whether no more can come.
func (w *writer) waiting() (count int, closed bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	return len(w.queue), w.closed
}

// take empties the queue.
func (w *writer) take() []*request {
	w.lock.Lock()
	defer w.lock.Unlock()
	group := w.queue
	w.queue = nil
	return group
}

// close lets no more requests in and takes the turn for good.
func (w *writer) close() {
	w.lock.Lock()
	w.closed = true
	w.lock.Unlock()
	w.turn <- struct{}{}
}

// commitWaiting commits the requests that wait. The turn is the caller's.
func (s *Store) commitWaiting() {
	// The caller that was served last tends to run first and to come back alone. Let the others in as well.
	for before, count := -1, 0; count > before; count, _ = s.writer.waiting() {
		before = count
		runtime.Gosched()
	}
	group := s.writer.take()
	s.commit(group)
	for _, r := range group {
		close(r.done)
	}
}

// commit writes a group with one commit. When that fails for a reason that is no single request's own, each request is
// tried again alone: what can be written is written, and every request gets its own error.
func (s *Store) commit(group []*request) {
	if len(group) == 0 {
		return
	}
	err := cmp.Or(s.writer.broken, s.syncs.failed())
	if err == nil {
		err = s.transaction(group)
	}
	switch {
	case err == nil:
	case len(group) == 1:
		group[0].err = err
	default:
		for _, r := range group {
			s.commit([]*request{r})
		}
	}
}

// transaction applies a group and commits. An error of one request is left with it; the error returned is that of the whole.
func (s *Store) transaction(group []*request) error {
	err := guarded(func() error {
		tx, err := s.db.Begin(true)
		if err != nil {
			return fileError{err}
		}
		defer func() { _ = tx.Rollback() }() // unless it is over
		for _, r := range group {
			if r.err = r.apply(tx); errors.As(r.err, new(fileError)) {
				return r.err
			}
		}
		if err := s.isThere(); err != nil {
			return err
		}
		return fileErrorOf(tx.Commit())
	})
	if errors.As(err, new(damageError)) {
		s.writer.broken = err
	} else if err == nil {
		s.syncs.soon(s.file)
	}
	return err
}

// panicked is the error of a callback that panicked, which is its caller's.
type panicked struct{ value any }

func (*panicked) Error() string { return "a callback panicked" }

// calling calls a callback.
func calling(callback func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicked{value}
		}
	}()
	return callback()
}
