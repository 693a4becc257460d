package actions_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

// TestObserver: what an app does is told once and completely, and its results are the same with an observer that panics.
func TestObserver(t *testing.T) {
	r := actions.New(actions.Options{})
	var told []string
	changes := 0
	r.Observe(&actions.Observer{
		Begun: func(call actions.Call) func(actions.Result) {
			at := len(told)
			told = append(told, call.Identifier+" "+call.Source.Kind)
			return func(result actions.Result) { told[at] += ": " + string(result.Status); panic("ended") }
		},
		Changed: func() { changes++; panic("changed") },
	})
	later := new(actions.Completion)
	mustRegister(t, r, "sleep", func(actions.Invocation) (any, error) { return later, nil })
	mustRegister(t, r, "fail", func(actions.Invocation) (any, error) { panic("no") })
	outer := mustRegister(t, r, "outer", func(call actions.Invocation) (any, error) { return call.PerformAsync("fail", nil), nil })
	task := r.Trigger("outer", nil, actions.Push(nil))
	held := r.Held()
	r.Start()
	if result, _ := task.Result(); held != 1 || r.Held() != 0 || result.Status != actions.StatusFailed {
		t.Errorf("%d are held, then %d, %v", held, r.Held(), result)
	}
	slow := r.PerformAsync("sleep", nil)
	r.Perform("service.group", actions.Arguments{"actions": []any{[]any{"fail", map[string]any{}}, []any{"FAIL", map[string]any{}}}})
	r.Perform("unknown", nil)
	outer.Begin(actions.Call{})
	if _, quiet := r.Begin(actions.Call{Identifier: "sleep", Quiet: true}); quiet == nil {
		t.Error("what is not told is performed all the same")
	}
	later.Fail(errors.New("tired"))
	if result := slow.Wait(); result.Status != actions.StatusFailed {
		t.Error(result)
	}
	want := []string{"outer push: failed", "sleep : failed", "service.group : partial", "unknown : not_found", "outer : failed"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	before := changes
	outer.Unregister()
	_, _ = r.Unregister("fail")
	r.UpdateHost(func(h *actions.Host) { h.Platform = actions.PlatformAndroid })
	if before != 5 || changes != 8 || r.Host().Platform != actions.PlatformAndroid {
		t.Errorf("%d changes, then %d", before, changes)
	}
	r.Observe(nil)
	r.Perform("unknown", nil)
	if len(told) != len(want) {
		t.Errorf("told %q after it has ended", told)
	}
}
