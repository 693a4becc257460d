package rows

import (
	"fmt"
	"runtime/debug"
)

// limiter is a semaphore for CPU work: files share the processors with everything
// else that runs on the machine.
type limiter chan struct{}

// newLimiter lets a number of pieces of work run at a time.
func newLimiter(most int) limiter { return make(limiter, most) }

// do runs work within the limit and returns when it is done.
//
// The work has a goroutine of its own, so the stack that it needs is freed while
// the caller waits for its client, and others run between two pieces of work.
func (l limiter) do(work func()) {
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
