// Package limiter bounds how much work the processors do at a time.
package limiter

import (
	"fmt"
	"runtime/debug"
)

// Limiter is a semaphore for CPU work: files share the processors with everything
// else that runs on the machine.
type Limiter struct {
	slots chan struct{}
	spare chan struct{} // for work that nobody waits for yet
}

// New lets a number of pieces of work run at a time, and one more ahead of its time.
func New(most int) *Limiter {
	return &Limiter{slots: make(chan struct{}, most), spare: make(chan struct{}, 1)}
}

// Running is how many pieces of work run now.
func (l *Limiter) Running() int { return len(l.slots) + len(l.spare) }

// Do runs work within the limit and returns when it is done.
//
// The work has a goroutine of its own, so the stack that it needs is freed while
// the caller waits for its client, and others run between two pieces of work.
func (l *Limiter) Do(work func()) {
	l.slots <- struct{}{}
	run(l.slots, work)
}

// DoAhead runs work that nobody waits for yet, as Do does. It may take the processor that
// is kept for other requests: nobody has many pieces of such work, and the system shares
// the processors out.
func (l *Limiter) DoAhead(work func()) {
	select {
	case l.slots <- struct{}{}:
		run(l.slots, work)
	case l.spare <- struct{}{}:
		run(l.spare, work)
	}
}

func run(slots chan struct{}, work func()) {
	done := make(chan error, 1)
	go func() {
		defer func() {
			<-slots
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
