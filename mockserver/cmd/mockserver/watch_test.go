package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestWatch: what changes in files is in force after two looks, one that changes and one that is at rest. What is
// wrong is told, and what there was before stays in force.
func TestWatch(t *testing.T) {
	place := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(place, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
	keys := func(key string) string {
		return `{"companies":[{"key":"` + key + `","applications":[{"key":"live_demo"}]}]}`
	}
	write("schemas/mock/note.json", `{"$id":"https://rehearsal.example/schemas/mock/note.json","title":"One"}`)
	write("world.yaml", "profiles: 40\n")
	write("data/installations.csv", "install_id\nfirst\n")
	write("keys.json", keys("rest_demo"))
	write("config.yaml", "scenario: create.error=CONFLICT\n")
	in := func(name string) string { return filepath.Join(place, name) }
	s := start(t, nil, "--port", "0", "--state", "memory", "--progress", "now", "--watch", "--schemas", in("schemas"), "--world", in("world.yaml"),
		"--data", in("data"), "--credentials", in("keys.json"), "--config", in("config.yaml"))
	look := func() { // the last one is taken when what the one before began is done
		for range 3 {
			s.ticks <- time.Time{}
		}
	}
	const create = "/1.0/live_demo/export/userbase"
	for i, c := range []struct {
		about, file, text string
		method, path      string
		status            int
		says, log         string
	}{
		{"a schema", "schemas/mock/note.json", `{"$id":"https://rehearsal.example/schemas/mock/note.json","title":"Two"}`,
			"GET", "/schemas/mock/note.json", 200, `"Two"`, "in force"},
		{"a wrong schema", "schemas/mock/note.json", `{"title":`, "GET", "/schemas/mock/note.json", 200, `"Two"`, "note.json"},
		{"a schema that is right again", "schemas/mock/note.json", `{"$id":"https://rehearsal.example/schemas/mock/note.json","title":"Three"}`,
			"GET", "/schemas/mock/note.json", 200, `"Three"`, "in force"},
		{"a dataset", "data/installations.csv", "install_id\nfirst\nsecond\n", "GET", "/_mock/data", 200, `"installations":2`, "in force"},
		{"a wrong dataset", "data/installations.csv", "install_id\n\"\n", "GET", "/_mock/data", 200, `"installations":2`, "installations.csv"},
		{"a dataset that is right again", "data/installations.csv", "install_id\nfirst\nsecond\nthird\n", "GET", "/_mock/data", 200, `"installations":3`, "in force"},
		{"a scenario", "config.yaml", "scenario: create.error=API_MISUSE\n", "POST", create, 403, "API_MISUSE", "in force"},
		{"a wrong scenario", "config.yaml", "scenario: create.error=NOTHING\n", "POST", create, 403, "API_MISUSE", "NOTHING"},
		{"no scenario", "config.yaml", "{}", "POST", create, 202, "requestId", "in force"},
		{"a wrong world", "world.yaml", "profiles: -1\n", "POST", create, 202, "requestId", "profiles"},
		{"a world", "world.yaml", "profiles: 7\n", "GET", "/_mock/exports", 200, `"profiles":40`, "in force"},
		{"credentials", "keys.json", keys("rest_other"), "POST", create, 401, "AUTHENTICATION", "in force"},
		{"wrong credentials", "keys.json", "{", "POST", create, 401, "AUTHENTICATION", "keys.json"},
		{"credentials that are right again", "keys.json", keys("rest_demo"), "POST", create, 202, "requestId", "in force"},
	} {
		before := len(s.output.String())
		write(c.file, c.text)
		look()
		s.answers(c.about, c.status, c.says, c.method, c.path, `{"ids":["install_id"]}`)
		log := s.output.String()[before:]
		if wrong := strings.Contains(c.about, "wrong"); !strings.Contains(log, c.log) || strings.Contains(log, "stays in force") != wrong {
			t.Errorf("%s: the log says %s", c.about, log)
		}
		_, health := s.send("GET", "/_mock/health", "")
		if failed := strings.Contains(health, `"failed":true`); failed != strings.Contains(c.about, "wrong") || !strings.Contains(health, `"count":`) {
			t.Errorf("%s: step %d: health is %s", c.about, i, health)
		}
	}
	if _, body := s.send("GET", "/_mock/exports", ""); !strings.Contains(body, `"profiles":7`) || !strings.Contains(body, `"profiles":40`) {
		t.Errorf("an export keeps the world that it was requested in: %s", body)
	}
	s.answers("the journal", http.StatusOK, "", "GET", "/_mock/journal", "")
	must.Equal(t, s.end(), exitOK, "exit code: %s", s.output)
}

// TestWatchReadsTwice: a pipe can be read one time.
func TestWatchReadsTwice(t *testing.T) {
	if err := checkWatched([]string{os.DevNull}); err == nil || !strings.Contains(err.Error(), "cannot be read again") {
		t.Errorf("got %v", err)
	}
}
