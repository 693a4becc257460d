package server_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func (s *harness) put(body string) answer {
	s.Helper()
	return s.do(call{method: "PUT", path: "/_mock/state", body: body, header: http.Header{"Content-Type": {"application/json"}}})
}

// keeping is a server whose store has the key that signs links, as every store has that the program opens.
func keeping(t *testing.T, secret string, change ...func(*mockserver.Options)) *harness {
	return newServer(t, append(change, func(c *mockserver.Options) {
		state := memory.New()
		must.Do(t, state.SetSetting(t.Context(), live.LinkSecretSetting, []byte(secret)))
		c.State = keptIn(state)
	})...)
}

// TestState: a snapshot that is restored in another server is that server's whole state: exports, files, links, clocks and rate limits.
func TestState(t *testing.T) {
	s := keeping(t, "the first secret")
	s.setClock(`{"advance":"48h","freeze":true}`)
	s.do(call{path: "/_mock/clock?key=project_demo", body: `{"advance":"24h"}`, header: http.Header{"Content-Type": {"application/json"}}})
	legacy := s.create(userbasePath, userbaseBody, "progress=now")
	link := s.links(legacy)[0]
	file := s.get(link).text
	profile := s.create(profilesPath, filteredBody, "progress=manual")
	for range 9 {
		s.create(profilesPath, filteredBody, "")
	}
	snapshot := s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}})
	if secret := base64.StdEncoding.EncodeToString([]byte("the first secret")); !strings.Contains(snapshot.text,
		`"link-secret":{"secret":true,"base64":"`+secret+`"}`) {
		t.Errorf("the secret is not kept, or not marked: %s", snapshot.text)
	}

	other := keeping(t, "another secret")
	other.create(userbasePath, userbaseBody, "progress=now") // has the identifier of the first server's
	gone := other.create(userbasePath, userbaseBody, "progress=now")
	goneLink := other.links(gone)[0]
	if a := other.put(snapshot.text); a.StatusCode != 200 || a.body["exports"] != 11.0 || a.body["now"] != "2026-03-17T12:00:00Z" {
		t.Fatalf("answered %d: %s", a.StatusCode, a.text)
	}
	must.Equal(t, other.get(link).text, file, "the file by the link of the first server")
	other.refused(other.get(goneLink), 403, "LINK_INVALID")
	other.refused(other.do(call{method: "GET", path: statusPath + gone}), 404, "ROUTE_NOT_FOUND")
	if record := other.lookup(profile); record.body["status"] != "CREATED" || record.body["request_date"] != "2026-03-18T12:00:00Z" {
		t.Errorf("an export: %s", record.text)
	}
	other.refused(other.do(call{path: profilesPath, body: filteredBody}), 429, "TOO_MANY_REQUESTS")
	if a := other.do(call{method: "GET", path: "/_mock/clock?key=project_demo",
		header: http.Header{}}); a.body["now"] != "2026-03-18T12:00:00Z" || a.body["own"] != true {
		t.Errorf("the clock of a key: %s", a.text)
	}
	if again := other.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}); again.text != snapshot.text {
		t.Errorf("a snapshot of the second server\n%s\nis not that of the first\n%s", again.text, snapshot.text)
	}

	// A reset leaves nothing but the key for links.
	a := other.do(call{method: "DELETE", path: "/_mock/state", header: http.Header{}})
	if a.StatusCode != 200 || a.body["exports"] != 0.0 || a.body["now"] != "2026-03-15T12:00:00Z" {
		t.Errorf("answered %d: %s", a.StatusCode, a.text)
	}
	other.refused(other.get(link), 404, "ROUTE_NOT_FOUND")
	other.create(profilesPath, filteredBody, "")
	must.Equal(t, len(other.service.Live().KeysWithClocks()), 0, "keys with clocks")
}

