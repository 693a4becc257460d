//go:build unix

package server_test

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// bearer are the credentials of a project.
func bearer(project, token string) http.Header {
	return http.Header{"Content-Type": {"application/json"}, "X-Service-Project": {project}, "Authorization": {"Bearer " + token}}
}

// use leaves something of everything that belongs to a key behind: for two projects, so that all of it can be compared.
func (s *harness) use(project, token string) (export string) {
	s.Helper()
	s.clockOf("POST", project, `{"advance":"48h","freeze":true}`)
	if a := s.load("installations?key="+project, "application/json", `[{"install_id":"phone-of-`+project+`"}]`); a.StatusCode != 200 {
		s.Fatalf("loading for %s: %s", project, a.text)
	}
	s.set(`{"scenario":"progress=now","match":{"key":"` + project + `"}}`)
	for range 10 {
		a := s.do(call{path: profilesPath, body: filteredBody, header: bearer(project, token)})
		if a.StatusCode != 202 {
			s.Fatalf("creation for %s: %d %s", project, a.StatusCode, a.text)
		}
		export, _ = a.body["id"].(string)
	}
	s.refused(s.do(call{path: profilesPath, body: filteredBody, header: bearer(project, token)}), 429, "TOO_MANY_REQUESTS")
	return export
}

// traces is what a server shows of a key.
func (s *harness) traces(project string) map[string]any {
	s.Helper()
	get := func(path string) map[string]any { return s.do(call{method: "GET", path: path}).body }
	return map[string]any{
		"own":       get("/_mock/clock?key=" + project)["own"],
		"now":       get("/_mock/clock?key=" + project)["now"],
		"data":      get("/_mock/data?key=" + project)["own"],
		"stored":    strings.Count(s.do(call{method: "GET", path: "/_mock/state"}).text, `"phone-of-`+project+`"`),
		"scenarios": get("/_mock/scenarios?key=" + project)["scenarios"],
		"lints":     strings.Count(s.lints("key="+project), "_"),
		"journal":   get("/_mock/journal/count?key=" + project)["count"],
		"exports":   strings.Count(s.do(call{method: "GET", path: "/_mock/exports"}).text, `"owner":"`+project+`"`),
		"listed":    len(get("/_mock/exports?limit=100&key=" + project)["exports"].([]any)),
		"limited":   strings.Contains(s.do(call{method: "GET", path: "/_mock/state"}).text, `:`+project+`":{"full_at"`),
	}
}

var untouched = map[string]any{"own": false, "data": false, "stored": 0, "now": "2026-03-15T12:00:00Z", "scenarios": []any{}, "lints": 0,
	"journal": 0.0, "exports": 0, "listed": 0, "limited": false}

// TestEmptyAKey: all that belongs to a key goes, on every server, and nothing else does, with every store.
func TestEmptyAKey(t *testing.T) {
	stores := map[string]func(t *testing.T) (a, b store.Store){
		"memory": func(*testing.T) (a, b store.Store) { return memory.New(), nil },
		"bolt": func(t *testing.T) (a, b store.Store) {
			return must.Get(bolt.Open(t.Context(), filepath.Join(t.TempDir(), "state.db")))(t), nil
		},
		"shared": func(*testing.T) (a, b store.Store) {
			shared := storetest.NewShared()
			return shared, shared
		},
		"postgres": func(t *testing.T) (a, b store.Store) {
			address := postgrestest.Start(t).Address(t)
			return must.Get(postgres.Open(t.Context(), address))(t), must.Get(postgres.Open(t.Context(), address))(t)
		},
	}
	for _, name := range testlevel.Some(t, testlevel.Count(2, 4, 4), slices.Sorted(maps.Keys(stores))) {
		t.Run(name, func(t *testing.T) {
			first, second := stores[name](t)
			a := newServer(t, func(c *mockserver.Options) { c.State = keptIn(first) })
			b := a
			if second != nil {
				b = newServer(t, func(c *mockserver.Options) { c.State, c.Random = keptIn(second), rand.NewChaCha8([32]byte{1}) })
			}
			mine, theirs := a.use("project_demo", "token_demo"), a.use("project_other", "token_other")
			if a != b { // a journal is that of one server
				for _, project := range []string{"project_demo", "project_other"} {
					header := bearer(project, "token_"+strings.TrimPrefix(project, "project_"))
					b.refused(b.do(call{path: profilesPath, body: filteredBody, header: header}), 429, "TOO_MANY_REQUESTS")
				}
			}
			a.do(call{path: "/_mock/data/installations", body: `[{"install_id":"phone-1"}]`,
				header: http.Header{"Content-Type": {"application/json"}}})
			others, othersThere := a.traces("project_other"), b.traces("project_other")
			if a.traces("project_demo")["lints"] == untouched["lints"] {
				t.Fatal("there is no lint to be deleted")
			}

			a.refused(a.do(call{method: "DELETE", path: "/_mock/state?key="}), 400, "MALFORMED_PARAMETER")
			a.refused(a.do(call{method: "DELETE", path: "/_mock/state?key=nobody"}), 400, "MALFORMED_PARAMETER", "nothing was emptied")
			emptied := a.do(call{method: "DELETE", path: "/_mock/state?key=project_demo"})
			if want := (map[string]any{"key": "project_demo", "exports": 0.0, "now": "2026-03-15T12:00:00Z"}); emptied.StatusCode != 200 ||
				!reflect.DeepEqual(emptied.body, want) {
				t.Errorf("answered %d: %s", emptied.StatusCode, emptied.text)
			}

			for i, s := range []*harness{a, b} {
				must.Equal(t, s.traces("project_demo"), untouched, "server %d: left", i)
				must.Equal(t, s.traces("project_other"), []map[string]any{others, othersThere}[i], "server %d: the other key has", i)
			}
			for i, s := range []*harness{a, b} {
				s.refused(s.do(call{method: "GET", path: "/2.7/exports/view?id=" + mine, header: bearer("project_demo", "token_demo")}), 404,
					"ROUTE_NOT_FOUND")
				if seen := s.do(call{method: "GET", path: "/2.7/exports/view?id=" + theirs, header: bearer("project_other", "token_other")}); seen.body["status"] != "SUCCESS" {
					t.Errorf("server %d: the export of the other key: %s", i, seen.text)
				}
			}
			if shown := b.do(call{method: "GET", path: "/_mock/data"}); shown.body["installations"] != 1.0 {
				t.Errorf("the dataset of the server: %s", shown.text)
			}
			// What comes afterwards stays, elsewhere too.
			count := b.traces("project_demo")["journal"].(float64)
			b.use("project_demo", "token_demo")
			a.do(call{method: "GET", path: "/_mock/clock"})
			if now := b.traces("project_demo"); now["journal"] != count+11 || now["exports"] != 10 || now["listed"] != 10 {
				t.Errorf("used again: %v", now)
			}
		})
	}
}
