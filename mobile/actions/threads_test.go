package actions_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// register registers an action and fails the test when it cannot.
func register(t *testing.T, registry *actions.Registry, identifier string, perform act) *actions.Registration {
	t.Helper()
	registration := proof.Get(registry.Register(identifier, perform))(t)
	return registration
}

// want checks the status of a task that has ended.
func want(t *testing.T, task *actions.Task, status string) *actions.Result {
	t.Helper()
	result := task.Await(60_000)
	if result == nil {
		t.Fatal("there is no result")
	}
	proof.Hold(t, result.Status() == status, "the status is %s (%s), want %s", result.Status(), result.Message(), status)
	return result
}

func TestPerformRunsHere(t *testing.T) {
	registry := actions.NewRegistry(nil)
	ran := false // no lock: it is this goroutine
	register(t, registry, "here", func(invocation *actions.Invocation) error {
		ran = true
		invocation.SetValue(actions.Int64Value(7))
		return nil
	})
	task := registry.Perform("HERE", nil)
	if !ran || !task.IsDone() || task.Result().Value().AsInt64(0) != 7 || !task.Result().IsPerformed() {
		t.Error("it has not been performed at once")
	}
	proof.Hold(t, !task.Cancel(), "what has ended was canceled")
}

func TestLater(t *testing.T) {
	registry := actions.NewRegistry(nil)
	var completion *actions.Completion
	register(t, registry, "later", func(invocation *actions.Invocation) error {
		completion = invocation.Later()
		proof.Hold(t, invocation.Later() == completion, "there are two completions")
		return nil
	})
	task := registry.Perform("later", nil)
	if task.IsDone() || task.Result() != nil || task.Await(0) != nil || completion.IsEnded() {
		t.Fatal("it has ended already")
	}
	if !completion.SucceedWith(actions.StringValue("done")) || completion.Succeed() || completion.Fail("no") || !completion.IsEnded() {
		t.Error("not exactly the first ending counts")
	}
	if value := want(t, task, actions.StatusPerformed).Value().AsString(""); value != "done" {
		t.Errorf("the value is %q", value)
	}
}

func TestLaterTooLate(t *testing.T) {
	registry := actions.NewRegistry(nil)
	var kept *actions.Invocation
	register(t, registry, "over", func(invocation *actions.Invocation) error { kept = invocation; return nil })
	want(t, registry.Perform("over", nil), actions.StatusPerformed)
	if completion := kept.Later(); !completion.IsEnded() || completion.Succeed() {
		t.Error("a completion that came too late is not ended")
	}
}

// TestEndingRunsNothingHere: whoever ends a completion may hold a lock that what comes next needs.
func TestEndingRunsNothingHere(t *testing.T) {
	registry := actions.NewRegistry(nil)
	var lock sync.Mutex
	var completion *actions.Completion
	order := make(chan string, 10)
	register(t, registry, "first", func(invocation *actions.Invocation) error { completion = invocation.Later(); return nil })
	register(t, registry, "second", func(*actions.Invocation) error {
		lock.Lock()
		defer lock.Unlock()
		order <- "second"
		return nil
	})
	group := actions.NewArguments()
	items := actions.NewArgumentList()
	items.AddAction("first", nil)
	items.AddAction("second", nil)
	group.SetList("actions", items)
	task := registry.Perform("service.group", group)
	task.OnDone(told(func(result *actions.Result) error {
		lock.Lock()
		defer lock.Unlock()
		order <- "listener " + result.Status()
		return errors.New("nobody cares")
	}))

	lock.Lock()
	completion.Succeed()
	order <- "ended"
	lock.Unlock()
	for _, wanted := range []string{"ended", "second", "listener performed"} {
		if got := <-order; got != wanted {
			t.Errorf("%q came, want %q", got, wanted)
		}
	}
	if result := want(t, task, actions.StatusPerformed); result.ItemCount() != 2 || !result.Item(1).IsPerformed() || result.Item(2) != nil ||
		result.Item(-1) != nil {
		t.Error("the items are not there")
	}
}

// TestTheWorkerIsSerial: one thing at a time, in order, never on the caller's goroutine.
func TestTheWorkerIsSerial(t *testing.T) {
	registry := actions.NewRegistry(nil)
	var busy atomic.Int32
	var order []int64 // no lock: it is one goroutine after the other
	register(t, registry, "step", func(invocation *actions.Invocation) error {
		proof.Hold(t, busy.Add(1) == 1, "two at once")
		order = append(order, invocation.Arguments().GetInt64("n", -1))
		busy.Add(-1)
		return nil
	})
	var tasks []*actions.Task
	arguments := actions.NewArguments()
	for n := range int64(100) {
		arguments.SetInt64("n", n)
		tasks = append(tasks, registry.PerformAsync("step", arguments, nil))
	}
	for _, task := range tasks {
		want(t, task, actions.StatusPerformed)
	}
	proof.Hold(t, len(order) == 100 && slices.IsSorted(order), "the order is %v", order)
}

