package actions_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// maxBody is what a body of a link has at most.
const maxBody = 512 << 10

// ear keeps what a link has told.
type ear struct {
	*testing.T
	link *actions.PlaygroundLink
	kept []string
}

// hears waits until a message has all parts, and takes it out of what is kept.
func (e *ear) hears(parts ...string) {
	e.Helper()
	for range 50 {
		for i, message := range e.kept {
			if !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(message, part) }) {
				e.kept = slices.Delete(e.kept, i, i+1)
				return
			}
		}
		var body struct{ Messages []json.RawMessage }
		text := e.link.Next(100)
		if err := json.Unmarshal([]byte(text), &body); err != nil || len(body.Messages) > 100 || len(text) > maxBody {
			e.Fatalf("%d messages, %v: %.200s", len(body.Messages), err, text)
		}
		for _, message := range body.Messages {
			proof.Hold(e, len(message) <= 65_536, "a message of %d bytes", len(message))
			e.kept = append(e.kept, string(message))
		}
	}
	e.Fatalf("nothing was told with %q, but %.3000q", parts, e.kept)
}

func TestPlaygroundLink(t *testing.T) {
	registry := actions.NewRegistry(nil)
	spec := actionstest.HostSpec{Notifications: "denied", Tracking: "maybe"}
	newPhone(spec).install(registry, spec)
	proof.Get(registry.Register("echo", act(func(i *actions.Invocation) error {
		i.SetValue(actions.ArgumentsValue(i.Arguments()))
		return nil
	})))(t)
	l := registry.PlaygroundLink()
	from := &ear{T: t, link: l}
	proof.Do(t, l.Describe("echo", `{"title":"Echo","sample":{"n":1}}`))
	proof.Hold(t, l.Describe("echo", "[]") != nil, "a description is an object")
	hello := proof.Get(l.Hello(`{"name":"Shop","instance":"i"}`))(t)
	const wanted = `{"actions":[{"identifier":"echo","sample":{"n":1},"title":"Echo"}],"held":0,"instance":"i","name":"Shop","protocol":1}`
	proof.Hold(t, hello == wanted, "%s", hello)
	from.hears(`"type":"capabilities"`, `"service.clipboard":"available"`, `"permissions":{"notifications":"denied"}`)

	// Triggers before the start are held, and told when they ran.
	l.Receive("call", `{"call":"1","trigger":{"identifier":"ECHO","arguments":{"a":1},"source":{"kind":"push","payload":{"p":1}}}}`)
	from.hears(`"call":"1","count":1,"type":"held"`)
	registry.Start()
	from.hears(`"type":"performed"`, `"identifier":"ECHO"`, `"kind":"push","payload":{"p":1}`, `"value":{"a":1}`)
	for _, c := range []struct{ event, data, told string }{
		{"call", `{"call":"2","perform":{"identifier":"echo","arguments":{"b":2}},"deadline_ms":60000}`,
			`{"call":"2","result":{"status":"performed","value":{"b":2}},"type":"result"}`},
		{"call", `{"call":"3","trigger":{"identifier":"echo","arguments":{}}}`,
			`{"call":"3","result":{"status":"performed","value":{}},"type":"result"}`},
		{"call", `{"call":"4","perform":{"identifier":"nobody"}}`, `"not_found"`},
		{"call", `{"call":"5","perform":{"identifier":"service.group","arguments":{"actions":[["echo",{}]]}}}`,
			`"items":[{"status":"performed","value":{}}]`},
	} {
		l.Receive(c.event, c.data)
		from.hears(c.told)
	}
	for _, nonsense := range []string{"", "[]", `{"call":7}`, `{"call":"6"}`, `{"call":"6","perform":3}`} {
		l.Receive("call", nonsense)
		l.Receive("other", nonsense)
	}

	// What ends by a cancel or by its deadline.
	proof.Get(registry.Register("sleep", act(func(i *actions.Invocation) error { i.Later(); return nil })))(t)
	from.hears(`{"action":{"identifier":"sleep"},"type":"registered"}`)
	l.Receive("call", `{"call":"7","perform":{"identifier":"sleep"}}`)
	l.Receive("cancel", `{"call":"7"}`)
	l.Receive("call", `{"call":"8","perform":{"identifier":"sleep"},"deadline_ms":1}`)
	from.hears(`"call":"8"`, `"canceled"`)
	proof.Get(registry.Unregister("sleep"))(t)
	from.hears(`{"identifier":"sleep","type":"unregistered"}`)

	// What the app does by itself.
	registry.Perform("service.clipboard", proof.Get(actions.ArgumentsFromJSON(`{"t":"x"}`))(t))
	from.hears(`{"arguments":{"t":"x"},"identifier":"service.clipboard",`, `"result":{"status":"performed"},"source":{"kind":"manual"},"type":"performed"}`)
	from.hears(`{"type":"alive"}`)

	next := registry.PlaygroundLink()
	l.Close() // no harm to the one after it
	proof.Hold(t, l.Next(1) == "", "the earlier link goes on")
	registry.Perform("nobody", nil)
	(&ear{T: t, link: next}).hears(`"nobody"`)
	registry.Perform("last", nil)
	next.Close()
	(&ear{T: t, link: next}).hears(`"last"`)
	proof.Hold(t, next.Next(60_000) == "", "a link goes on after its end")
}

