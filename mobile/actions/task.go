package actions

import (
	"sync"
	"time"

	core "github.com/rehearsal-sdk/rehearsal/actions"
)

// Listener is told the result of a task.
type Listener interface {
	// OnDone is called once, on the worker. What it throws is ignored.
	OnDone(result *Result) error
}

// Task is an action that was asked for: it has a result or will have one. It may be used from any thread.
type Task struct {
	registry *Registry

	mutex     sync.Mutex
	done      bool
	result    core.Result
	observers []func(core.Result)
	// running is what the core does, once it was begun; canceled says that it need not be.
	running  *core.Task
	canceled bool
}

// begun makes the task of what the core has begun. What was performed at once and has nothing more to say is one task for all: the
// app holds tasks until its own garbage is collected, and most are of this kind.
func (r *Registry) begun(result core.Result, running *core.Task) *Task {
	switch {
	case running != nil:
		return r.follow(running)
	case result.Status == core.StatusPerformed && result.Value == nil && result.Items == nil:
		return r.performed
	}
	return &Task{registry: r, done: true, result: result}
}

// follow makes a task that ends as one of the core's does.
func (r *Registry) follow(running *core.Task) *Task {
	t := &Task{registry: r}
	t.run(running)
	return t
}

// run has the task end as one of the core's does.
func (t *Task) run(running *core.Task) {
	t.mutex.Lock()
	t.running = running
	canceled := t.canceled
	t.mutex.Unlock()
	if canceled {
		running.Cancel()
	}
	running.Then(t.settle)
}

// settle ends the task, unless it has ended.
func (t *Task) settle(result core.Result) {
	t.mutex.Lock()
	if t.done {
		t.mutex.Unlock()
		return
	}
	t.done, t.result = true, result
	observers := t.observers
	t.observers, t.running = nil, nil
	t.mutex.Unlock()
	for _, observe := range observers {
		observe(result)
	}
}

// expire fails the task because it takes too long. What it still does is canceled once it can be.
func (t *Task) expire(err error) {
	t.mutex.Lock()
	t.canceled = true
	t.mutex.Unlock()
	t.settle(failed(err.Error()))
}

// then calls observe with the result: at once when there is one, otherwise where the task ends.
func (t *Task) then(observe func(core.Result)) {
	t.mutex.Lock()
	if !t.done {
		t.observers = append(t.observers, observe)
		t.mutex.Unlock()
		return
	}
	result := t.result
	t.mutex.Unlock()
	observe(result)
}

// following makes something that ends in the core as this task does, and cancels it when it is canceled.
func (t *Task) following() *core.Completion {
	completion := new(core.Completion)
	if t.never() {
		completion.Fail(&thrown{text: "endAs was given a task that was closed before, or that no perform gave: give it the task of a perform, and close that afterwards"})
		return completion
	}
	completion.OnCancel(func() { t.Cancel() })
	t.then(func(result core.Result) {
		if err := result.Err(); err != nil {
			completion.Fail(err)
		} else {
			completion.Succeed(result.Value)
		}
	})
	return completion
}

// never reports whether there will be no result, because nobody has asked for one: an app has closed the task, or has made it itself.
func (t *Task) never() bool { return t.registry == nil && !t.IsDone() }

// Result gives the result, or null as long as there is none.
func (t *Task) Result() *Result {
	defer contain()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if !t.done {
		return nil
	}
	return &Result{t.result}
}

// IsDone reports whether there is a result.
func (t *Task) IsDone() bool {
	defer contain()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.done
}

// OnDone has a listener told the result: soon when there is one, otherwise when the task ends.
func (t *Task) OnDone(listener Listener) {
	defer contain()
	if listener == nil {
		return
	}
	t.then(func(result core.Result) {
		t.registry.tell("a listener", func() { _ = listener.OnDone(&Result{result}) })
	})
}

// Await blocks until there is a result, for a number of milliseconds at most, and gives it, or null when there is none by then. It must
// be called neither on the main thread nor on the worker, which is where an action, a host or a listener may be. To interrupt the thread
// does not end it.
func (t *Task) Await(milliseconds int64) *Result {
	defer contain()
	if t.never() {
		return nil
	}
	ended := make(chan core.Result, 1)
	t.then(func(result core.Result) { ended <- result })
	limit := time.NewTimer(duration(milliseconds))
	defer limit.Stop()
	select {
	case result := <-ended:
		return &Result{result}
	case <-limit.C:
		return t.Result()
	}
}

// Cancel ends the action as canceled, unless it has ended, and reports whether it was under way. What it still does is ignored. A
// group stops: the item that is under way is canceled, and those after it are never begun.
func (t *Task) Cancel() bool {
	defer contain()
	if t.never() {
		return false
	}
	t.mutex.Lock()
	if t.done || t.canceled {
		t.mutex.Unlock()
		return false
	}
	t.canceled = true
	running := t.running
	t.mutex.Unlock()
	if running != nil {
		return running.Cancel()
	}
	none := new(core.Task) // of which the core tells what it means to be canceled
	none.Cancel()
	result, _ := none.Result()
	t.settle(result)
	return true
}

// rescue is deferred to make a result of a panic.
func rescue(task **Task) {
	if recover() != nil {
		*task = &Task{done: true, result: failed("this library panicked")}
	}
}
