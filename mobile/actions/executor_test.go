package actions_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

type executor func(*actions.Work) error

func (f executor) Execute(work *actions.Work) error { return f(work) }

// TestExecutors performs an action that an executor runs, more or less well.
func TestExecutors(t *testing.T) {
	for _, c := range []struct {
		name     string
		executor actions.Executor
		perform  act
		status   string
		message  string
		ran      int
		// now says that it has ended when perform returns.
		now bool
	}{
		{name: "at once", executor: executor(func(w *actions.Work) error { w.Run(); return nil }), status: actions.StatusPerformed, ran: 1,
			now: true},
		{name: "on another goroutine", executor: executor(func(w *actions.Work) error { go w.Run(); return nil }),
			status: actions.StatusPerformed, ran: 1},
		{name: "on the worker", status: actions.StatusPerformed, ran: 1},
		{name: "twice", executor: executor(func(w *actions.Work) error { w.Run(); w.Run(); return nil }), status: actions.StatusPerformed, ran: 1,
			now: true},
		{name: "never", executor: executor(func(*actions.Work) error { return nil }), status: actions.StatusFailed, message: "1s"},
		{name: "too late", executor: executor(func(w *actions.Work) error { time.AfterFunc(2*time.Second, w.Run); return nil }),
			status: actions.StatusFailed, message: "1s"},
		{name: "an executor that throws", executor: executor(func(*actions.Work) error { return errors.New("it is shut down") }),
			status: actions.StatusFailed, message: "it is shut down", now: true},
		{name: "an action that throws", perform: func(*actions.Invocation) error { return errors.New("thrown on purpose") },
			status: actions.StatusFailed, message: "thrown on purpose", ran: 1},
		{name: "an action that goes on", perform: func(i *actions.Invocation) error {
			c := i.Later()
			time.AfterFunc(time.Second/2, func() { c.SucceedWith(actions.StringValue("done")) })
			return nil
		}, status: actions.StatusPerformed, ran: 1},
		{name: "an action that forgets to end", perform: func(i *actions.Invocation) error { i.Later(); return nil },
			status: actions.StatusFailed, message: "1s", ran: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				options := actions.NewOptions()
				options.SetTimeLimit(1000)
				registry := actions.NewRegistry(options)
				ran, returned := 0, make(chan struct{})
				if _, err := registry.RegisterOn("it", act(func(i *actions.Invocation) error {
					if !c.now {
						<-returned
					}
					if ran++; c.perform != nil {
						return c.perform(i)
					}
					i.SetValue(actions.StringValue("done"))
					return nil
				}), c.executor); err != nil {
					t.Fatal(err)
				}
				task := registry.Perform("it", nil)
				proof.Hold(t, task.IsDone() == c.now, "it has ended when perform returns: %v", task.IsDone())
				close(returned)
				result := want(t, task, c.status)
				time.Sleep(10 * time.Second)
				if value := result.Value(); c.status == actions.StatusPerformed && value.AsString("") != "done" ||
					!strings.Contains(result.Message(), c.message) || ran != c.ran {
					t.Errorf("the message is %q, it ran %d times", result.Message(), ran)
				}
			})
		})
	}
}

// TestCanceledBeforeItsExecutor: what nobody wants any more is not run, and what goes on is told.
func TestCanceledBeforeItsExecutor(t *testing.T) {
	registry := actions.NewRegistry(nil)
	var work *actions.Work
	canceled := make(chan bool, 1)
	ran := 0
	if _, err := registry.RegisterOn("it", act(func(i *actions.Invocation) error {
		ran++
		i.Later().SetCancelListener(cancel(func() error { canceled <- true; return nil }))
		return nil
	}), executor(func(w *actions.Work) error { work = w; return nil })); err != nil {
		t.Fatal(err)
	}
	registry.Perform("it", nil).Cancel()
	work.Run()
	proof.Hold(t, ran == 0, "it ran")
	task := registry.Perform("it", nil)
	work.Run()
	task.Cancel()
	<-canceled
	want(t, task, actions.StatusCanceled)
	if _, err := registry.RegisterOn("it", nil, nil); err == nil || actions.ErrorCode(err.Error()) != actions.CodeInvalidHandler {
		t.Errorf("null is registered: %v", err)
	}
}
