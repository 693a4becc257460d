// Package inorder has pieces of work done by several goroutines, and takes what comes of
// them in their order.
package inorder

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Do runs work for the pieces from 0 up to, not including, count, and gives what comes of
// them to take, in their order, until it returns false. work is called by several
// goroutines at once, take by one at a time. A panic is an error: nobody stands above
// these goroutines. What work returns after the context has ended is not taken.
func Do[T any](ctx context.Context, workers int, count int64, work func(piece int64) T, take func(T) bool) error {
	q := &queue[T]{done: map[int64]T{}, count: count, take: take}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			defer func() {
				if cause := recover(); cause != nil {
					q.fail(fmt.Errorf("panicked: %v\n%s", cause, debug.Stack()))
				}
			}()
			for {
				piece, is := q.next()
				if !is || ctx.Err() != nil {
					return
				}
				result := work(piece)
				if ctx.Err() != nil {
					return
				}
				q.put(piece, result)
			}
		})
	}
	group.Wait()
	if q.err != nil {
		return q.err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// queue is what the goroutines share.
type queue[T any] struct {
	lock  sync.Mutex
	begun int64       // how many pieces
	taken int64       // how many
	done  map[int64]T // those that wait for their turn
	count int64       // how many pieces there are; fewer at the end
	take  func(T) bool
	err   error
}

func (q *queue[T]) next() (piece int64, is bool) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.begun >= q.count {
		return 0, false
	}
	q.begun++
	return q.begun - 1, true
}

func (q *queue[T]) put(piece int64, result T) {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.done[piece] = result
	for q.taken < q.count {
		result, there := q.done[q.taken]
		if !there {
			return
		}
		delete(q.done, q.taken)
		if q.taken++; !q.take(result) {
			q.count = 0
		}
	}
}

func (q *queue[T]) fail(err error) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.count = 0; q.err == nil {
		q.err = err
	}
}
