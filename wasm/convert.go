//go:build js && wasm

package main

import (
	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/wasm/internal/wire"
)

// thrown is what a handler or a host of the page's threw or rejected with: its text, and where the page keeps it.
type thrown struct {
	text string
	kept wire.Reference
}

func (t *thrown) Error() string { return t.text }

// objectOf gives arguments or a payload that the page sent, and false when they are no object at all.
func objectOf(value any) (object actions.Arguments, ok bool) {
	if value == nil {
		return nil, true
	}
	values, ok := value.(map[string]any)
	return values, ok
}

// noObject is the problem of arguments or a payload that are no object.
func noObject(what string) actions.Problem {
	return actions.Problem{Status: actions.StatusInvalidArguments,
		Message: "the " + what + " is not an object: an object or nothing is required"}
}

// sourceOf reads a source as the page sends it: {kind, payload}. It gives false when the payload is no object.
func sourceOf(value any) (actions.Source, bool) {
	object, _ := value.(map[string]any)
	kind, _ := object["kind"].(string)
	payload, ok := objectOf(object["payload"])
	return actions.Source{Kind: kind, Payload: payload}, ok
}

// invocation is what the page's handler of an action is given: the arguments and the source.
type invocation actions.Invocation

func (i *invocation) Append(dst []byte) []byte {
	given := (*actions.Invocation)(i)
	source := given.Source()
	dst = wire.Append(wire.AppendList(dst, 2), map[string]any(given.Arguments()))
	if source.Payload == nil {
		return wire.AppendText(wire.AppendName(wire.AppendMap(dst, 1), "kind"), source.Kind)
	}
	dst = wire.AppendText(wire.AppendName(wire.AppendMap(dst, 2), "kind"), source.Kind)
	return wire.Append(wire.AppendName(dst, "payload"), map[string]any(source.Payload))
}

// result is a result as the page has it.
type result actions.Result

func (r *result) Append(dst []byte) []byte {
	cause := thrownIn(r.Cause)
	members := 1
	for _, there := range [...]bool{r.Message != "", r.Value != nil, cause != nil, r.Items != nil} {
		if there {
			members++
		}
	}
	dst = wire.AppendText(wire.AppendName(wire.AppendMap(dst, members), "status"), string(r.Status))
	if r.Message != "" {
		dst = wire.AppendText(wire.AppendName(dst, "message"), r.Message)
	}
	if r.Value != nil {
		dst = wire.Append(wire.AppendName(dst, "value"), r.Value)
	}
	if cause != nil {
		dst = wire.Append(wire.AppendName(dst, "cause"), cause.kept)
	}
	if r.Items != nil {
		dst = wire.AppendList(wire.AppendName(dst, "items"), len(r.Items))
		for i := range r.Items {
			dst = (*result)(&r.Items[i]).Append(dst)
		}
	}
	return dst
}

// thrownIn gives what was thrown, as the host's errors hold it or as the handler's errors are, or nil.
func thrownIn(cause error) *thrown {
	if e, ok := cause.(*actions.Error); ok {
		cause = e.Cause
	}
	t, _ := cause.(*thrown)
	return t
}

// errorValue gives an error of the core's as the page has it.
func errorValue(err error) any {
	message := err.Error()
	if e, ok := err.(*actions.Error); ok {
		message = e.Message
	}
	return wire.Object{{Name: "code", Value: string(actions.CodeOf(err))}, {Name: "message", Value: message}}
}
