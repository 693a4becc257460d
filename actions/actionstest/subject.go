package actionstest

import (
	"errors"
	"strings"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

// NewRegistrySubject makes a [Subject] of an [actions.Registry] with a recording host.
func NewRegistrySubject(spec HostSpec) Subject {
	host := NewHost(actions.Platform(spec.Platform), spec.Version)
	host.SetNotifications(actions.Permission(spec.Notifications))
	host.SetTracking(actions.Permission(spec.Tracking))
	host.SetHandles(spec.Interceptor == "handled")
	for name, how := range spec.Refuse {
		err := errors.New("refused by the host")
		if how == "blocked" {
			err = actions.Blocked("refused by the platform")
		}
		host.Refuse(actions.CapabilityName(name), err)
	}
	without := make([]actions.CapabilityName, len(spec.Without))
	for i, name := range spec.Without {
		without[i] = actions.CapabilityName(name)
	}
	capabilities := host.Capabilities(without...)
	if spec.Interceptor != "" {
		capabilities.Interceptor = host
	}
	return &registrySubject{
		registry:      actions.New(actions.Options{Host: capabilities}),
		host:          host,
		registrations: map[string]*actions.Registration{},
	}
}

type registrySubject struct {
	registry      *actions.Registry
	host          *Host
	registrations map[string]*actions.Registration

	mutex sync.Mutex
	turns []func()
}

func (s *registrySubject) Effects() []Effect { return s.host.Effects() }

func (s *registrySubject) Turn() bool {
	s.mutex.Lock()
	if len(s.turns) == 0 {
		s.mutex.Unlock()
		return false
	}
	turn := s.turns[0]
	s.turns = s.turns[1:]
	s.mutex.Unlock()
	turn()
	return true
}

func (s *registrySubject) Do(step Step) func() map[string]any {
	switch step.Do {
	case "register":
		registration, err := s.registry.Register(step.Subject, s.handler(step.Handler))
		if err != nil {
			return known(map[string]any{"ok": false, "error": string(actions.CodeOf(err))})
		}
		s.registrations[step.As] = registration
		return known(map[string]any{"ok": true})
	case "unregister":
		removed, err := s.registry.Unregister(step.Subject)
		if err != nil {
			return known(map[string]any{"removed": removed, "error": string(actions.CodeOf(err))})
		}
		return known(map[string]any{"removed": removed})
	case "dispose":
		return known(map[string]any{"removed": s.registrations[step.Subject].Unregister()})
	case "perform":
		return coming(s.registry.PerformAsync(step.Subject, step.Arguments))
	case "trigger":
		return coming(s.registry.Trigger(step.Subject, step.Arguments, step.Source))
	case "start":
		s.registry.Start()
		return known(map[string]any{"ok": true})
	case "validate":
		at := []any{}
		for _, problem := range s.registry.Validate(step.Subject, step.Arguments) {
			at = append(at, problem.At)
		}
		return known(map[string]any{"ok": len(at) == 0, "at": at})
	case "capability":
		return known(map[string]any{"state": string(s.registry.Capability(step.Subject))})
	}
	identifiers := []any{}
	for _, identifier := range s.registry.List() {
		identifiers = append(identifiers, identifier)
	}
	return known(map[string]any{"identifiers": identifiers})
}

func known(answer map[string]any) func() map[string]any {
	return func() map[string]any { return answer }
}

func coming(task *actions.Task) func() map[string]any {
	return func() map[string]any {
		result, done := task.Result()
		if !done {
			return nil
		}
		return resultAnswer(result)
	}
}

func resultAnswer(result actions.Result) map[string]any {
	answer := map[string]any{"status": string(result.Status)}
	if result.Message != "" {
		answer["message"] = result.Message
	}
	if result.Value != nil {
		answer["value"] = result.Value
	}
	if result.Items != nil {
		items := make([]any, len(result.Items))
		for i, item := range result.Items {
			items[i] = resultAnswer(item)
		}
		answer["items"] = items
	}
	return answer
}

// handler makes the handlers that a vector may name.
func (s *registrySubject) handler(name string) actions.Handler {
	switch name {
	case "record":
		return s.host.Handler
	case "fail":
		return func(actions.Invocation) (any, error) { return nil, errors.New("failed on purpose") }
	case "panic":
		return func(actions.Invocation) (any, error) { panic("panicked on purpose") }
	case "wait":
		return func(actions.Invocation) (any, error) { return s.later(func() {}), nil }
	case "wait-record":
		return func(invocation actions.Invocation) (any, error) {
			return s.later(func() { s.host.Record(HandlerEffect(invocation)) }), nil
		}
	}
	if other, ok := strings.CutPrefix(name, "perform:"); ok {
		return func(invocation actions.Invocation) (any, error) {
			return invocation.PerformAsync(other, invocation.Arguments()), nil
		}
	}
	return nil
}

// later does something in a later turn and then succeeds.
func (s *registrySubject) later(something func()) *actions.Completion {
	completion := new(actions.Completion)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.turns = append(s.turns, func() {
		something()
		completion.Succeed(nil)
	})
	return completion
}
