package store

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
)

// A caller gets an answer to a question that was put after it asked, and those
// who ask while one is on its way share the next.
func TestCoalescer(t *testing.T) {
	const callers = 20
	var shared coalescer[int]
	asked := 0
	entered, leave := make(chan struct{}), make(chan struct{})
	ask := func() (int, error) {
		asked++
		if asked == 1 {
			close(entered)
			<-leave
		}
		return asked, errors.New("mine")
	}
	var group sync.WaitGroup
	answers := make([]int, callers+1)
	take := func(i int) {
		var err error
		if answers[i], err = shared.do(context.Background(), ask); err == nil || err.Error() != "mine" {
			t.Errorf("the error is %v", err)
		}
	}
	group.Go(func() { take(callers) })
	<-entered
	var begun sync.WaitGroup
	begun.Add(callers)
	for i := range callers {
		group.Go(func() {
			begun.Done()
			take(i)
		})
	}
	begun.Wait()
	for next := false; !next; runtime.Gosched() {
		shared.lock.Lock()
		next = shared.next != nil
		shared.lock.Unlock()
	}
	gone, leaving := context.WithCancel(context.Background())
	leaving()
	if _, err := shared.do(gone, ask); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that has gone away: %v", err)
	}
	close(leave)
	group.Wait()
	if answers[callers] != 1 {
		t.Errorf("the first caller got answer %d", answers[callers])
	}
	for i, answer := range answers[:callers] {
		if answer < 2 {
			t.Errorf("caller %d got answer %d, which was asked for before it", i, answer)
		}
	}
	if asked > 1+callers {
		t.Errorf("%d questions for %d callers", asked, callers+1)
	}
}
