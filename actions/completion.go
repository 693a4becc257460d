package actions

import "sync"

// Completion is how a handler finishes later than it returns: it returns a *Completion as its value, and the action ends when
// somebody calls Succeed or Fail. The zero value is ready to use; use a new one for every invocation.
//
//	func(inv actions.Invocation) (any, error) {
//		later := new(actions.Completion)
//		go func() { later.Succeed(compute()) }()
//		return later, nil
//	}
//
// The first call of Succeed, Fail or [Task.Cancel] counts, the others do nothing; they may come from any goroutine and also before the
// handler has returned. The caller that waits for the action goes on in the goroutine of that call. Nothing here has a time limit:
// callers that want one cancel. See docs/decisions/actions.md#why-does-a-handler-return-a-completion-to-finish-later
type Completion struct {
	mutex     sync.Mutex
	done      bool
	result    Result
	observers []func(Result)
	cancelers []func()
	closed    chan struct{}
	// interrupt, when set, replaces what Cancel does: a group must stop its current item first.
	interrupt func()
}

// Succeed ends the action as performed, with a value or nil. It reports whether this was the first ending.
func (c *Completion) Succeed(value any) bool {
	return c.settle(Result{Status: StatusPerformed, Value: value})
}

// Fail ends the action as failed. It reports whether this was the first ending.
func (c *Completion) Fail(err error) bool { return c.settle(failedBy(err)) }

// Canceled reports whether the action was canceled before it had finished.
func (c *Completion) Canceled() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.done && c.result.Status == StatusCanceled
}

// OnCancel has f called when the action is canceled before it has finished: once, in the goroutine that cancels; at once when
// it has been canceled already. What the handler does with it is its own affair: the action has ended as canceled.
func (c *Completion) OnCancel(f func()) {
	c.mutex.Lock()
	if !c.done {
		c.cancelers = append(c.cancelers, f)
		c.mutex.Unlock()
		return
	}
	call := c.result.Status == StatusCanceled
	c.mutex.Unlock()
	if call {
		guard(f)
	}
}

func (c *Completion) ended() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.done
}

// settle ends the action with a result, unless it has ended.
func (c *Completion) settle(result Result) bool {
	c.mutex.Lock()
	if c.done {
		c.mutex.Unlock()
		return false
	}
	c.done, c.result = true, result
	observers, cancelers := c.observers, c.cancelers
	c.observers, c.cancelers, c.interrupt = nil, nil, nil
	if c.closed != nil {
		close(c.closed)
	}
	c.mutex.Unlock()

	if result.Status == StatusCanceled {
		for _, f := range cancelers {
			guard(f)
		}
	}
	for _, f := range observers {
		f(result)
	}
	return true
}

// then calls f with the result: at once when there is one.
func (c *Completion) then(f func(Result)) {
	c.mutex.Lock()
	if !c.done {
		c.observers = append(c.observers, f)
		c.mutex.Unlock()
		return
	}
	result := c.result
	c.mutex.Unlock()
	f(result)
}

func (c *Completion) cancel() bool {
	c.mutex.Lock()
	done, interrupt := c.done, c.interrupt
	c.mutex.Unlock()
	switch {
	case done:
		return false
	case interrupt != nil:
		interrupt()
		return true
	}
	return c.settle(Result{Status: StatusCanceled, Message: unfinished})
}

const unfinished = "canceled before it had finished"

// guard calls a function of somebody else's and keeps its panic from spreading.
func guard(f func()) {
	defer func() { _ = recover() }()
	f()
}

// Task is an action that was asked for: it has a result or will have one. Its methods may be called from any goroutine.
type Task Completion

func (t *Task) completion() *Completion { return (*Completion)(t) }

// Result gives the result, and whether there is one yet.
func (t *Task) Result() (result Result, done bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.result, t.done
}

// Then calls f with the result once: at once when there is one, otherwise in the goroutine that finishes the action. f must
// neither block nor panic.
func (t *Task) Then(f func(Result)) { t.completion().then(f) }

// Done gives a channel that is closed when there is a result, for a select beside a timer.
func (t *Task) Done() <-chan struct{} {
	c := t.completion()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.closed == nil {
		c.closed = make(chan struct{})
		if c.done {
			close(c.closed)
		}
	}
	return c.closed
}

// Wait blocks until there is a result. Where one thread does everything, as on a web page, it would wait for ever: use Then.
func (t *Task) Wait() Result {
	result, done := t.Result()
	if !done {
		<-t.Done()
		result, _ = t.Result()
	}
	return result
}

// Cancel ends the action as canceled, unless it has ended, and reports whether it was under way. What the action still does is ignored. A
// group stops: its item that is under way is canceled, the items after it are never begun, and the results of the items before it stay.
func (t *Task) Cancel() bool { return t.completion().cancel() }
