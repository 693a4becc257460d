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
	return actions.Problem{Status: actions.StatusInvalidArguments, Message: "the " + what + " is not an object: an object or nothing is required"}
}

// sourceOf reads a source as the page sends it: {kind, payload}. It gives false when the payload is no object.
func sourceOf(value any) (actions.Source, bool) {
	object, _ := value.(map[string]any)
	kind, _ := object["kind"].(string)
	payload, ok := objectOf(object["payload"])
	return actions.Source{Kind: kind, Payload: payload}, ok
}

func sourceValue(source actions.Source) any {
	value := wire.Object{{Name: "kind", Value: source.Kind}}
	if source.Payload != nil {
		value = append(value, wire.Member{Name: "payload", Value: map[string]any(source.Payload)})
	}
	return value
}

// resultValue gives a result as the page has it.
func resultValue(result actions.Result) any {
	value := wire.Object{{Name: "status", Value: string(result.Status)}}
	add := func(name string, member any) { value = append(value, wire.Member{Name: name, Value: member}) }
	if result.Message != "" {
		add("message", result.Message)
	}
	if result.Value != nil {
		add("value", result.Value)
	}
	if cause := thrownIn(result.Cause); cause != nil {
		add("cause", cause.kept)
	}
	if result.Items != nil {
		items := make([]any, len(result.Items))
		for i, item := range result.Items {
			items[i] = resultValue(item)
		}
		add("items", items)
	}
	return value
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
