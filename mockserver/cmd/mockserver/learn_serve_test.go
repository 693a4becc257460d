package main

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fetch takes an export of a running server from the request to its file, compressed with gzip.
func (s *running) fetch(path, body, name string) {
	s.t.Helper()
	headers := []string{"Authorization", "Bearer token_demo", "X-Service-Project", "project_demo"}
	status, text := s.send("POST", path, body, headers...)
	var created struct{ RequestID, ID string }
	if err := json.Unmarshal([]byte(text), &created); status >= 300 || err != nil {
		s.t.Fatalf("%s: %d %s, %v", path, status, text, err)
	}
	file := "/2.7/exports/download?id=file_" + strings.TrimPrefix(created.ID, "export_") + "_1"
	if created.RequestID != "" {
		_, record := s.send("GET", "/1.0/live_demo/export/request/"+created.RequestID, "")
		_, file, _ = strings.Cut(record, `"file_url":"`+s.base)
		file, _, _ = strings.Cut(file, `"`)
	}
	if status, text = s.send("GET", file, "", headers...); status != http.StatusOK {
		s.t.Fatalf("%s: %d %s", file, status, text)
	}
	into, err := os.Create(name)
	if err != nil {
		s.t.Fatal(err)
	}
	defer into.Close()
	packed := gzip.NewWriter(into)
	if _, err := packed.Write([]byte(text)); err != nil {
		s.t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// told is a comparison of a report.
type told struct {
	Name, Measure   string
	Base, Low, High float64
	Set             bool
}

// learnFrom exports what is learned from of a server, learns it, and reads the report.
func learnFrom(t *testing.T, s *running, directory string) (shares map[string]told) {
	t.Helper()
	in := func(name string) string { return filepath.Join(directory, name) }
	files := []string{in("people.gz"), in("week1.gz"), in("week2.gz"), in("devices.gz")}
	s.fetch(requests["profiles.attributes"].path, requests["profiles.attributes"].body+"}", files[0])
	for i, days := range []string{`"from":"2026-10-04T00:00:00Z","to":"2026-10-18T00:00:00Z"`, `"from":"2026-10-18T00:00:00Z","to":"2026-11-01T00:00:00Z"`} {
		s.fetch(requests["profiles.events"].path, requests["profiles.events"].body+","+days+"}", files[1+i])
	}
	s.fetch(requests["userbase"].path, requests["userbase"].body+"}", files[3])
	made := invoke(t, "", append([]string{"learn", "--out", in("world.yaml"), "--report", in("report.json")}, files...)...)
	if made.code != exitOK {
		t.Fatalf("%+v", made)
	}
	text, err := os.ReadFile(in("report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var report struct{ Comparisons []told }
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	shares = map[string]told{}
	for _, c := range report.Comparisons {
		if c.Measure == "share" && c.Set {
			shares[c.Name] = c
		}
	}
	return shares
}

// bound is how far apart two shares are at most that chance alone explains.
func bound(a, b told) float64 {
	return math.Hypot(max(a.High-a.Base, a.Base-a.Low), max(b.High-b.Base, b.Base-b.Low))
}

// TestServesWhatWasLearned: a server that is started from another directory with what was learned of the exports of a first one
// shows, in exports of its own, what the first one showed.
func TestServesWhatWasLearned(t *testing.T) {
	usual := []string{"--addr", "127.0.0.1:0", "--state", "memory", "--progress", "now", "--now", importNow}
	hidden := start(t, nil, append(usual, "--seed", "41", "--profiles", "2000", "--sms", "0.3", "--email-opt-in", "0.45", "--push-only", "0.2",
		"--rate", "email_open=0.55", "--rate", "push_open=0.25", "--rate", "email_bounced=0.08", "--rate", "push_bounced=0.1",
		"--scenario", "duplicates=0.05")...)
	first, second := t.TempDir(), t.TempDir()
	want := learnFrom(t, hidden, first)
	t.Chdir(t.TempDir())
	got := learnFrom(t, start(t, nil, append(usual, "--seed", "42", "--config", filepath.Join(first, "world.yaml"))...), second)
	if len(want) < 12 {
		t.Errorf("only %d shares were learned: %v", len(want), want)
	}
	// What was set, and what a server without settings shows: the bounds tell the two apart.
	for name, otherwise := range map[string]float64{
		"duplicates": 0, "sms": 0.55, "email-opt-in": 0.75, "push-only": 0.08, "rate email_open": 0.32, "rate push_open": 0.085,
		"rate email_bounced": 0.015, "rate push_bounced": 0.03,
	} {
		if of, is := want[name]; !is || math.Abs(of.Base-otherwise) <= bound(of, got[name]) {
			t.Errorf("%s: %+v was learned, which cannot be told from %v", name, of, otherwise)
		}
	}
	for name, of := range want {
		other, is := got[name]
		t.Logf("%s: %v, served %v, at most %v apart", name, of.Base, other.Base, bound(of, other))
		if !is || math.Abs(of.Base-other.Base) > bound(of, other) {
			t.Errorf("%s: the first server shows %v, that of what was learned %v, at most %v apart", name, of.Base, other.Base, bound(of, other))
		}
	}
}