func TestTheWorkerIsBounded(t *testing.T) {
	registry := actions.NewRegistry(nil)
	started, goOn := make(chan bool), make(chan bool)
	register(t, registry, "block", func(*actions.Invocation) error {
		started <- true
		<-goOn
		return nil
	})
	register(t, registry, "nothing", func(*actions.Invocation) error { return nil })
	blocking := registry.PerformAsync("block", nil, nil)
	<-started
	var waiting []*actions.Task
	for range 256 {
		waiting = append(waiting, registry.PerformAsync("nothing", nil, nil))
	}
	var listened atomic.Bool
	refused := registry.PerformAsync("nothing", nil, told(func(*actions.Result) error { listened.Store(true); return nil }))
	if !refused.IsDone() || refused.Result().Status() != actions.StatusFailed || !strings.Contains(refused.Result().Message(), "256") {
		t.Error("the 257th was not refused")
	}
	canceled := waiting[7]
	if !canceled.Cancel() || canceled.Cancel() || canceled.Result().Status() != actions.StatusCanceled {
		t.Error("what waits was not canceled once")
	}
	goOn <- true
	want(t, blocking, actions.StatusPerformed)
	for i, task := range waiting {
		if i != 7 {
			want(t, task, actions.StatusPerformed)
		}
	}
	flush(t, registry)
	proof.Hold(t, listened.Load(), "the listener of the refused one was not told")
}

func TestCancel(t *testing.T) {
	registry := actions.NewRegistry(nil)
	var completion *actions.Completion
	canceled := make(chan bool, 2)
	register(t, registry, "later", func(invocation *actions.Invocation) error {
		completion = invocation.Later()
		completion.SetCancelListener(cancel(func() error { canceled <- true; return errors.New("nobody cares") }))
		return nil
	})
	task := registry.Perform("later", nil)
	proof.Hold(t, task.Cancel() && !task.Cancel() && completion.IsEnded() && !completion.Succeed(), "it was not canceled once")
	want(t, task, actions.StatusCanceled)
	<-canceled
	completion.SetCancelListener(cancel(func() error { canceled <- true; return nil }))
	<-canceled

	async := registry.PerformAsync("later", nil, nil)
	flush(t, registry)
	async.Cancel()
	want(t, async, actions.StatusCanceled)
	<-canceled
}

type cancel func() error

func (f cancel) OnCancel() error { return f() }

// TestTimeLimit: an app that forgets to answer does not leave anybody waiting. The clock of a synctest bubble stands in for time.
func TestTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		options := actions.NewOptions()
		options.SetTimeLimit(5_000)
		registry := actions.NewRegistry(options)
		silent := newPhone(actionstest.HostSpec{})
		registry.SetClipboard(forgetful{})
		registry.SetLinkOpener(silent)
		registry.SetLinkInterceptor(forgetful{})
		registry.SetNotifications(forgetful{})
		var completion *actions.Completion
		register(t, registry, "forgotten", func(invocation *actions.Invocation) error { completion = invocation.Later(); return nil })
		text, _ := actions.ArgumentsFromJSON(`{"t":"x","l":"https://example.com"}`)
		tasks := []*actions.Task{
			registry.Perform("forgotten", nil), registry.Perform("service.clipboard", text), registry.Perform("service.deeplink", text),
			registry.Perform("service.request_notifications", nil),
		}
		began := time.Now()
		for _, task := range tasks {
			if result := want(t, task, actions.StatusFailed); !strings.Contains(result.Message(), "5s") {
				t.Errorf("the message is %q", result.Message())
			}
		}
		if waited := time.Since(began); waited != 5*time.Second {
			t.Errorf("it took %v", waited)
		}
		proof.Hold(t, !completion.Succeed(), "an answer after the time limit counts")
	})
}

func TestNoTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		options := actions.NewOptions()
		options.SetTimeLimit(0)
		registry := actions.NewRegistry(options)
		var completion *actions.Completion
		register(t, registry, "slow", func(invocation *actions.Invocation) error { completion = invocation.Later(); return nil })
		task := registry.Perform("slow", nil)
		began := time.Now()
		proof.Hold(t, task.Await(24*60*60*1000) == nil && time.Since(began) == 24*time.Hour, "Await does not keep its own limit")
		time.AfterFunc(24*time.Hour, func() { completion.Succeed() })
		proof.Hold(t, task.Await(math.MinInt64) == nil, "there is a result too early")
		// The largest number is what an app gives that wants to wait for ever.
		if result := task.Await(math.MaxInt64); result == nil || !result.IsPerformed() {
			t.Error("Await ends before the action does")
		}
	})
}

// forgetful answers nothing.
type forgetful struct{}

func (forgetful) WriteText(string, *actions.Completion) error              { return nil }
func (forgetful) InterceptLink(string, *actions.LinkCompletion) error      { return nil }
func (forgetful) NotificationStatus(*actions.PermissionCompletion) error   { return nil }
func (forgetful) RequestNotifications(*actions.PermissionCompletion) error { return nil }
