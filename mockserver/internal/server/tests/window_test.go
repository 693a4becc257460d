package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// file reads what the file of an export depends on.
func (s *harness) file(id string) exports.File {
	s.Helper()
	record := must.Get(s.store.Get(context.Background(), id))(s)
	return record.File
}

const day = 24 * time.Hour

// TestWindows checks the dates of section 1: what is older than the lookback is cut off in legacy files and refused for profile exports.
func TestWindows(t *testing.T) {
	floor := time.Date(2024, 10, 10, 0, 0, 0, 0, time.UTC)
	afterFloor := floor.Add(30 * day)
	for _, c := range []struct {
		about, kind  string
		now          time.Time // zero: noon
		from, to     string    // RFC 3339 with Z; legacy payloads drop the Z
		wantFrom     time.Time
		wantTo       time.Time
		refusedUntil string // not empty: refused, naming this oldest date
	}{
		{about: "inside", kind: "campaign.events", from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z",
			wantFrom: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), wantTo: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)},
		{about: "now", kind: "campaign.events", from: "2026-03-01T00:00:00Z", to: "now",
			wantFrom: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), wantTo: noon},
		{about: "exactly the lookback", kind: "campaign.events", from: "2025-12-15T12:00:00Z", to: "now", wantFrom: noon.Add(-90 * day),
			wantTo: noon},
		{about: "a second older, silently", kind: "campaign.events", from: "2025-12-15T11:59:59Z", to: "now", wantFrom: noon.Add(-90 * day),
			wantTo: noon},
		{about: "years older, silently", kind: "reachability.events", from: "2020-01-01T00:00:00Z", to: "now", wantFrom: noon.Add(-90 * day),
			wantTo: noon},
		{about: "wholly older, silently", kind: "in-app-campaign.ids", from: "2020-01-01T00:00:00Z", to: "2020-02-01T00:00:00Z",
			wantFrom: noon.Add(-90 * day), wantTo: noon.Add(-90 * day)},
		{about: "into the future", kind: "transactional.ids", from: "2026-03-01T00:00:00Z", to: "2027-01-01T00:00:00Z",
			wantFrom: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), wantTo: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)},
		{about: "profiles, exactly the lookback", kind: "profiles.events", from: "2025-12-15T12:00:00Z", to: "now", wantFrom: noon.Add(-90 * day),
			wantTo: noon},
		{about: "profiles, a second older", kind: "profiles.events", from: "2025-12-15T11:59:59Z", to: "now",
			refusedUntil: "2025-12-15T12:00:00Z"},
		{about: "profiles, within the second of the request", kind: "profiles.events", now: noon.Add(700 * time.Millisecond),
			from: "2025-12-15T12:00:00Z", to: "now",
			wantFrom: noon.Add(-90 * day), wantTo: noon.Add(700 * time.Millisecond)},
		{about: "profile reachability, a second older", kind: "profiles.reachability", from: "2025-12-15T11:59:59Z", to: "now",
			refusedUntil: "2025-12-15T12:00:00Z"},
		{about: "profile reachability begins on 2024-10-10", kind: "profiles.reachability", now: afterFloor, from: "2024-09-01T00:00:00Z",
			to: "now", wantFrom: floor, wantTo: afterFloor},
		{about: "and has nothing before", kind: "profiles.reachability", now: afterFloor, from: "2024-09-01T00:00:00Z",
			to: "2024-09-02T00:00:00Z", wantFrom: floor, wantTo: floor},
		{about: "profile events have no such floor", kind: "profiles.events", now: afterFloor, from: "2024-09-01T00:00:00Z", to: "now",
			wantFrom: time.Date(2024, 9, 1, 0, 0, 0, 0, time.UTC), wantTo: afterFloor},
		{about: "legacy reachability has no such floor", kind: "reachability.events", now: afterFloor, from: "2024-09-01T00:00:00Z", to: "now",
			wantFrom: time.Date(2024, 9, 1, 0, 0, 0, 0, time.UTC), wantTo: afterFloor},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := newServer(t)
			if !c.now.IsZero() {
				s.clock.Set(c.now)
			}
			var k kind
			for _, candidate := range kinds {
				if candidate.name == c.kind {
					k = candidate
				}
			}
			from, to := c.from, c.to
			if strings.HasPrefix(k.path, "/1.0/") {
				from, to = strings.TrimSuffix(from, "Z"), strings.TrimSuffix(to, "Z")
			}
			var payload map[string]any
			json.Unmarshal([]byte(k.body), &payload)
			payload["from"], payload["to"] = from, to
			body, _ := json.Marshal(payload)
			a := s.do(call{path: k.path, body: string(body)})
			if c.refusedUntil != "" {
				s.refused(a, 400, "MALFORMED_PARAMETER", "lookback of 90 days", c.refusedUntil, from)
				if got := a.problems(); len(got) != 1 || got[0] != "/from lookback" {
					t.Errorf("problems %q", got)
				}
				return
			}
			if a.StatusCode != 202 {
				t.Fatalf("answered %d: %s", a.StatusCode, a.text)
			}
			id, _ := a.body["requestId"].(string)
			if id == "" {
				id, _ = a.body["id"].(string)
			}
			window := s.file(id).Window
			if !window.From.Equal(c.wantFrom) || !window.To.Equal(c.wantTo) {
				t.Errorf("window %v to %v, want %v to %v", window.From, window.To, c.wantFrom, c.wantTo)
			}
		})
	}
}

