package mockserver_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestScenarioOption: the default of a server, and who sleeps for it.
func TestScenarioOption(t *testing.T) {
	var slept time.Duration
	if _, err := mockserver.New(mockserver.Options{StartAt: noon, Profiles: 50, Scenario: "create.latency=1h30m"}); err == nil || !strings.Contains(err.Error(), "scenario: latency") {
		t.Errorf("an hour and a half: %v", err)
	}
	server := must.Get(mockserver.New(mockserver.Options{
		StartAt:  noon,
		Profiles: 50, Scenario: "create.latency=9m;rows=3",
		Sleep: func(_ context.Context, wait time.Duration) error { slept += wait; return nil },
	}))(t)
	defer server.Close()
	id := create(t, server, "progress=now")
	if _, body := do(t, server, "GET", "http://localhost/_mock/exports/"+id, ""); !strings.Contains(body, `"max_rows":3`) || slept != 9*time.Minute {
		t.Errorf("slept %v: %s", slept, body)
	}
}

// TestControlTokenOption: what it may be, and that it is asked for.
func TestControlTokenOption(t *testing.T) {
	if _, err := mockserver.New(mockserver.Options{StartAt: noon, ControlToken: "two words"}); err == nil || !strings.Contains(err.Error(), "control-token") {
		t.Errorf("two words: %v", err)
	}
	server := must.Get(mockserver.New(mockserver.Options{StartAt: noon, Profiles: 50, ControlToken: "secret"}))(t)
	defer server.Close()
	for token, want := range map[string]int{"secret": 200, "token_demo": 401} {
		if status, body := do(t, server, "GET", "http://mock.example/_mock/clock", "", "Authorization", "Bearer "+token); status != want {
			t.Errorf("%s: %d %s", token, status, body)
		}
	}
}
