package server_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

type lintPage struct {
	Lints  []journal.Finding
	Silent []string
}

func (s *harness) lints(query string) string {
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
	s := newServer(t, func(c *mockserver.Options) { c.PartSize = 1000 })
	a := s.do(call{path: campaignPath, body: `{"from":"2020-01-01T00:00:00","to":"now","events":["push_sent"],` + ids + `}`,
		scenario: "progress=polls:4"})
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
	if got, want := s.lints("key=live_demo"),
		"credentials_sent_to_link dead_link_used lookback_exceeded no_such_route polled_too_fast retry_after_ignored"; got != want {
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
	if listed := s.journal("route=profiles.list")[0]; len(listed.Listed) != 1 || listed.Listed[0].Export != profile ||
		listed.Listed[0].Parts != len(files) {
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
	must.Equal(t, s.lints("key=project_demo"), want, "profiles")
	if got := s.lints("key=project_demo&underway=true"); strings.Contains(got, "final_state") || strings.Contains(got, "part_skipped") {
		t.Errorf("under way: %s", got)
	}
	if got := s.lints(""); !strings.Contains(got, "no_such_route") || !strings.Contains(got, "part_skipped") ||
		!strings.Contains(got, "polled_too_fast") {
		t.Errorf("everybody: %s", got)
	}
	if got := s.lints("poll_interval=0s"); strings.Contains(got, "polled_too_fast") {
		t.Errorf("any interval: %s", got)
	}
	s.do(call{method: "DELETE", path: "/_mock/journal", header: http.Header{}})
	must.Equal(t, s.lints(""), "", "after a clear")
	byHand := profilesHeader()
	byHand.Set("X-Mock-Lint", "off")
	s.do(call{path: profilesPath, body: filteredBody, header: byHand})
	if got := s.lints(""); got != "" || len(s.journal("")) != 1 {
		t.Errorf("of an export that was created by hand: %s, %d requests", got, len(s.journal("")))
	}
}

// wireClient is a client over a real connection, as faults are about those.
type wireClient struct {
	t    *testing.T
	base string
}

// ask reads into the answer what it can of one, and what is not JSON not at all.
func (c wireClient) ask(method, address, body, scenario string, into any) {
	c.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = c.base + address
	}
	r := must.Get(http.NewRequestWithContext(c.t.Context(), method, address, strings.NewReader(body)))(c.t)
	if !strings.Contains(address, "/files/") {
		r.Header = legacyHeader()
		r.Header.Set("Content-Type", "application/json")
	}
	if scenario != "" {
		r.Header.Set("X-Mock-Scenario", scenario)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return
	}
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); err == nil {
		_ = json.Unmarshal(text, into) // nothing is read of what is no JSON
	}
}

// exported is what a client reads of an export.
type exported struct {
	ID   string `json:"requestId"`
	Link string `json:"file_url"`
}

// TestHinderedClients: a client that does what it can, under scenarios that leave it nothing to do, is not found fault with.
func TestHinderedClients(t *testing.T) {
	begun := func(t *testing.T, scenario string) (s *harness, client wireClient, made exported) {
		s = newServer(t)
		server := httptest.NewServer(s.service)
		t.Cleanup(server.Close)
		client = wireClient{t, server.URL}
		client.ask("POST", userbasePath, userbaseBody, scenario, &made)
		return s, client, made
	}
	for _, scenario := range []string{
		"progress=now", "progress=now;link=none", "progress=now;link=404", "progress=now;link=410", "progress=now;file.error=SERVER_ERROR",
		"progress=now;file.reset", "progress=now;file.cut=10", "progress=now;file.reset=middle", "progress=now;status.error=SERVER_ERROR",
		"progress=now;status.reset", "progress=now;status.cut=10", "progress=now;status.length=+10", "progress=stuck",
	} {
		t.Run(scenario, func(t *testing.T) {
			s, client, made := begun(t, scenario)
			var seen exported
			for range 4 {
				s.clock.Advance(time.Minute)
				seen = exported{}
				if client.ask("GET", statusPath+made.ID, "", "", &seen); seen.Link != "" {
					client.ask("GET", seen.Link, "", "", &seen)
				}
			}
			if got := s.lints(""); made.ID == "" || got != "" {
				t.Errorf("export %q, found %s", made.ID, got)
			}
		})
	}
	for _, scenario := range []string{"create.reset", "create.reset=after", "create.reset=middle", "create.cut=10", "create.length=+10",
		"create.length=-10"} {
		t.Run(scenario, func(t *testing.T) {
			s, client, made := begun(t, scenario)
			var seen exported
			if made.ID != "" {
				t.Fatalf("the client knows of export %s", made.ID)
			}
			client.ask("POST", userbasePath, userbaseBody, "progress=now", &made)
			client.ask("GET", statusPath+made.ID, "", "", &seen)
			client.ask("GET", seen.Link, "", "", &seen)
			must.Equal(t, s.lints(""), "", "lints")
		})
	}
}

