package actions_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	core "github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// TestVectors replays the cases that are the same on every surface, through this package only.
func TestVectors(t *testing.T) {
	actionstest.RunVectors(t, "../../actions/testdata/vectors", func(spec actionstest.HostSpec) actionstest.Subject {
		return newSubject(t, spec)
	})
}

// subject does with a registry what an app does: hosts and actions are its own, values cross as JSON.
type subject struct {
	t             *testing.T
	host          *phone
	registry      *actions.Registry
	registrations map[string]*actions.Registration

	mutex sync.Mutex
	turns []func()
}

func newSubject(t *testing.T, spec actionstest.HostSpec) *subject {
	options := actions.NewOptions()
	options.SetPlatform(spec.Platform, spec.Version)
	s := &subject{t: t, host: newPhone(spec), registry: actions.NewRegistry(options), registrations: map[string]*actions.Registration{}}
	s.host.install(s.registry, spec)
	return s
}

func (s *subject) Effects() []actionstest.Effect { return s.host.effects() }

func (s *subject) Turn() bool {
	s.mutex.Lock()
	if len(s.turns) == 0 {
		s.mutex.Unlock()
		return false
	}
	turn := s.turns[0]
	s.turns = s.turns[1:]
	s.mutex.Unlock()
	turn()
	flush(s.t, s.registry)
	return true
}

// flush waits until the worker has done what it had to do: it does one thing at a time, in order.
func flush(t *testing.T, registry *actions.Registry) {
	t.Helper()
	if registry.PerformAsync("nothing.is.registered.as.this", nil, nil).Await(60_000) == nil {
		t.Error("the worker does not come to an end")
	}
}

func (s *subject) Do(step actionstest.Step) func() map[string]any {
	switch step.Do {
	case "register":
		registration, err := s.registry.Register(step.Subject, s.action(step.Handler))
		if err != nil {
			return known("ok", false, "error", actions.ErrorCode(err.Error()))
		}
		s.registrations[step.As] = registration
		return known("ok", true)
	case "unregister":
		removed, err := s.registry.Unregister(step.Subject)
		if err != nil {
			return known("removed", removed, "error", actions.ErrorCode(err.Error()))
		}
		return known("removed", removed)
	case "dispose":
		return known("removed", s.registrations[step.Subject].Unregister())
	case "perform":
		return s.coming(s.registry.Perform(step.Subject, s.arguments(step.Arguments)))
	case "trigger":
		source := actions.NewSource(step.Source.Kind, s.arguments(step.Source.Payload))
		return s.coming(s.registry.Trigger(step.Subject, s.arguments(step.Arguments), source))
	case "start":
		s.registry.Start()
		return known("ok", true)
	case "validate":
		problems := s.registry.Validate(step.Subject, s.arguments(step.Arguments))
		at := []any{}
		for i := range problems.Count() {
			at = append(at, problems.At(i).Pointer())
		}
		return known("ok", problems.Count() == 0, "at", at)
	case "capability":
		return known("state", s.registry.Capability(step.Subject))
	}
	list, identifiers := s.registry.List(), []any{}
	for i := range list.Count() {
		identifiers = append(identifiers, list.At(i))
	}
	return known("identifiers", identifiers)
}

// arguments sends arguments over as JSON; nil stays nil.
func (s *subject) arguments(values map[string]any) *actions.Arguments {
	if values == nil {
		return nil
	}
	text, err := actionsjson.Append(nil, values)
	if err != nil {
		s.t.Fatal(err)
	}
	arguments, err := actions.ArgumentsFromJSON(string(text))
	if err != nil {
		s.t.Fatal(err)
	}
	return arguments
}

func (s *subject) coming(task *actions.Task) func() map[string]any {
	return func() map[string]any {
		result := task.Result()
		if result == nil {
			return nil
		}
		return decoded(s.t, result.JSON)
	}
}

func known(members ...any) func() map[string]any {
	answer := map[string]any{}
	for i := 0; i < len(members); i += 2 {
		answer[members[i].(string)] = members[i+1]
	}
	return func() map[string]any { return answer }
}

func decoded(t *testing.T, json func() (string, error)) map[string]any {
	t.Helper()
	text := proof.Get(json())(t)
	value := proof.Get(actionsjson.Decode([]byte(text)))(t)
	return value.(map[string]any)
}

// act makes an action of a function.
type act func(*actions.Invocation) error

func (f act) Perform(invocation *actions.Invocation) error { return f(invocation) }

// told makes a listener of a function.
type told func(*actions.Result) error

func (f told) OnDone(result *actions.Result) error { return f(result) }

// action makes the actions that a vector may name.
func (s *subject) action(name string) actions.Action {
	switch name {
	case "record":
		return act(func(invocation *actions.Invocation) error { return s.record(invocation) })
	case "fail":
		return act(func(*actions.Invocation) error { return errors.New("failed on purpose") })
	case "panic":
		return act(func(*actions.Invocation) error { panic("panicked on purpose") })
	case "wait", "wait-record":
		return act(func(invocation *actions.Invocation) error {
			completion := invocation.Later()
			s.mutex.Lock()
			defer s.mutex.Unlock()
			s.turns = append(s.turns, func() {
				if name == "wait-record" {
					if err := s.record(invocation); err != nil {
						s.t.Error(err)
					}
				}
				completion.Succeed()
			})
			return nil
		})
	}
	if other, ok := strings.CutPrefix(name, "perform:"); ok {
		return act(func(invocation *actions.Invocation) error {
			invocation.EndAs(invocation.Perform(other, invocation.Arguments()))
			return nil
		})
	}
	return nil
}

func (s *subject) record(invocation *actions.Invocation) error {
	effect := actionstest.Effect{
		"handler": invocation.Identifier(), "arguments": decoded(s.t, invocation.Arguments().JSON), "source": core.SourceManual,
	}
	if source := invocation.Source(); source.Kind() != actions.SourceManual || source.Payload() != nil {
		object := map[string]any{"kind": source.Kind()}
		if payload := source.Payload(); payload != nil {
			object["payload"] = decoded(s.t, payload.JSON)
		}
		effect["source"] = object
	}
	s.host.record(effect)
	return nil
}
