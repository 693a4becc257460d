package server_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/scenarios"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestScenariosOutliveTheProcess keeps them in a file.
func TestScenariosOutliveTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	open := func() *harness {
		return newServer(t, func(c *mockserver.Options) {
			state := must.Get(bolt.Open(t.Context(), path))(t)
			c.State, c.Random = keptIn(state), rand.Reader
		})
	}
	s := open()
	s.set(`{"scenario":"rows=1"}`)
	gone := s.set(`{"scenario":"rows=2"}`)
	s.set(`{"times":2,"scenario":"error=CONFLICT"}`)
	s.do(call{path: userbasePath, body: userbaseBody})
	s.do(call{method: "DELETE", path: "/_mock/scenarios/" + gone})
	remembers := s.create(userbasePath, userbaseBody, "only;progress=now;status.error=SERVER_ERROR;truncated")
	s.store.Close()
	s = open()
	if left := s.forced(""); strings.Join(left, " ") != "rows=1 error=CONFLICT" {
		t.Errorf("left: %q", left)
	}
	s.refused(s.do(call{path: userbasePath, body: userbaseBody}), 409, "CONFLICT")
	must.Equal(t, s.rowsOf(s.create(userbasePath, userbaseBody, "")), 1, "rows")
	s.refused(s.do(call{method: "GET", path: statusPath + remembers}), 500, "SERVER_ERROR")
	if !s.file(remembers).Faults.Truncated {
		t.Error("the file is no longer truncated")
	}
	must.Equal(t, s.set(`{"scenario":"rows=1"}`), "scenario_4", "the next one, identifiers must not be used twice")
}

// TestScenariosAfterAReset: what is set when nothing is left has an identifier that was given out before, and is kept as what it is.
func TestScenariosAfterAReset(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	open := func() *harness {
		return newServer(t, func(c *mockserver.Options) {
			state := must.Get(bolt.Open(t.Context(), path))(t)
			c.State = keptIn(state)
		})
	}
	s := open()
	untouched := s.do(call{method: "GET", path: "/_mock/state"}).text
	for rows, forget := range []call{{method: http.MethodDelete, path: "/_mock/state"},
		{method: http.MethodPut, path: "/_mock/state", body: untouched}} {
		s.set(fmt.Sprintf(`{"scenario":"rows=%d"}`, 10+rows))
		s.answers(forget.method, s.do(forget), 200)
		s.set(fmt.Sprintf(`{"scenario":"rows=%d"}`, 1+rows))
		want := fmt.Sprintf("rows=%d", 1+rows)
		for _, when := range []string{"at once", "after a restart"} {
			must.Equal(t, strings.Join(s.forced(""), " "), want, "after %s, %s", forget.method, when)
			s.store.Close()
			s = open()
		}
	}
}

