package store

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
)

// Queue lets an engine do at once the requests that wait at the same time: the caller that gets a turn does all of them, in the
// order of their coming.
type Queue[R any] struct {
	work func(group []*Waiting[R])
	turn chan struct{} // full while as many work as may

	lock   sync.Mutex
	queue  []*Waiting[R]
	closed bool
}

// Waiting is a request that waits. The work sets its error.
type Waiting[R any] struct {
	Request R
	Err     error
	done    chan struct{}
}

// NewQueue returns an empty queue with the work that at most so many callers do at once.
func NewQueue[R any](atOnce int, work func(group []*Waiting[R])) *Queue[R] {
	return &Queue[R]{work: work, turn: make(chan struct{}, atOnce)}
}

// Do waits until a request is done. When it returns the error of the context, the request was withdrawn before it began.
func (q *Queue[R]) Do(ctx context.Context, request R) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &Waiting[R]{Request: request, done: make(chan struct{})}
	if !q.add(w) {
		return ErrClosed
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
	if caught := new(panicked); errors.As(w.Err, &caught) {
		panic(caught.value)
	}
	return w.Err
}

// add queues a request, unless the queue is closed.
func (q *Queue[R]) add(w *Waiting[R]) bool {
	q.lock.Lock()
	defer q.lock.Unlock()
	if !q.closed {
		q.queue = append(q.queue, w)
	}
	return !q.closed
}

// withdraw takes a request out of the queue, and reports whether it was there.
func (q *Queue[R]) withdraw(w *Waiting[R]) bool {
	q.lock.Lock()
	defer q.lock.Unlock()
	at := slices.Index(q.queue, w)
	if at >= 0 {
		q.queue = slices.Delete(q.queue, at, at+1)
	}
	return at >= 0
}

// Waiting returns the length of the queue, and whether no more can come.
func (q *Queue[R]) Waiting() (count int, closed bool) {
	q.lock.Lock()
	defer q.lock.Unlock()
	return len(q.queue), q.closed
}

// Close lets no more requests in, does those that wait, and takes the turns for good.
func (q *Queue[R]) Close() {
	q.lock.Lock()
	q.closed = true
	q.lock.Unlock()
	for range cap(q.turn) {
		q.turn <- struct{}{}
	}
	q.workOff()
}

// workOff does the requests that wait. The turn is the caller's.
func (q *Queue[R]) workOff() {
	// The caller that was served last tends to run first and to come back alone. Let the others in as well.
	for before, count := -1, 0; count > before; count, _ = q.Waiting() {
		before = count
		runtime.Gosched()
	}
	q.lock.Lock()
	group := q.queue
	q.queue = nil
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

// Call calls a change. Its panic is an error, with which [Queue.Do] panics.
func (c Change) Call(found map[string]string, number int64) (entries []Entry, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicked{value}
		}
	}()
	return c(found, number)
}
