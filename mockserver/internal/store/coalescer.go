package store

import (
	"context"
	"sync"
)

// coalescer lets callers share the answer to a question, and never one that was
// put before they asked: those who ask while a question is on its way wait for
// the next. (That is the difference to singleflight, which hands them the answer
// to the question on its way.) The zero value is ready to use.
type coalescer[T any] struct {
	lock sync.Mutex
	next *question[T] // is not on its way yet
	busy sync.Mutex   // held while a question is on its way
}

type question[T any] struct {
	done   chan struct{} // closed when answer and err are set
	answer T
	err    error
}

// do answers a question, or returns the error of the context. The question must
// not depend on the context: others may wait for it.
func (c *coalescer[T]) do(ctx context.Context, ask func() (T, error)) (T, error) {
	c.lock.Lock()
	mine := c.next
	first := mine == nil
	if first {
		mine = &question[T]{done: make(chan struct{})}
		c.next = mine
	}
	c.lock.Unlock()
	if first {
		c.ask(mine, ask)
		return mine.answer, mine.err
	}
	select {
	case <-mine.done:
		return mine.answer, mine.err
	case <-ctx.Done():
		return mine.answer, ctx.Err()
	}
}

func (c *coalescer[T]) ask(mine *question[T], ask func() (T, error)) {
	c.busy.Lock()
	defer c.busy.Unlock()
	c.lock.Lock()
	c.next = nil
	c.lock.Unlock()
	defer close(mine.done)
	mine.answer, mine.err = ask()
}
