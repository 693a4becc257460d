package bolt

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// queue lets requests that wait at the same time share a commit: the caller that gets the turn does all of them, in the order of
// their coming.
type queue struct {
	work func(group []*request)
	turn chan struct{} // full while one works

	lock     sync.Mutex
	requests []*request
	closed   bool
}

// request is work that waits. Who does it sets the error.
type request struct {
	apply apply
	err   error
	done  chan struct{}
}

func newQueue(work func(group []*request)) *queue {
	return &queue{work: work, turn: make(chan struct{}, 1)}
}

// do waits until a request is done. When it returns the error of the context, the request was withdrawn before it began.
func (q *queue) do(ctx context.Context, work apply) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &request{apply: work, done: make(chan struct{})}
	if !q.add(w) {
		return store.ErrClosed
	}
	select {
	case <-w.done:
	case q.turn <- struct{}{}:
		q.workOff()
		<-q.turn
		<-w.done // by this caller, or by one that took it before
	case <-ctx.Done():
		if q.withdraw(w) {
			return ctx.Err()
		}
		<-w.done // it is being done
	}
	if caught := new(panicked); errors.As(w.err, &caught) {
		panic(caught.value)
	}
	return w.err
}

// add queues a request, unless the queue is closed.
func (q *queue) add(w *request) bool {
	q.lock.Lock()
	defer q.lock.Unlock()
	if !q.closed {
		q.requests = append(q.requests, w)
	}
	return !q.closed
}

// withdraw takes a request out of the queue, and reports whether it was there.
func (q *queue) withdraw(w *request) bool {
	q.lock.Lock()
	defer q.lock.Unlock()
	at := slices.Index(q.requests, w)
	if at >= 0 {
		q.requests = slices.Delete(q.requests, at, at+1)
	}
	return at >= 0
}

// waiting returns the length of the queue, and whether no more can come.
func (q *queue) waiting() (count int, closed bool) {
	q.lock.Lock()
	defer q.lock.Unlock()
	return len(q.requests), q.closed
}

// close lets no more requests in, does those that wait, and takes the turn for good.
func (q *queue) close() {
	q.lock.Lock()
	q.closed = true
	q.lock.Unlock()
	q.turn <- struct{}{}
	q.workOff()
}

// workOff does the requests that wait. The turn is the caller's.
func (q *queue) workOff() {
	// The caller that was served last tends to run first and to come back alone. Let the others in as well.
	for before, count := -1, 0; count > before; count, _ = q.waiting() {
		before = count
		runtime.Gosched()
	}
	q.lock.Lock()
	group := q.requests
	q.requests = nil
	q.lock.Unlock()
	if len(group) > 0 {
		q.work(group)
	}
	for _, w := range group {
		close(w.done)
	}
}

// panicked is the error of a change that panicked, which is its caller's.
type panicked struct{ value any }

func (*panicked) Error() string { return "a change panicked" }

// called calls a change. Its panic is an error, with which [queue.do] panics.
func called(c store.Change, found map[string]string, number int64) (entries []store.Entry, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicked{value}
		}
	}()
	return c(found, number)
}