// TestNamesOfFilters: what no request can have is a slip, and is said.
func TestNamesOfFilters(t *testing.T) {
	s := newServer(t)
	for query, want := range map[string]string{
		"route=userbas": "did you mean userbase?", "kind=profiles.atributes": "did you mean profiles.attributes?",
		"error=MALFORMED_PARAMETERS": "did you mean MALFORMED_PARAMETER?", "route=journal.list": "profiles.create",
	} {
		for _, path := range []string{"/_mock/journal?", "/_mock/journal/count?", "/_mock/journal/wait?"} {
			a := s.do(call{method: "GET", path: path + query, header: http.Header{}})
			if message, _ := a.body["message"].(string); a.StatusCode != 400 || !strings.Contains(message, want) {
				t.Errorf("%s%s: %d %s", path, query, a.StatusCode, message)
			}
		}
	}
	for _, query := range []string{"route=none", "route=file", "route=legacy.status", "kind=userbase", "error=link_expired",
		"error=AUTHORIZATION_FORWARDED"} {
		s.answers(query, s.do(call{method: "GET", path: "/_mock/journal?" + query, header: http.Header{}}), 200)
	}
}

// TestLintsAreInTheSchema: every code is one that the schemas of answers and of dialects know.
func TestLintsAreInTheSchema(t *testing.T) {
	s := newServer(t)
	var schema struct {
		Definitions struct {
			Finding struct {
				Properties struct{ Code struct{ Enum []string } }
			}
		} `json:"$defs"`
	}
	must.Do(t, json.Unmarshal(s.library.Source("mock/lints.json"), &schema))
	var codes []string
	for _, lint := range journal.Lints() {
		codes = append(codes, lint.Code)
	}
	known := schema.Definitions.Finding.Properties.Code.Enum
	slices.Sort(codes)
	slices.Sort(known)
	must.Equal(t, codes, known, "the schema knows")
	var dialect struct {
		Properties struct {
			Lints struct{ Properties map[string]any }
		}
	}
	must.Do(t, json.Unmarshal(s.library.Source("common/interface.json"), &dialect))
	if settable := slices.Sorted(maps.Keys(dialect.Properties.Lints.Properties)); !slices.Equal(codes, settable) {
		t.Errorf("dialects set %q, the server knows %q", settable, codes)
	}
}

// TestLintsOfSeveralServers: what only all requests of a client tell is not judged where another server may have had some of them.
func TestLintsOfSeveralServers(t *testing.T) {
	shared := storetest.NewShared()
	a := newServer(t, func(o *mockserver.Options) { o.State = keptIn(shared) })
	b := newServer(t, func(o *mockserver.Options) { o.State = keptIn(shared) })
	id := a.create(userbasePath, userbaseBody, "progress=now")
	a.lookup(id)
	b.get(b.links(id)[0])
	b.do(call{path: "/1.0/live_demo/exports/userbase", body: userbaseBody})
	must.Equal(t, a.lints("")+b.lints(""), "no_such_route", "lints")
	if silent := control[lintPage](a, "GET", "/_mock/lints").Silent; !slices.Contains(silent, journal.FileNeverDownloaded) {
		t.Errorf("silent about %q", silent)
	}
}
