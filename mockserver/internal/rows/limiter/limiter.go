// Package limiter bounds how much work the processors do at a time.
package limiter

import (
	"fmt"
	"runtime/debug"
)

// Limiter is a semaphore for CPU work: files share the processors with everything
// else that runs on the machine.
type Limiter chan struct{}

// New lets a number of pieces of work run at a time.
func New(most int) Limiter { return make(Limiter, most) }

// Do runs work within the limit and returns when it is done.
//
// The work has a goroutine of its own, so the stack that it needs is freed while
// the caller waits for its client, and others run between two pieces of work.
func (l Limiter) Do(work func()) {
	l <- struct{}{}
	done := make(chan error, 1)
	go func() {
		defer func() {
			<-l
			if cause := recover(); cause != nil {
				done <- fmt.Errorf("%v\n%s", cause, debug.Stack())
			}
			close(done)
		}()
		work()
	}()
	if err := <-done; err != nil {
		panic(err) // in the goroutine of the caller, which may recover it
	}
}
