package actions_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

// plain is what an application would write without this package: it folds identifiers and calls a function, and does nothing
// about panics, copies, nesting or results.
type plain struct {
	mutex    sync.RWMutex
	handlers map[string]func(map[string]any) (any, error)
}

func (p *plain) perform(identifier string, arguments map[string]any) (any, error) {
	key := strings.ToLower(identifier)
	p.mutex.RLock()
	handler := p.handlers[key]
	p.mutex.RUnlock()
	return handler(arguments)
}

var (
	benchIdentifiers = []string{"open-cart", "Say-Hello", "TRACK", "checkout.step-2", "refresh-the-whole-screen", "a", "Show.Banner", "log-out"}
	benchArguments   = actions.Arguments{"name": "value", "count": int64(3), "flag": true, "price": 9.5, "nothing": nil}
)

func newPlain() *plain {
	p := &plain{handlers: map[string]func(map[string]any) (any, error){}}
	for _, identifier := range benchIdentifiers {
		p.handlers[strings.ToLower(identifier)] = func(map[string]any) (any, error) { return nil, nil }
	}
	return p
}

func newBenchRegistry(tb testing.TB) *actions.Registry {
	registry := actions.New(actions.Options{})
	for _, identifier := range benchIdentifiers {
		if _, err := registry.Register(identifier, func(actions.Invocation) (any, error) { return nil, nil }); err != nil {
			tb.Fatal(err)
		}
	}
	return registry
}

// BenchmarkPerform compares performs with calls through the plain registry, in one run, so that the ratios mean something.
func BenchmarkPerform(b *testing.B) {
	run := func(name string, call func(identifier string)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				call(benchIdentifiers[i%len(benchIdentifiers)])
			}
		})
	}
	p, r := newPlain(), newBenchRegistry(b)
	registrations := map[string]*actions.Registration{}
	for _, identifier := range benchIdentifiers {
		registrations[identifier] = r.Lookup(identifier)
	}
	one := registrations[benchIdentifiers[0]]
	run("plain", func(identifier string) { _, _ = p.perform(identifier, nil) })
	run("perform", func(identifier string) { r.Perform(identifier, nil) })
	run("perform-known", func(string) { one.Begin(actions.Call{}) })
	run("perform-arguments", func(identifier string) { r.Perform(identifier, benchArguments) })
	run("perform-async", func(identifier string) { r.PerformAsync(identifier, nil) })
	run("not-found", func(string) { r.Perform("nobody", nil) })
}
