package actions

import (
	"strconv"
	"sync/atomic"

	core "github.com/rehearsal-sdk/rehearsal/actions"
)

// Executor runs actions where they want to be run: on the main thread, on threads of the app's own.
type Executor interface {
	// Execute has the work run once, now or later, on a thread of its choice, and returns without waiting for it. Throwing fails the
	// action.
	Execute(work *Work) error
}

// Work is an action that an [Executor] is to run.
type Work struct {
	begun atomic.Bool
	run   func()
	// refuse ends the action because nobody runs it.
	refuse func(error)
}

// Run runs the action. It does nothing when it was run before, or when the action has ended meanwhile: it was canceled, or the executor
// took longer than the time limit.
func (w *Work) Run() {
	defer contain()
	if !w.begun.Swap(true) {
		w.run()
	}
}

// handlerOn makes what the core registers of an action that an executor runs.
func (r *Registry) handlerOn(action Action, executor Executor) core.Handler {
	if action == nil {
		return nil
	}
	perform := r.handler(action)
	return func(call core.Invocation) (any, error) {
		c := r.newCompletion()
		work := &Work{refuse: func(err error) { c.end(nil, err) }, run: func() {
			if c.ending.hasEnded() {
				return
			}
			value, err := perform(call)
			if later, ok := value.(*core.Completion); ok {
				c.handler.OnCancel(func() { (*core.Task)(later).Cancel() })
				(*core.Task)(later).Then(func(result core.Result) { c.end(result.Value, result.Err()) })
			} else {
				c.end(value, err)
			}
		}}
		r.call("Execute of the executor of "+strconv.Quote(call.Identifier()), c.ending, c.fail, func() error { return executor.Execute(work) })
		return c.handler, nil
	}
}

// end ends an action with what it has come to.
func (c *Completion) end(value any, err error) {
	c.ending.end(func() {
		if err != nil {
			c.fail(err)
		} else {
			c.succeed(value)
		}
	})
}

// background is the executor that the worker is.
type background struct {
	registry *Registry
	what     string
}

func (b background) Execute(work *Work) error {
	b.registry.worker.submit(b.what, work.Run, func(why string) { work.refuse(&thrown{text: why}) })
	return nil
}
