package mockserver_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestReload: other options answer the next request; wrong ones change nothing. State, clock and journal stay.
func TestReload(t *testing.T) {
	server := must.Get(mockserver.New(mockserver.Options{StartAt: noon, Profiles: 10, Progress: "now"}))(t)
	defer server.Close()
	if status, body := do(t, server, "POST", "http://localhost/_mock/clock", `{"set":"2026-04-01T00:00:00Z","freeze":true}`); status != http.StatusOK {
		t.Fatalf("answered %d: %s", status, body)
	}
	id := create(t, server, "")
	unread := errors.New("unread")
	for says, read := range map[string]func() (mockserver.Options, error){
		"unread":   func() (mockserver.Options, error) { return mockserver.Options{StartAt: noon}, unread },
		"profiles": func() (mockserver.Options, error) { return mockserver.Options{StartAt: noon, Profiles: -1}, nil },
		"NOTHING": func() (mockserver.Options, error) {
			return mockserver.Options{StartAt: noon, Scenario: "error=NOTHING"}, nil
		},
		"schemas": func() (mockserver.Options, error) {
			return mockserver.Options{StartAt: noon, Schemas: fstest.MapFS{"x.json": {Data: []byte("{")}}}, nil
		},
		"data: ": func() (mockserver.Options, error) {
			return mockserver.Options{StartAt: noon, Data: fstest.MapFS{}}, nil
		},
		"retention": func() (mockserver.Options, error) {
			return mockserver.Options{StartAt: noon, Retention: 2 * time.Hour}, nil
		},
	} {
		if err := server.Reload(read); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
		create(t, server, "")
	}
	must.Do(t, server.Reload(func() (mockserver.Options, error) {
		return mockserver.Options{StartAt: noon, Profiles: 20, Progress: "now", Scenario: "create.error=CONFLICT"}, nil
	}))
	if status, body := do(t, server, "POST", userbase, ids); status != http.StatusConflict {
		t.Errorf("creating answered %d: %s", status, body)
	}
	for path, want := range map[string]string{
		"/_mock/exports/" + id: `"profiles":10`, "/_mock/clock": `"now":"2026-04-01T00:00:00Z","frozen":true`, "/_mock/journal": id,
		"/_mock/health": `"reloads":{"count":7,"failed":false}`,
	} {
		if status, body := do(t, server, "GET", "http://localhost"+path, ""); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s answered %d without %s: %s", path, status, want, body)
		}
	}
}
