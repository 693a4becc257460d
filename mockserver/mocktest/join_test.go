package mocktest_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
)

// joined lets a registry join a mock.
func joined(mock *mocktest.Mock, name string, registry *actions.Registry) *mocktest.JoinedApp {
	return mock.Join(mocktest.App{Name: name, Actions: registry.List(), Perform: func(call mocktest.AppCall) []byte {
		arguments, _ := actionsjson.DecodeArguments(call.Arguments)
		result, err := actionsjson.AppendResult(nil, registry.Perform(call.Identifier, arguments))
		if err != nil {
			return fmt.Appendf(nil, `{"status":"failed","message":%q}`, err)
		}
		return result
	}})
}

// TestJoinedRegistry drives real registries over HTTP: what comes back is what the core gave.
func TestJoinedRegistry(t *testing.T) {
	mock := mocktest.Start(t, mocktest.Options{Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)})
	registry := actions.New(actions.Options{})
	must.Get(registry.Register("open-cart", func(i actions.Invocation) (any, error) { return i.Arguments()["step"], nil }))(t)
	must.Get(registry.Register("fail", func(actions.Invocation) (any, error) { return nil, errors.New("no cart") }))(t)
	shop := joined(mock, "Shop", registry)
	for _, c := range []struct {
		identifier string
		arguments  any
		want       string
	}{
		{"Open-Cart", map[string]any{"step": 9007199254740993}, "performed  9007199254740993 0"},
		{"open-cart", nil, "performed   0"},
		{"fail", nil, "failed no cart  0"},
		{"service.dismiss", nil, "unsupported"},
		{"open-card", nil, "not_found"},
		{"service.group", map[string]any{"actions": [][]any{{"open-cart", map[string]any{}}, {"fail", map[string]any{}}}}, "partial"},
	} {
		got := mock.Host("-").Perform(c.identifier, c.arguments)
		if text := fmt.Sprintf("%s %s %s %d", got.Status, got.Message, got.Value, len(got.Items)); text[:min(len(text), len(c.want))] != c.want {
			t.Errorf("%s: %s, want %s", c.identifier, text, c.want)
		}
	}
	must.Equal(t, shop.Trigger("open-cart", nil, map[string]any{"campaign": "welcome"}).Status, "performed", "a trigger")

	idle := mock.Join(mocktest.App{Name: "Idle", Actions: []string{"open-cart"}})
	must.Equal(t, idle.Perform("open-cart", nil).Status, "not_found", "an app that performs nothing")
	idle.Leave()

	shop.Send(map[string]any{"type": "performed", "identifier": "fail", "result": map[string]any{"status": "failed"}})
	joined(mock, "Other", registry).Leave()
	state := shop.State()
	last := state.Performed[len(state.Performed)-2:]
	must.Equal(t, fmt.Sprint(state.State, len(state.Actions), last[0].Source.Kind, string(last[0].Source.Payload), last[1].Identifier,
		last[1].Call == ""),
		`connected2push{"campaign":"welcome"}failtrue`, "the app")
	must.Equal(t, mock.Host("-").Perform("open-cart", nil).Status, "performed", "the only app that is there")
}

// BenchmarkJoinedPerform is a perform through the mock, beside BenchmarkBarePerform.
func BenchmarkJoinedPerform(b *testing.B) {
	registry := actions.New(actions.Options{})
	must.Get(registry.Register("a", func(actions.Invocation) (any, error) { return nil, nil }))(b)
	app := joined(mocktest.Start(b, mocktest.Options{Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)}), "", registry)
	for b.Loop() {
		must.Equal(b, app.Perform("a", nil).Status, "performed", "the result")
	}
}

func BenchmarkBarePerform(b *testing.B) {
	registry := actions.New(actions.Options{})
	must.Get(registry.Register("a", func(actions.Invocation) (any, error) { return nil, nil }))(b)
	for b.Loop() {
		must.Equal(b, registry.Perform("a", nil).Status, actions.StatusPerformed, "the result")
	}
}
