package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/api"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

type lintPage struct{ Lints []journal.Finding }

func (s *server) lints(query string) string {
	s.Helper()
	var codes []string
	for _, finding := range control[lintPage](s, "GET", "/_mock/lints?"+query).Lints {
		codes = append(codes, finding.Code)
	}
	slices.Sort(codes)
	return strings.Join(codes, " ")
}

// TestLints: what a client really does is found.
func TestLints(t *testing.T) {
	s := newServer(t, func(c *api.Config) { c.Planner.PartSize = 1000 })
	a := s.do(call{path: campaignPath, body: `{"from":"2020-01-01T00:00:00","to":"now","events":["push_sent"],` + ids + `}`, scenario: "progress=polls:4"})
	id := a.body["requestId"].(string)
	s.lookup(id)
	s.lookup(id)
	s.clock.Advance(time.Minute)
	s.lookup(id)
	s.clock.Advance(time.Minute)
	link := s.links(id)[0]
	s.do(call{method: "GET", path: link}) // with credentials
	s.clock.Advance(time.Hour)
	s.get(link)
	s.do(call{method: "GET", path: statusPath + "5b2e61c0-0d1f-4ce8-9f6c-1d2d3c4b5a69", scenario: "error=MAINTENANCE_ERROR"})
	s.clock.Advance(29 * time.Second)
	s.do(call{method: "GET", path: statusPath + "5b2e61c0-0d1f-4ce8-9f6c-1d2d3c4b5a69"})
	s.do(call{path: "/1.0/live_demo/exports/userbase", body: userbaseBody})
	if got, want := s.lints("key=live_demo"), "credentials_sent_to_link dead_link_used lookback_exceeded polled_too_fast retry_after_ignored"; got != want {
		t.Errorf("legacy: %s, want %s", got, want)
	}

	profile := s.create(profilesPath, `{"export_type":"ATTRIBUTES","attributes":["$language"]}`, "progress=now")
	files := s.links(profile)
	if len(files) < 2 {
		t.Fatalf("%d parts", len(files))
	}
	for _, file := range files[1:] {
		s.get(file)
	}
	s.do(call{method: "GET", path: "/2.7/exports/list"})
	if listed := s.journal("route=profiles.list")[0]; len(listed.Listed) != 1 || listed.Listed[0].Export != profile || listed.Listed[0].Parts != len(files) {
		t.Errorf("the list is %+v", listed)
	}
	s.create(profilesPath, filteredBody, "progress=manual")
	s.create(profilesPath, filteredBody, "progress=manual")
	for range 9 {
		s.do(call{path: profilesPath, body: strings.Replace(filteredBody, "loyal", "new", 1), scenario: "progress=manual"})
	}
	want := "created_again created_again created_again created_again created_again created_again created_again created_again " +
		"final_state_never_read final_state_never_read final_state_never_read final_state_never_read final_state_never_read " +
		"final_state_never_read final_state_never_read final_state_never_read final_state_never_read final_state_never_read part_skipped rate_exceeded"
	if got := s.lints("key=project_demo"); got != want {
		t.Errorf("profiles: %s, want %s", got, want)
	}
	if got := s.lints("key=project_demo&underway=true"); strings.Contains(got, "final_state") || strings.Contains(got, "part_skipped") {
		t.Errorf("under way: %s", got)
	}
	if got := s.lints(""); !strings.Contains(got, "no_such_route") || !strings.Contains(got, "part_skipped") || !strings.Contains(got, "polled_too_fast") {
		t.Errorf("everybody: %s", got)
	}
	if got := s.lints("poll_interval=0s"); strings.Contains(got, "polled_too_fast") {
		t.Errorf("any interval: %s", got)
	}
	s.do(call{method: "DELETE", path: "/_mock/journal", header: http.Header{}})
	if got := s.lints(""); got != "" {
		t.Errorf("after a clear: %s", got)
	}
}

// TestLintsAreInTheSchema: every code is one that the schema knows.
func TestLintsAreInTheSchema(t *testing.T) {
	s := newServer(t)
	var schema struct {
		Definitions struct {
			Finding struct {
				Properties struct{ Code struct{ Enum []string } }
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(s.library.Source("mock/lints.json"), &schema); err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, lint := range journal.Lints() {
		codes = append(codes, lint.Code)
	}
	known := schema.Definitions.Finding.Properties.Code.Enum
	slices.Sort(codes)
	slices.Sort(known)
	if !slices.Equal(codes, known) {
		t.Errorf("the schema knows %q, the server %q", known, codes)
	}
}