// TestScenariosControl: list, add, delete, and what is refused.
func TestScenariosControl(t *testing.T) {
	s := newServer(t)
	a := s.do(call{path: "/_mock/scenarios",
		body: `{"match":{"stage":"create","kind":"userbase","key":"live_demo","target":"*"},"times":3,"from":"2026-03-15T12:00:00Z","scenario":" rows=3 ; latency=1s"}`})
	if a.body["scenario"] != "latency=1s;rows=3" || a.body["times"] != 3.0 || a.body["created_at"] != "2026-03-15T12:00:00Z" ||
		a.body["match"].(map[string]any)["kind"] != "userbase" {
		t.Errorf("added: %s", a.text)
	}
	s.set(`{"match":{"key":"dev_demo"},"scenario":"rows=4"}`)
	s.set(`{"scenario":"rows=5"}`)
	for query, want := range map[string]string{"": "latency=1s;rows=3 rows=4 rows=5", "?key=dev_demo": "rows=4", "?key=project_demo": ""} {
		must.Equal(t, strings.Join(s.forced(query), " "), want, "%s lists", query)
	}
	s.refused(s.do(call{method: "GET", path: "/_mock/scenarios?kee=x"}), 400, "MALFORMED_PARAMETER", "did you mean key?")
	for _, path := range []string{"?key=dev_demo", "/scenario_1"} {
		s.answers("deleting "+path, s.do(call{method: "DELETE", path: "/_mock/scenarios" + path}), 204)
	}
	s.refused(s.do(call{method: "DELETE", path: "/_mock/scenarios/scenario_1"}), 404, "ROUTE_NOT_FOUND", "used up")
	if got := s.forced(""); len(got) != 1 || got[0] != "rows=5" {
		t.Errorf("left: %q", got)
	}
	s.do(call{method: "DELETE", path: "/_mock/scenarios"})
	if got := s.forced(""); len(got) != 0 {
		t.Errorf("left: %q", got)
	}
	for body, says := range map[string]string{
		`{}`: "scenario is missing", `[]`: "object", `{"scenario":""}`: "not empty", `{"scenario":"; ;"}`: "does nothing",
		`{"scenario":"row=1"}`: "did you mean rows?", `{"scenario":"error=NOTHING"}`: `"NOTHING" is not known; allowed: API_MISUSE`,
		`{"scenario":"rows=1","time":3}`: "did you mean times?", `{"scenario":"rows=1","times":0}`: "at least 1",
		`{"scenario":"rows=1","times":9e9}`:                  "at most 1000000",
		`{"scenario":"rows=1","match":{"kind":"userbases"}}`: "did you mean userbase?",
		`{"scenario":"rows=1","match":{"key":"nobody"}}`:     "no application key",
		`{"scenario":"rows=1","match":{"stage":"files"}}`:    "did you mean file?",
		`{"scenario":"rows=1","match":{"path":"x"}}`:         "beginning with /",
		`{"scenario":"rows=1","match":{"tarGet":"x"}}`:       "did you mean target?", `{"scenario":"rows=1","from":"noon"}`: "RFC 3339",
		`{"scenario":"rows=1","from":"2026-03-15T12:00:00Z","to":"2026-03-15T12:00:00Z"}`: "is not after from",
	} {
		a := s.do(call{path: "/_mock/scenarios", body: body})
		if a.StatusCode != 400 || !strings.Contains(a.message(), says) {
			t.Errorf("%s: %d, want a message with %q: %s", body, a.StatusCode, says, a.text)
		}
	}
}

// TestScenariosAreBounded: a script that never deletes its scenarios is told.
func TestScenariosAreBounded(t *testing.T) {
	var set scenarios.Set
	for range scenarios.Most {
		var err error
		set, _, err = set.Add(scenarios.Rule{Scenario: scenarioOf(t, "rows=1")})
		must.Do(t, err)
	}
	kept := must.Get(json.Marshal(set))(t)
	s := newServer(t, func(c *mockserver.Options) {
		state := memory.New()
		must.Do(t, state.SetSetting(t.Context(), live.ScenariosSetting, kept))
		c.State = keptIn(state)
	})
	s.refused(s.do(call{path: "/_mock/scenarios", body: `{"scenario":"rows=1"}`}), 409, "CONFLICT", "which is the most")
	s.do(call{method: "DELETE", path: "/_mock/scenarios/scenario_7"})
	must.Equal(t, s.set(`{"scenario":"rows=1"}`), "scenario_1001", "the next one")
}

// forgetfulStore fails to keep settings.
type forgetfulStore struct{ store.Store }

func (forgetfulStore) UpdateSetting(context.Context, string, func([]byte) ([]byte, error)) error {
	return store.ErrClosed
}

// TestScenarioThatCannotBeKept is not in force either.
func TestScenarioThatCannotBeKept(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) { c.State = keptIn(forgetfulStore{memory.New()}) })
	s.refused(s.do(call{path: "/_mock/scenarios", body: `{"scenario":"rows=1"}`}), 500, "SERVER_ERROR")
	if got := s.forced(""); len(got) != 0 {
		t.Errorf("in force: %q", got)
	}
}

// TestDefaultScenarioIsChecked at the start.
func TestDefaultScenarioIsChecked(t *testing.T) {
	config := usualConfig()
	config.Scenario = "file.error=NOTHING"
	if _, err := mockserver.New(config); err == nil || !strings.Contains(err.Error(), "NOTHING") {
		t.Errorf("an unknown error: %v", err)
	}
}