// TestStateHasScenariosAndData: what was set and loaded moves along, and a reset takes it away.
func TestStateHasScenariosAndData(t *testing.T) {
	json := http.Header{"Content-Type": {"application/json"}}
	s := newServer(t)
	for _, c := range []call{
		{path: "/_mock/scenarios", body: `{"scenario":"error=CONFLICT","match":{"stage":"create"}}`},
		{path: "/_mock/data/installations", body: `[{"install_id":"phone-1","custom_id":"ada"}]`},
		{path: "/_mock/data", body: `{"mode":"only"}`},
	} {
		c.header = json
		if a := s.do(c); a.StatusCode >= 300 {
			t.Fatalf("%s: %d %s", c.path, a.StatusCode, a.text)
		}
	}
	id := s.create("/1.0/live_demo/export/userbase", userbaseBody, "only;progress=now")
	file := s.get(s.links(id)[0]).text
	if !strings.Contains(file, "phone-1;ada") || strings.Count(file, "\n") != 2 {
		t.Fatalf("the file is %s", file)
	}
	snapshot := s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}).text

	other := newServer(t)
	other.do(call{path: "/_mock/data/installations", body: `[{"install_id":"phone-2"}]`, header: json})
	other.answers("", other.put(snapshot), 200)
	other.refused(other.do(call{path: userbasePath, body: userbaseBody}), 409, "CONFLICT")
	must.Equal(t, other.get(other.links(id)[0]).text, file, "the file")
	other.do(call{method: "DELETE", path: "/_mock/state", header: http.Header{}})
	fresh := other.create(userbasePath, userbaseBody, "progress=now")
	if file := other.get(other.links(fresh)[0]).text; strings.Contains(file, "phone-") || strings.Count(file, "\n") < 50 {
		t.Errorf("after a reset the file is %.300s", file)
	}
	for about, broken := range map[string]string{
		"/settings/scenarios format": strings.Replace(snapshot, `"scenarios":{"value":{`,
			`"scenarios":{"value":{"rules":5}},"other":{"value":{`, 1),
		"/data format": strings.Replace(snapshot, `"data":[{`, `"data":[{"at":"soon"},{`, 1),
	} {
		if a := other.put(broken); a.StatusCode != 400 || !strings.Contains(strings.Join(a.problems(), ","), about) {
			t.Errorf("%s: %d %s", about, a.StatusCode, a.text)
		}
	}
}

// TestStateRefusals: what is refused changes nothing.
func TestStateRefusals(t *testing.T) {
	s := keeping(t, "the first secret")
	id := s.create(userbasePath, userbaseBody, "progress=now")
	before := s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}).text
	with := func(change func(state, export map[string]any)) string {
		var state map[string]any
		must.Do(t, json.Unmarshal([]byte(before), &state))
		change(state, state["exports"].([]any)[0].(map[string]any))
		text := must.Get(json.Marshal(state))(t)
		return string(text)
	}
	settings := func(name string, value any) func(state, _ map[string]any) {
		return func(state, _ map[string]any) { state["settings"] = map[string]any{name: value} }
	}
	for about, c := range map[string]struct{ body, name, problem string }{
		"nothing":         {"", "MALFORMED_JSON_BODY", ""},
		"a list":          {"[]", "MALFORMED_PARAMETER", " type"},
		"no exports":      {`{"version":2}`, "MISSING_PARAMETER", "/exports required"},
		"another version": {with(func(s, _ map[string]any) { s["version"] = 3 }), "MALFORMED_PARAMETER", "/version const"},
		"an unknown kind": {with(func(_, e map[string]any) { e["kind"] = "unknown" }), "MALFORMED_PARAMETER", "/exports/0/kind enum"},
		"an id twice": {with(func(s, e map[string]any) { s["exports"] = []any{e, e} }), "MALFORMED_PARAMETER",
			"/exports/1/id uniqueItems"},
		"a progress": {with(func(_, e map[string]any) { e["progress"] = "soon" }), "MALFORMED_PARAMETER", ""},
		"a file": {with(func(_, e map[string]any) { e["file"].(map[string]any)["seed"] = -1 }), "MALFORMED_PARAMETER",
			"/exports/0/file/seed minimum"},
		"a clock": {with(settings("clock", map[string]any{"value": map[string]any{"frozen": true}})), "MALFORMED_PARAMETER",
			"/settings/clock format"},
		"clocks of keys": {with(settings("clocks", map[string]any{"value": []any{}})), "MALFORMED_PARAMETER", "/settings/clock format"},
		"a secret": {with(settings("link-secret", map[string]any{"secret": true, "base64": "A"})), "MALFORMED_PARAMETER",
			"/settings/link-secret/base64 contentEncoding"},
		"a secret in public": {with(settings("x", map[string]any{"secret": false, "base64": "AAEC"})), "MALFORMED_PARAMETER",
			"/settings/x/secret const"},
		"rows of itself": {with(func(s, _ map[string]any) {
			s["data"] = []any{map[string]any{"reset": true, "again": 1, "at": 1}}
		}), "MALFORMED_PARAMETER", "/data format"},
	} {
		a := s.put(c.body)
		if a.StatusCode != 400 || a.name() != c.name || c.problem != "" && !strings.Contains(strings.Join(a.problems(), ","), c.problem) {
			t.Errorf("%s: %d %s %q, want %s %q: %s", about, a.StatusCode, a.name(), a.problems(), c.name, c.problem, a.text)
		}
	}
	s.refused(s.do(call{method: "PUT", path: "/_mock/state", body: before, header: http.Header{}}), 400, "MALFORMED_PARAMETER", "Content-Type")
	must.Equal(t, s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}).text, before, "the state after a refused change")
	// A snapshot is larger than a payload may be.
	large := with(func(s, e map[string]any) { e["error_message"] = strings.Repeat("x", 2<<20) })
	s.answers("a large snapshot", s.put(large), 200)
	must.Equal(t, s.lookup(id).body["status"], "SUCCESS", "after it")
}

