package actions_test

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

type troubledError struct{}

func (*troubledError) Error() string { panic("no text today") }

func TestHandlerOutcomes(t *testing.T) {
	settled := func(fill func(*actions.Completion)) *actions.Completion {
		c := new(actions.Completion)
		fill(c)
		return c
	}
	wrong := errors.New("wrong \xff weather")
	r := actions.New(actions.Options{})
	for _, c := range []struct {
		about   string
		handler actions.Handler
		status  actions.Status
		message string
		value   any
	}{
		{"a value", func(actions.Invocation) (any, error) { return 42, nil }, "performed", "", 42},
		{"nothing", nothing, "performed", "", nil},
		{"an error", func(actions.Invocation) (any, error) { return 42, wrong }, "failed", "wrong \ufffd weather", nil},
		{"an error without a text", func(actions.Invocation) (any, error) { return nil, errors.New("") }, "failed", "an error without a text",
			nil},
		{"an error that panics", func(actions.Invocation) (any, error) { return nil, &troubledError{} }, "failed",
			"an error whose text cannot be read", nil},
		{"a nil pointer as error", func(actions.Invocation) (any, error) { return nil, (*actions.Error)(nil) }, "failed",
			"an error whose text cannot be read", nil},
		{"an error with the code of a status", func(actions.Invocation) (any, error) { return nil, actions.Blocked("no gesture") }, "failed",
			"no gesture", nil},
		{"a panic with a text", func(actions.Invocation) (any, error) { panic("oh\xff") }, "failed", "panicked: oh\ufffd", nil},
		{"a panic with an error", func(actions.Invocation) (any, error) { panic(wrong) }, "failed", "panicked: wrong \ufffd weather", nil},
		{"a panic with an error that panics", func(actions.Invocation) (any, error) { panic(&troubledError{}) }, "failed",
			"panicked: an error whose text cannot be read", nil},
		{"a panic with something else", func(actions.Invocation) (any, error) { panic(5) }, "failed",
			"panicked with a value that is neither an error nor a text", nil},
		{"a panic with nil", func(actions.Invocation) (any, error) { panic(nil) }, "failed", "panicked: panic called with nil argument", nil},
		{"a fault of the program", func(actions.Invocation) (any, error) { var p *int; return *p, nil }, "failed",
			"panicked: runtime error: invalid memory address or nil pointer dereference", nil},
		{"a completion that has succeeded", func(actions.Invocation) (any, error) {
			return settled(func(c *actions.Completion) { c.Succeed("later") }), nil
		}, "performed", "", "later"},
		{"a completion that has failed", func(actions.Invocation) (any, error) {
			return settled(func(c *actions.Completion) { c.Fail(wrong) }), nil
		}, "failed", "wrong \ufffd weather", nil},
		{"a completion that has failed without an error", func(actions.Invocation) (any, error) {
			return settled(func(c *actions.Completion) { c.Fail(nil) }), nil
		}, "failed", "failed without saying why", nil},
		{"a completion beside an error", func(actions.Invocation) (any, error) { return new(actions.Completion), wrong }, "failed",
			"wrong \ufffd weather", nil},
		{"no completion", func(actions.Invocation) (any, error) { return (*actions.Completion)(nil), nil }, "performed", "", nil},
		{"no task", func(actions.Invocation) (any, error) { return (*actions.Task)(nil), nil }, "performed", "", nil},
		{"the task of another action", func(i actions.Invocation) (any, error) { return i.PerformAsync("a value", nil), nil }, "performed", "",
			42},
		{"the task of a failing action", func(i actions.Invocation) (any, error) { return i.PerformAsync("an error", nil), nil }, "failed",
			"wrong \ufffd weather", nil},
		{"the task of an unknown action", func(i actions.Invocation) (any, error) { return i.PerformAsync("nobody", nil), nil }, "failed",
			`no action is registered as "nobody"`, nil},
	} {
		mustRegister(t, r, c.about, c.handler)
		for name, got := range map[string]actions.Result{"Perform": r.Perform(c.about, nil),
			"PerformAsync": r.PerformAsync(c.about, nil).Wait()} {
			if got.Status != c.status || !strings.HasPrefix(got.Message, c.message) || c.message == "" && got.Message != "" || got.Value != c.value {
				t.Errorf("%s: %s gave %+v", c.about, name, got)
			}
			if (got.Err() == nil) != got.Performed() {
				t.Errorf("%s: Err() = %v", c.about, got.Err())
			}
		}
	}
}

func TestErrorsKeepTheirCause(t *testing.T) {
	cause := errors.New("the handler's own")
	r := actions.New(actions.Options{})
	mustRegister(t, r, "inner", func(actions.Invocation) (any, error) { return nil, cause })
	mustRegister(t, r, "outer", func(i actions.Invocation) (any, error) { return nil, i.Perform("inner", nil).Err() })
	for _, identifier := range []string{"inner", "outer"} {
		err := r.Perform(identifier, nil).Err()
		if !errors.Is(err, cause) || err.Error() != "failed: the handler's own" || actions.CodeOf(err) != "failed" {
			t.Errorf("%s: %v", identifier, err)
		}
	}
}

func TestHandlerThatEndsItsGoroutine(t *testing.T) {
	r := actions.New(actions.Options{})
	mustRegister(t, r, "x", func(actions.Invocation) (any, error) { runtime.Goexit(); return nil, nil })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.Perform("x", nil)
	}()
	<-ended
	mustRegister(t, r, "y", nothing)
	if got := r.Perform("y", nil); !got.Performed() {
		t.Errorf("afterwards: %+v", got)
	}
}

