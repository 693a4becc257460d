package server_test

import (
	"errors"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
)

// newPair returns two servers that share a store.
func newPair(t *testing.T) (a, b *harness, shared *storetest.Shared) {
	shared = storetest.NewShared()
	over := func() *harness {
		return newServer(t, func(c *mockserver.Options) {
			c.State = keptIn(shared)
		})
	}
	return over(), over(), shared
}

// shows is what a server shows as the time of a key.
func (s *harness) shows(key string) string {
	s.Helper()
	path := "/_mock/clock"
	if key != "" {
		path += "?key=" + key
	}
	a := s.do(call{method: "GET", path: path})
	if a.StatusCode != 200 {
		s.Fatalf("%s: %d %s", path, a.StatusCode, a.text)
	}
	now, _ := a.body["now"].(string)
	return now
}

// TestServersThatShareAStore: what one changes is in force for the next request
// to the other. With several processes and a real database this is in the
// package e2e.
func TestServersThatShareAStore(t *testing.T) {
	a, b, _ := newPair(t)
	a.do(call{path: "/_mock/clock", body: `{"advance":"21m"}`})
	a.do(call{path: "/_mock/clock?key=live_demo", body: `{"advance":"1h"}`})
	b.do(call{path: "/_mock/clock?key=dev_demo", body: `{"set":"2030-01-01T00:00:00Z"}`})
	for key, want := range map[string]string{"": "2026-03-15T12:21:00Z", "live_demo": "2026-03-15T13:21:00Z",
		"dev_demo": "2030-01-01T00:00:00Z"} {
		if onA, onB := a.shows(key), b.shows(key); onA != want || onB != want {
			t.Errorf("the clock of %q shows %s and %s, want %s", key, onA, onB, want)
		}
	}
	b.do(call{method: "DELETE", path: "/_mock/clock?key=live_demo"})
	if got := a.shows("live_demo"); got != "2026-03-15T12:21:00Z" {
		t.Errorf("a clock given back elsewhere shows %s", got)
	}

	// Scenarios, and the count of those for the next few requests.
	a.set(`{"scenario":"error=CONFLICT","times":3,"match":{"stage":"create"}}`)
	forced := 0
	for n := range 8 {
		s := a
		if n%2 > 0 {
			s = b
		}
		if s.do(call{path: "/1.0/live_demo/export/userbase", body: userbaseBody}).StatusCode == 409 {
			forced++
		}
	}
	if forced != 3 {
		t.Errorf("%d of the next three requests were refused", forced)
	}

	// The dataset, and the reset of everything.
	a.answers("loading", a.do(call{path: "/_mock/data/profiles", body: `[{"custom_id":"ada"}]`}), 200)
	if shown := b.do(call{method: "GET", path: "/_mock/data"}); shown.body["profiles"] == nil || shown.body["profiles"].(float64) != 1 {
		t.Errorf("data loaded elsewhere: %s", shown.text)
	}
	b.do(call{method: "DELETE", path: "/_mock/state"})
	if got := a.shows(""); got != "2026-03-15T12:00:00Z" {
		t.Errorf("after a reset elsewhere the clock shows %s", got)
	}
	if shown := a.do(call{method: "GET", path: "/_mock/data"}); shown.body["profiles"].(float64) != 0 {
		t.Errorf("after a reset elsewhere: %s", shown.text)
	}
}

// TestStoreThatIsAway: a server that cannot ask for changes refuses to guess.
func TestStoreThatIsAway(t *testing.T) {
	a, _, shared := newPair(t)
	shared.Away(errors.New("connection refused"))
	a.refused(a.do(call{path: "/1.0/live_demo/export/userbase", body: userbaseBody}), 500, "SERVER_ERROR")
	shared.Away(nil)
	a.answers("once it is back", a.do(call{path: "/1.0/live_demo/export/userbase", body: userbaseBody}), 202)
}
