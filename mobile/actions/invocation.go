package actions

import (
	"sync"

	core "github.com/rehearsal-sdk/rehearsal/actions"
)

// Action is code of the app's that is registered under an identifier. (Actions module, section 2.)
type Action interface {
	// Perform does what the action is there for, on the thread that asked for it, and possibly on several at once. Returning ends
	// the action as performed, throwing ends it as failed; see [Invocation.Later] for what takes longer.
	Perform(invocation *Invocation) error
}

// Invocation is one call of an action. It may be kept, and used from any thread.
type Invocation struct {
	registry *Registry
	call     core.Invocation

	mutex    sync.Mutex
	returned bool
	value    any
	later    *Completion
	as       *Task
}

// handler makes what the core registers of an action.
func (r *Registry) handler(action Action) core.Handler {
	if action == nil {
		return nil
	}
	return func(call core.Invocation) (any, error) {
		invocation := &Invocation{registry: r, call: call}
		return invocation.ended(invocation.perform(action))
	}
}

// perform calls the action and gives what it threw.
func (i *Invocation) perform(action Action) error {
	defer i.registry.watchdog.end(i.registry.watchdog.beginAction(i.call.Identifier()))
	return caught(action.Perform(i))
}

// ended gives the core what the action has come to.
func (i *Invocation) ended(err error) (any, error) {
	i.mutex.Lock()
	i.returned = true
	value, later, as := i.value, i.later, i.as
	i.mutex.Unlock()
	switch {
	case err != nil && later != nil:
		later.ending.end(func() { later.fail(err) })
		fallthrough
	case later != nil:
		later.ending.settle()
		return later.handler, nil
	case err != nil:
		return nil, err
	case as != nil:
		return as.following(), nil
	}
	return value, nil
}

// Identifier gives the identifier as it was registered, not as it was asked for.
func (i *Invocation) Identifier() string {
	defer contain()
	return valid(i.call.Identifier())
}

// Arguments gives a copy of the arguments; there may be none in it.
func (i *Invocation) Arguments() *Arguments {
	defer contain()
	return argumentsOf(i.call.Arguments())
}

// Source says what caused the action to run. An item of a group has the group's source.
func (i *Invocation) Source() *Source {
	defer contain()
	return &Source{i.call.Source()}
}

// Item gives the position in the group that runs this action, from 0, or -1 when no group does.
func (i *Invocation) Item() int32 {
	defer contain()
	return int32(i.call.Item())
}

// Depth counts the performs that this one is inside of.
func (i *Invocation) Depth() int32 {
	defer contain()
	return int32(i.call.Depth())
}

// Perform performs another action from inside this one, as [Registry.Perform] does. It counts the nesting wherever it is called
// from: actions that perform each other for ever fail instead.
func (i *Invocation) Perform(identifier string, arguments *Arguments) (task *Task) {
	defer rescue(&task)
	return i.registry.follow(i.call.PerformAsync(identifier, arguments.snapshot()))
}

// SetValue gives the result a value. It counts when the action ends by returning.
func (i *Invocation) SetValue(value *Value) {
	defer contain()
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.value = value.get()
}

// Later has the action go on after it has returned, until the completion is ended. Call it before returning; every call gives the
// same completion. After returning it gives one that has ended.
func (i *Invocation) Later() *Completion {
	defer contain()
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if i.later == nil {
		i.later = i.registry.newCompletion()
		if i.returned {
			i.later.ending.discard()
		}
	}
	return i.later
}

// EndAs has the action end as a task does, such as one of [Invocation.Perform]: performed when that one is, failed otherwise. Call
// it before returning.
func (i *Invocation) EndAs(task *Task) {
	defer contain()
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.as = task
}

// newCompletion makes the completion of an action that goes on.
func (r *Registry) newCompletion() *Completion {
	handler := new(core.Completion)
	c := &Completion{
		registry: r,
		succeed:  func(value any) { handler.Succeed(value) },
		fail:     func(err error) { handler.Fail(err) },
		handler:  handler,
	}
	c.ending = r.newEnding(c.fail)
	handler.OnCancel(func() { c.ending.discard() })
	return c
}

// Source says what caused an action to run. (Actions module, section 2.) It does not change.
type Source struct {
	source core.Source
}

// NewSource makes a source for [Registry.Trigger]. The kind is [SourcePush] or any other text, "" is [SourceManual]; the payload
// is what came with it, or null.
func NewSource(kind string, payload *Arguments) *Source {
	defer contain()
	source := core.Source{Kind: valid(kind)}
	if payload != nil {
		source.Payload = payload.object() // one with nothing in it is a payload
	}
	return &Source{source}
}

// Kind gives the kind.
func (s *Source) Kind() string {
	defer contain()
	return s.source.Kind
}

// Payload gives a copy of what came with the trigger, or null when nothing did.
func (s *Source) Payload() *Arguments {
	defer contain()
	if s.source.Payload == nil {
		return nil
	}
	return argumentsOf(s.source.Payload)
}
