package actions_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

// pending gives a registry with an action "wait" that finishes when its completion says so.
func pending(t *testing.T) (*actions.Registry, *actions.Completion) {
	r, later := actions.New(actions.Options{}), new(actions.Completion)
	mustRegister(t, r, "wait", func(actions.Invocation) (any, error) { return later, nil })
	return r, later
}

func TestOnCancel(t *testing.T) {
	r, later := pending(t)
	task := r.PerformAsync("wait", nil)
	calls := 0
	later.OnCancel(func() { calls++ })
	later.OnCancel(func() { panic("must not spread") })
	if later.Canceled() || !task.Cancel() || !later.Canceled() || calls != 1 {
		t.Errorf("after Cancel: canceled %v, %d calls", later.Canceled(), calls)
	}
	later.OnCancel(func() { calls++ })
	hold(t, calls == 2, "OnCancel after Cancel was not called at once")

	r, later = pending(t)
	r.PerformAsync("wait", nil)
	later.OnCancel(func() { t.Error("OnCancel without Cancel was called") })
	later.Succeed(nil)
	later.OnCancel(func() { t.Error("OnCancel after the end was called") })
	hold(t, !later.Canceled(), "a completion that has succeeded is canceled")
}

func TestCancelReachesTheActionThatIsFollowed(t *testing.T) {
	r, later := pending(t)
	mustRegister(t, r, "follow", func(i actions.Invocation) (any, error) { return i.PerformAsync("wait", nil), nil })
	task := r.PerformAsync("follow", nil)
	task.Cancel()
	if !later.Canceled() || task.Wait().Status != actions.StatusCanceled {
		t.Errorf("the inner action is canceled: %v, the outer gave %+v", later.Canceled(), task.Wait())
	}
}

func items(identifiers ...string) actions.Arguments {
	pairs := make([]any, len(identifiers))
	for i, identifier := range identifiers {
		pairs[i] = []any{identifier, map[string]any{}}
	}
	return actions.Arguments{"actions": pairs}
}

func statuses(result actions.Result) string {
	text := string(result.Status)
	for _, item := range result.Items {
		text += " " + string(item.Status)
	}
	return text
}

func TestCancelGroup(t *testing.T) {
	r, later := pending(t)
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	mustRegister(t, r, "record", host.Handler)
	task := r.PerformAsync("service.group", items("record", "nobody", "wait", "record", "record"))
	hold(t, task.Cancel() && later.Canceled(), "the item under way was not canceled")
	later.Succeed(nil)
	if got := statuses(task.Wait()); got != "canceled performed not_found canceled canceled canceled" {
		t.Errorf("the group gave %s", got)
	}
	if got := len(host.Effects()); got != 1 {
		t.Errorf("%d items ran", got)
	}
	hold(t, !task.Cancel(), "a group that has ended was canceled")
}

// A group that waits for its host stops too, and what the host says later is nothing.
func TestCancelWhileTheHostThinks(t *testing.T) {
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	host.AnswerLater(true)
	r := actions.New(actions.Options{Host: host.Capabilities()})
	task := r.PerformAsync("service.group", items("service.smart_reoptin", "service.dismiss"))
	task.Cancel()
	for host.Answer() {
		continue
	}
	if got := statuses(task.Wait()); got != "canceled canceled canceled" || len(host.Effects()) != 0 {
		t.Errorf("the group gave %s and left %v", got, host.Effects())
	}
}

func TestCancelHeldTrigger(t *testing.T) {
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	r := actions.New(actions.Options{})
	mustRegister(t, r, "x", host.Handler)
	first := r.Trigger("x", nil, actions.Source{})
	for range 99 {
		r.Trigger("x", nil, actions.Source{})
	}
	hold(t, first.Cancel(), "a held trigger was not canceled")
	if result, done := r.Trigger("x", nil, actions.Source{}).Result(); done {
		t.Errorf("a canceled trigger made no room: %+v", result)
	}
	if result := r.Trigger("x", nil, actions.Source{}).Wait(); result.Status != actions.StatusFailed ||
		result.Message != "not held: 100 triggers wait for the start already" {
		t.Errorf("one trigger too many gave %+v", result)
	}
	r.Start()
	if got := len(host.Effects()); got != 100 || first.Wait().Status != actions.StatusCanceled {
		t.Errorf("%d triggers were delivered, the canceled one gave %+v", got, first.Wait())
	}
}

func TestCancelDeliveredTrigger(t *testing.T) {
	r, later := pending(t)
	task := r.Trigger("wait", nil, actions.Source{})
	r.Start()
	if !task.Cancel() || !later.Canceled() || task.Wait().Status != actions.StatusCanceled {
		t.Errorf("the handler's completion is canceled: %v, the task gave %+v", later.Canceled(), task.Wait())
	}
}

func TestTriggerWithArgumentsThatCannotBeCopied(t *testing.T) {
	r := actions.New(actions.Options{})
	for _, task := range []*actions.Task{
		r.Trigger("x", actions.Arguments{"f": func() {}}, actions.Source{}),
		r.Trigger("x", nil, actions.Push(map[string]any{"f": func() {}})),
	} {
		if result := task.Wait(); result.Status != actions.StatusInvalidArguments {
			t.Errorf("%+v", result)
		}
	}
}

// A handler may trigger and start from inside of a start.
func TestTriggerWhileStarting(t *testing.T) {
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	r := actions.New(actions.Options{})
	mustRegister(t, r, "again", func(actions.Invocation) (any, error) {
		r.Start()
		return nil, r.Trigger("record", nil, actions.Push(nil)).Wait().Err()
	})
	mustRegister(t, r, "record", host.Handler)
	task := r.Trigger("again", nil, actions.Source{})
	r.Start()
	if got := task.Wait(); !got.Performed() || len(host.Effects()) != 1 {
		t.Errorf("%+v, effects %v", got, host.Effects())
	}
}