// TestWhatAFileDependsOn checks that a record freezes the whole request.
func TestWhatAFileDependsOn(t *testing.T) {
	s := newServer(t)
	file := s.file(s.create("/1.0/dev_demo/export/transactional/receipts%21/ids",
		`{`+window+`,"events":["push_open","push_sent","push_open"],"ids":["custom_id","install_id","custom_id"]}`, "rows=7"))
	want := exports.File{
		Kind: "transactional.ids", Window: exports.Window{From: noon.Add(-7 * day), To: noon}, Now: noon, APIKey: "dev_demo", Target: "receipts!",
		Events: []string{"push_open", "push_sent"}, IDs: []string{"custom_id", "install_id"}, MaxRows: new(int64),
		Profiles: 200, Settings: world.Settings{Texture: texture.Tidy}, WorldVersion: file.WorldVersion, SchemaDigest: file.SchemaDigest,
	}
	*want.MaxRows = 7
	if got, wanted := fmt.Sprintf("%+v", plain(file)), fmt.Sprintf("%+v", plain(want)); got != wanted {
		t.Errorf("file %s\nwant %s", got, wanted)
	}
	file = s.file(s.create(profilesPath, filteredBody, ""))
	if file.Segment != "loyal" || file.Identifiers[0] != "custom_id" || file.APIKey != "live_demo" || file.PartSize != 100<<20 ||
		!file.Window.From.IsZero() {
		t.Errorf("file %+v", file)
	}
	file = s.file(s.create(profilesPath, kinds[10].body, ""))
	must.Hold(t, len(file.Channels) == 3 && file.Identifiers == nil, "file %+v", file)
}

// plain makes two files comparable as text.
func plain(file exports.File) string {
	data, _ := json.Marshal(file)
	return string(data)
}

// TestFilteredRate checks the token bucket of section 8: ten at once, one more every twelve minutes, only with a filter, per project.
func TestFilteredRate(t *testing.T) {
	s := newServer(t)
	for range 10 {
		s.create(profilesPath, filteredBody, "")
	}
	wait := func(want string) {
		t.Helper()
		a := s.do(call{path: profilesPath, body: filteredBody})
		s.refused(a, 429, "TOO_MANY_REQUESTS", "filter", "every 12 minutes", want+" seconds")
		must.Equal(t, a.Header.Get("Retry-After"), want, "Retry-After")
	}
	wait("720")
	s.create(profilesPath, kinds[8].body, "") // without filter
	other := profilesHeader()
	other.Set("Authorization", "Bearer token_other")
	other.Set("X-Service-Project", "project_other")
	s.answers("another project", s.do(call{path: profilesPath, body: filteredBody, header: other}), 202)
	s.clock.Advance(12*time.Minute - 1500*time.Millisecond)
	wait("2") // rounded up
	s.clock.Advance(1500 * time.Millisecond)
	s.create(profilesPath, filteredBody, "")
	wait("720")
	s.clock.Advance(time.Hour)
	for range 5 {
		s.create(profilesPath, filteredBody, "")
	}
	wait("720")
	s.clock.Advance(30 * day)
	for range 10 {
		s.create(profilesPath, filteredBody, "")
	}
	wait("720")
	s.answers("a forced error draws from the bucket", s.do(call{path: profilesPath, body: filteredBody, scenario: "error=CONFLICT"}), 409)
}
