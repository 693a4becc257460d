package store

import (
	"context"
	"sync"
)

// turns lets callers share the answer to a question, and never one that was put
// before they asked: those who ask while a question is on its way wait for the
// next. The zero value is ready to use.
type turns[T any] struct {
	lock sync.Mutex
	next *turn[T]   // is not under way yet
	busy sync.Mutex // held while a question is on its way
}

type turn[T any] struct {
	done   chan struct{} // closed when answer and err are set
	answer T
	err    error
}

// take answers a question, or returns the error of the context. The question
// must not depend on the context: others may wait for it.
func (t *turns[T]) take(ctx context.Context, ask func() (T, error)) (T, error) {
	t.lock.Lock()
	mine := t.next
	first := mine == nil
	if first {
		mine = &turn[T]{done: make(chan struct{})}
		t.next = mine
	}
	t.lock.Unlock()
	if first {
		t.ask(mine, ask)
		return mine.answer, mine.err
	}
	select {
	case <-mine.done:
		return mine.answer, mine.err
	case <-ctx.Done():
		return mine.answer, ctx.Err()
	}
}

func (t *turns[T]) ask(mine *turn[T], ask func() (T, error)) {
	t.busy.Lock()
	defer t.busy.Unlock()
	t.lock.Lock()
	t.next = nil
	t.lock.Unlock()
	defer close(mine.done)
	mine.answer, mine.err = ask()
}