// TestPlaygroundLinkIsBounded: what is large, deep, no JSON or too much is left out and counted, and no result is another one.
func TestPlaygroundLinkIsBounded(t *testing.T) {
	registry := actions.NewRegistry(nil)
	l := registry.PlaygroundLink()
	from := &ear{T: t, link: l}
	deep := strings.Repeat(`{"a":[`, 40) + strings.Repeat("]}", 40)
	for name, value := range map[string]*actions.Value{
		"deep":     proof.Get(actions.ValueFromJSON(deep))(t),
		"large":    actions.StringValue(strings.Repeat("é", 1<<20)),
		"escaped":  actions.StringValue(strings.Repeat("\x01", 70_000)),
		"list":     proof.Get(actions.ValueFromJSON("[" + strings.Repeat("1,", 100_000) + "1]"))(t),
		"infinite": actions.DoubleValue(math.Inf(1)),
	} {
		proof.Get(registry.Register(name, act(func(i *actions.Invocation) error { i.SetValue(value); return nil })))(t)
		arguments := actions.NewArguments()
		arguments.SetValue("x", value)
		result := registry.Perform(name, arguments).Result()
		proof.Hold(t, result.IsPerformed() && result.Value().Type() == value.Type(), "%s: %s", name, result.Status())
		from.hears(`"type":"performed"`, `"identifier":"`+name+`"`)
		from.hears(`"type":"omitted"`, "65536 bytes and 12 levels")
	}
	for range 300 {
		registry.Perform("nobody", nil)
	}
	from.hears(`"type":"omitted"`, `"count":44`, "the oldest first")
	for i := range 150 {
		proof.Get(registry.Register(fmt.Sprint("action ", i), act(func(*actions.Invocation) error { return nil })))(t)
	}
	from.hears(`"action 99"`)

	for i := range 200 {
		identifier := fmt.Sprintf("large %03d", i)
		proof.Get(registry.Register(identifier, act(func(*actions.Invocation) error { return nil })))(t)
		proof.Do(t, l.Describe(identifier, `{"title":"`+strings.Repeat("x", 50_000)+`"}`))
	}
	proof.Do(t, l.Describe("action 1", `{"title":"`+strings.Repeat("x", 70_000)+`"}`))
	hello := proof.Get(l.Hello(`{"name":"Shop"}`))(t)
	proof.Hold(t, len(hello) <= maxBody+100, "the app joins with %d bytes", len(hello))
	proof.Hold(t, strings.Contains(hello, `"action 1"`) && strings.Contains(hello, `"large 000"`), "%.3000s", hello)
	from.hears(`"type":"registered"`, `"large 199"`)
}
