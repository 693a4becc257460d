package actions_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

// plain is what an application would write without this package: it folds identifiers and calls a function, and does nothing
// about panics, copies, nesting or results.
type plain struct {
	mutex    sync.RWMutex
	handlers map[string]func(map[string]any) (any, error)
}

func (p *plain) perform(identifier string, arguments map[string]any) {
	key := strings.ToLower(identifier)
	p.mutex.RLock()
	handler := p.handlers[key]
	p.mutex.RUnlock()
	_, _ = handler(arguments)
}

var (
	benchIdentifiers = []string{"open-cart", "Say-Hello", "TRACK", "checkout.step-2", "refresh-the-whole-screen", "a", "Show.Banner",
		"log-out"}
	benchArguments = actions.Arguments{"name": "value", "count": int64(3), "flag": true, "price": 9.5, "nothing": nil}
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
		mustRegister(tb, registry, identifier, nothing)
	}
	return registry
}

// BenchmarkPerform measures performs, each beside calls through the plain registry in turns of a thousand, so that the ratio
// "x-plain" means something on a machine that is busy with other things too.
func BenchmarkPerform(b *testing.B) {
	p, r := newPlain(), newBenchRegistry(b)
	known := r.Lookup(benchIdentifiers[0])
	group := actions.Arguments{"actions": []any{[]any{"a", map[string]any{}}, []any{"TRACK", map[string]any{}}}}
	for _, c := range []struct {
		name string
		call func(identifier string)
	}{
		{"fresh", func(identifier string) { r.Perform(identifier, nil) }},
		{"known", func(string) { known.Begin(actions.Call{}) }},
		{"arguments", func(identifier string) { r.Perform(identifier, benchArguments) }},
		{"async", func(identifier string) { r.PerformAsync(identifier, nil) }},
		{"unknown", func(string) { r.Perform("nobody", nil) }},
		{"group", func(string) { r.Perform("service.group", group) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var ours, theirs time.Duration
			for done := 0; done < b.N; {
				turn := min(1000, b.N-done)
				start := time.Now()
				for i := range turn {
					c.call(benchIdentifiers[i%len(benchIdentifiers)])
				}
				middle := time.Now()
				for i := range turn {
					p.perform(benchIdentifiers[i%len(benchIdentifiers)], nil)
				}
				ours, theirs, done = ours+middle.Sub(start), theirs+time.Since(middle), done+turn
			}
			b.ReportMetric(float64(ours)/float64(b.N), "ns/op")
			b.ReportMetric(float64(ours)/float64(theirs), "x-plain")
		})
	}
}

// BenchmarkParallel performs on all processors at once.
func BenchmarkParallel(b *testing.B) {
	r := newBenchRegistry(b)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			r.Perform(benchIdentifiers[i%len(benchIdentifiers)], nil)
		}
	})
}
