package state_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/state"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// do sends a request with the demo credentials and returns status and body.
func do(t *testing.T, handler http.Handler, method, path, body string, header ...string) (int, string) {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Authorization", "rest_demo")
	r.Header.Set("Authorization", "Bearer token_demo")
	r.Header.Set("X-Service-Project", "project_demo")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	data := must.Get(io.ReadAll(w.Result().Body))(t)
	return w.Code, string(data)
}

// between cuts what stands between two texts.
func between(t *testing.T, text, before, after string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, before)
	cut, _, ended := strings.Cut(rest, after)
	if !found || !ended {
		t.Fatalf("no %q in %s", before, text)
	}
	return cut
}

const userbase, ids = "/1.0/live_demo/export/userbase", `{"ids":["install_id","custom_id"]}`

// create makes a userbase export and returns its identifier.
func create(t *testing.T, handler http.Handler, scenario string) string {
	t.Helper()
	status, body := do(t, handler, "POST", userbase, ids, "X-Mock-Scenario", scenario)
	if status != http.StatusAccepted {
		t.Fatalf("creating answered %d: %s", status, body)
	}
	return between(t, body, `"requestId":"`, `"`)
}

// TestRestart: records, links and the clock survive.
func TestRestart(t *testing.T) {
	options := mockserver.Options{
		State: state.At(filepath.Join(t.TempDir(), "state.db")), Profiles: 50,
		Now: func() time.Time { return noon },
	}
	server := must.Get(mockserver.New(options))(t)
	if status, body := do(t, server, "POST", "http://localhost/_mock/clock", `{"advance":"48h","freeze":true}`); status != http.StatusOK {
		t.Fatalf("answered %d: %s", status, body)
	}
	id := create(t, server, "progress=now")
	_, record := do(t, server, "GET", "/1.0/live_demo/export/request/"+id, "")
	link := strings.TrimPrefix(between(t, record, `"file_url":"`, `"`), "http://example.com")
	_, file := do(t, server, "GET", link, "")
	must.Do(t, server.Close())

	options.Now = func() time.Time { return noon.AddDate(1, 0, 0) }
	half := 0.5
	options.Seed, options.Profiles, options.World = 99, 70, mockserver.World{PushOptIn: &half} // for exports to come
	server = must.Get(mockserver.New(options))(t)
	defer server.Close()
	if _, body := do(t, server, "GET", "http://localhost/_mock/clock", ""); !strings.Contains(body, `"now":"2026-03-17T12:00:00Z","frozen":true`) {
		t.Errorf("the clock is %s", body)
	}
	if status, body := do(t, server, "GET", link, ""); status != http.StatusOK || body != file {
		t.Errorf("the link of the last run: %d with %d bytes, want %d", status, len(body), len(file))
	}
	_, again := do(t, server, "GET", "/1.0/live_demo/export/request/"+id, "")
	if next := strings.TrimPrefix(between(t, again, `"file_url":"`, `"`), "http://example.com"); next == link {
		t.Error("a new run signs the same link again")
	}
	if _, body := do(t, server, "GET", "http://localhost/_mock/exports/"+create(t, server, ""), ""); !strings.Contains(body, `"seed":99`) || !strings.Contains(body, `"settings":{"push-opt-in":0.5,"texture":"realistic"}`) {
		t.Errorf("a new export has another seed, or other settings: %s", body)
	}
}