func TestArgumentsAreCopied(t *testing.T) {
	r := actions.New(actions.Options{})
	inner := map[string]any{"n": 1}
	list := []any{inner}
	given := actions.Arguments{"list": list, "o": inner}
	payload := map[string]any{"k": inner}
	later := new(actions.Completion)
	var got actions.Invocation
	mustRegister(t, r, "x", func(i actions.Invocation) (any, error) { got = i; return later, nil })

	r.PerformAsync("x", given)
	inner["n"], list[0], given["new"] = 2, "changed", true
	if text := show(got.Arguments()); text != `{"list":[{"n":1}],"o":{"n":1}}` {
		t.Errorf("the handler sees the caller's changes: %s", text)
	}
	got.Arguments()["mine"] = true
	if _, there := given["mine"]; there {
		t.Error("the caller sees the handler's changes")
	}

	inner["n"] = 1
	task := r.Trigger("x", actions.Arguments{"o": inner}, actions.Push(payload)) // held
	inner["n"] = 2
	r.Start()
	later.Succeed(nil)
	task.Wait()
	if text := show(got.Arguments()) + show(got.Source().Payload); text != `{"o":{"n":1}}{"k":{"n":1}}` {
		t.Errorf("a held trigger sees later changes: %s", text)
	}
}

func TestOwnedArgumentsAreNotCopied(t *testing.T) {
	r := actions.New(actions.Options{})
	var got actions.Invocation
	mustRegister(t, r, "x", func(i actions.Invocation) (any, error) { got = i; return nil, nil })
	given := actions.Arguments{"n": int64(1)}
	if result, task := r.Begin(actions.Call{Identifier: "x", Arguments: given, Owned: true}); !result.Performed() || task != nil {
		t.Errorf("%+v, %v", result, task)
	}
	given["n"] = int64(2)
	if got.Arguments()["n"] != int64(2) || got.Source().Kind != actions.SourceManual {
		t.Errorf("the handler got %s from %+v", show(got.Arguments()), got.Source())
	}
}

// An action that performs itself by way of the registry carries no count with it: it must be found on the stack.
func TestNestingByWayOfTheRegistry(t *testing.T) {
	r := actions.New(actions.Options{})
	depth, deepest := 0, 0
	var innermost actions.Result
	mustRegister(t, r, "loop", func(i actions.Invocation) (any, error) {
		depth++
		deepest = max(deepest, depth)
		defer func() { depth-- }()
		result := r.Perform("LOOP", i.Arguments())
		if result.Message != "" && innermost.Message == "" {
			innermost = result
		}
		return nil, result.Err()
	})
	if got := r.Perform("loop", nil); got.Status != actions.StatusFailed {
		t.Errorf("an endless circle gave %+v", got)
	}
	if deepest != 17 || !strings.Contains(innermost.Message, "nested more than 16 deep") {
		t.Errorf("%d handlers were in each other, the innermost perform gave %+v", deepest, innermost)
	}

	group := actions.Arguments{"actions": []any{[]any{"groups", map[string]any{}}}}
	runs := 0
	mustRegister(t, r, "groups", func(actions.Invocation) (any, error) {
		runs++
		return nil, r.Perform("service.group", group).Err()
	})
	if got := r.Perform("groups", nil); got.Status != actions.StatusFailed || runs != 9 {
		t.Errorf("an endless circle by way of a group gave %+v after %d runs", got, runs)
	}
}

func TestNestingFromAGoroutine(t *testing.T) {
	r := actions.New(actions.Options{})
	mustRegister(t, r, "loop", func(i actions.Invocation) (any, error) {
		later := new(actions.Completion)
		go func() {
			if err := i.Perform("loop", nil).Err(); err != nil {
				later.Fail(err)
			} else {
				later.Succeed(nil)
			}
		}()
		return later, nil
	})
	if got := r.Perform("loop", nil); got.Status != actions.StatusFailed {
		t.Errorf("an endless circle through goroutines gave %+v", got)
	}
}

// Many performs at the same time are not many performs in each other.
func TestConcurrentPerformsAreNotNested(t *testing.T) {
	const many = 60
	r := actions.New(actions.Options{})
	var inside sync.WaitGroup
	inside.Add(many)
	mustRegister(t, r, "meet", func(i actions.Invocation) (any, error) {
		inside.Done()
		inside.Wait()
		return nil, r.Perform("inner", nil).Err()
	})
	mustRegister(t, r, "inner", nothing)
	results := make(chan actions.Result, many)
	for range many {
		go func() { results <- r.Perform("meet", nil) }()
	}
	for range many {
		if got := <-results; !got.Performed() {
			t.Errorf("%+v", got)
		}
	}
}

func TestPerformAllocatesNothing(t *testing.T) {
	r := newBenchRegistry(t)
	known := r.Lookup("Say-Hello")
	for name, f := range map[string]func(){
		"Perform": func() { r.Perform("SAY-hello", nil) },
		"Begin":   func() { r.Begin(actions.Call{Identifier: "say-HELLO"}) },
		"known":   func() { known.Begin(actions.Call{Depth: 3}) },
		"Lookup":  func() { r.Lookup("SAY-HELLO") },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