// TestHealth: a server without its store is alive and not ready, and one that is about to stop neither.
func TestHealth(t *testing.T) {
	s := newServer(t)
	probe := func(path string) answer {
		return s.do(call{method: "GET", path: path, header: http.Header{}, remote: "192.0.2.1:5", host: "mock.example"})
	}
	for path, status := range map[string]string{"/_mock/health": "alive", "/_mock/ready": "ready"} {
		if a := probe(path); a.StatusCode != 200 || a.body["status"] != status {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.text)
		}
	}
	s.refused(probe("/_mock/metrics"), 403, "API_MISUSE")
	s.service.Drain()
	s.refused(probe("/_mock/ready"), 503, "MAINTENANCE_ERROR", "about to stop")
	s = newServer(t)
	s.store.Close()
	s.answers("health", probe("/_mock/health"), 200)
	s.refused(probe("/_mock/ready"), 503, "MAINTENANCE_ERROR", "log")
	must.Hold(t, strings.Contains(s.log.String(), store.ErrClosed.Error()), "the log does not say why: %s", s.log)
}

// TestMetrics: what happened is counted.
func TestMetrics(t *testing.T) {
	s := newServer(t)
	id := s.create(userbasePath, userbaseBody, "progress=now")
	file := s.get(s.links(id)[0])
	s.do(call{path: userbasePath, body: `{}`})
	s.do(call{path: "/nothing"})
	s.setClock(`{"freeze":true}`)
	a := s.do(call{method: "GET", path: "/_mock/metrics", header: http.Header{}})
	must.Equal(t, a.Header.Get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8", "Content-Type")
	for _, line := range []string{
		`rehearsal_http_requests_total{route="userbase",status="202"} 1`, `rehearsal_http_requests_total{route="userbase",status="400"} 1`,
		`rehearsal_http_requests_total{route="none",status="404"} 1`, `rehearsal_http_requests_total{route="clock.set",status="200"} 1`,
		`rehearsal_http_request_duration_seconds_count{route="userbase"} 2`, `rehearsal_http_requests_in_flight 1`,
		`rehearsal_errors_total{name="MISSING_PARAMETER"} 1`, `rehearsal_exports_created_total{kind="userbase"} 1`,
		`rehearsal_scenarios_applied_total{source="header"} 1`, fmt.Sprint("rehearsal_download_bytes_total ", len(file.text)),
		`rehearsal_ready 1`, `rehearsal_journal_requests_total 5`, `rehearsal_clock_seconds 1.773576e+09`, `rehearsal_clock_frozen 1`,
	} {
		must.Hold(t, strings.Contains(a.text, line), "lacks %q: %s", line, a.text)
	}
}

// TestListWithALostDataset: an export that shows a generation of the dataset which is gone has the state ERROR, with the reason; the
// list and the other exports go on.
func TestListWithALostDataset(t *testing.T) {
	s := newServer(t)
	other := s.create(profilesPath, `{"export_type":"ATTRIBUTES","attributes":["$language"],"identifiers":["custom_id"]}`, "progress=now")
	record := must.Get(s.store.Get(t.Context(), other))(t)
	record.ID, record.File.DataGeneration = record.ID[:len(record.ID)-4]+"0000", 99
	must.Do(t, s.store.Insert(t.Context(), record, nil))
	text := s.do(call{method: "GET", path: "/2.7/exports/list"}).text
	for _, part := range []string{other, record.ID, "generation 99", `"ERROR"`, `"SUCCESS"`} {
		must.Hold(t, strings.Contains(text, part), "the list lacks %q: %s", part, text)
	}
}

// replacing is a store that is emptied by somebody just before something is stored in it, once.
type replacing struct {
	store.Store
	empty func()
}

func (r *replacing) before() {
	if empty := r.empty; empty != nil {
		r.empty = nil
		empty()
	}
}

func (r *replacing) Insert(ctx context.Context, record *exports.Record, token *store.Token) error {
	r.before()
	return r.Store.Insert(ctx, record, token)
}

func (r *replacing) AppendData(ctx context.Context, epoch, generation int64, batch []byte) error {
	r.before()
	return r.Store.AppendData(ctx, epoch, generation, batch)
}

// TestBesideAReset: what is made while the state is replaced or its key emptied, by this server or by another one, has the clock, the
// scenarios, the dataset and the rate limits of the new state, or is refused.
func TestBesideAReset(t *testing.T) {
	asJSON := http.Header{"Content-Type": {"application/json"}}
	for name, kept := range map[string]store.Store{"this server": memory.New(), "another server": storetest.NewShared()} {
		t.Run(name, func(t *testing.T) {
			mine := &replacing{Store: kept}
			s := newServer(t, func(o *mockserver.Options) { o.State = keptIn(mine) })
			emptier := s
			if kept.Shared() {
				emptier = newServer(t, func(o *mockserver.Options) { o.State = keptIn(kept) })
			}
			furnish := func(query string) {
				change := call{path: "/_mock/clock" + query, body: `{"advance":"48h","freeze":true}`, header: asJSON}
				s.answers("a clock", s.do(change), 200)
				s.answers("a scenario", s.do(call{path: "/_mock/scenarios", header: asJSON,
					body: `{"scenario":"outcome=error;status.latency=1s","match":{"stage":"create","key":"live_demo"}}`}), 201)
				s.answers("a mode", s.do(call{path: "/_mock/data" + query, body: `{"mode":"only"}`, header: asJSON}), 200)
			}
			for _, query := range []string{"?key=live_demo", ""} {
				furnish(query)
				mine.empty = func() {
					emptier.answers("a reset", emptier.do(call{method: "DELETE", path: "/_mock/state" + query, header: http.Header{}}), 200)
				}
				made := s.do(call{path: userbasePath, body: userbaseBody})
				s.answers("a creation", made, 202)
				page, err := kept.List(t.Context(), store.ListOptions{})
				if err != nil || len(page) != 1 || mine.empty != nil {
					t.Fatalf("%d exports: %v", len(page), err)
				}
				if of := page[0]; !of.CreatedAt.Equal(noon) || !of.File.Now.Equal(noon) || of.File.DataOnly || of.File.DataGeneration != 0 ||
					of.Outcome != "" || !of.Scenario.IsZero() {
					t.Errorf("it has something of the state before: %+v", of)
				}
			}
			furnish("")
			mine.empty = func() { must.Do(t, kept.Restore(t.Context(), &store.Snapshot{})) }
			rows := `[{"install_id":"phone-1"}]`
			s.refused(s.do(call{path: "/_mock/data/installations", body: rows, header: asJSON}), 409, "CONFLICT", "send it again")
			s.answers("a reset", s.do(call{method: "DELETE", path: "/_mock/state", header: http.Header{}}), 200)
			s.answers("the load again", s.do(call{path: "/_mock/data/installations", body: rows, header: asJSON}), 200)
		})
	}
}
