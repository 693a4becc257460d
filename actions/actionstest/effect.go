package actionstest

import (
	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
)

// Effect is one thing that was done: to the host, such as
//
//	{"host": "clipboard.write", "text": "hello"}
//	{"host": "link.open", "url": "https://example.com", "in_app": false}
//
// or by a handler that records:
//
//	{"handler": "say-hello", "arguments": {"n": 1}, "source": "manual"}
//	{"handler": "say-hello", "arguments": {}, "source": {"kind": "push", "payload": {"k": "v"}}}
//
// The host effects are dismiss, link.open {url, in_app}, interceptor {url}, notifications.request, settings.open {page},
// clipboard.write {text}, review.request, tracking.request, tag.add and tag.remove {collection, tag}, and
// event {name, label, tags, data}. Values have the types that [actions.Arguments] documents.
type Effect map[string]any

// String gives the effect as JSON.
func (e Effect) String() string {
	text, err := actionsjson.Append(nil, map[string]any(e))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func hostEffect(name string, details ...any) Effect {
	effect := Effect{"host": name}
	for i := 0; i < len(details); i += 2 {
		effect[details[i].(string)] = details[i+1]
	}
	return effect
}

// HandlerEffect is what a recording handler leaves.
func HandlerEffect(invocation actions.Invocation) Effect {
	effect := Effect{"handler": invocation.Identifier(), "arguments": map[string]any(invocation.Arguments()), "source": actions.SourceManual}
	if source := invocation.Source(); source.Kind != actions.SourceManual || source.Payload != nil {
		object := map[string]any{"kind": source.Kind}
		if source.Payload != nil {
			object["payload"] = map[string]any(source.Payload)
		}
		effect["source"] = object
	}
	return effect
}
