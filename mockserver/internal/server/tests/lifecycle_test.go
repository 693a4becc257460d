package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestEveryKindFromRequestToFile follows each kind along the whole way.
func TestEveryKindFromRequestToFile(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			s := newServer(t)
			id := s.create(k.path, k.body, "progress=time:4s")
			for _, step := range []struct {
				after  time.Duration
				status string
			}{{0, "CREATED"}, {999 * time.Millisecond, "CREATED"}, {time.Second, "PENDING"}, {4*time.Second - 1, "PENDING"},
				{4 * time.Second, "SUCCESS"}} {
				s.clock.Set(noon.Add(step.after))
				record := s.lookup(id)
				must.Equal(t, record.body["status"], any(step.status), "after %v the status", step.after)
			}
			for _, link := range s.links(id) {
				file := s.get(link)
				if file.StatusCode != http.StatusOK || file.text == "" {
					t.Fatalf("the file answers %d: %.200s", file.StatusCode, file.text)
				}
				summary, err := s.library.CheckFile(k.name, strings.NewReader(file.text), nil)
				must.Hold(t, err == nil && summary.Faults == 0 && summary.Rows != 0, "the file: %+v, %v", summary, err)
			}
		})
	}
}

// statuses looks an export up several times.
func (s *harness) statuses(id string, times int) string {
	s.Helper()
	var list []string
	for range times {
		list = append(list, s.lookup(id).body["status"].(string))
	}
	return strings.Join(list, " ")
}

// TestProgressions checks each way in which an export may move, for both interfaces.
func TestProgressions(t *testing.T) {
	for _, path := range []string{userbasePath, profilesPath} {
		body := map[string]string{userbasePath: userbaseBody, profilesPath: filteredBody}[path]
		t.Run(path, func(t *testing.T) {
			s := newServer(t, func(c *mockserver.Options) {
				c.Progress = "time:2s"
			})
			for _, c := range []struct{ scenario, want string }{
				{"", "CREATED CREATED CREATED CREATED"},
				{"progress=now", "SUCCESS SUCCESS SUCCESS SUCCESS"},
				{"progress=polls:1", "SUCCESS SUCCESS SUCCESS SUCCESS"},
				{"progress=polls:3", "CREATED PENDING SUCCESS SUCCESS"},
				{"progress=manual", "CREATED CREATED CREATED CREATED"},
				{"progress=now;outcome=error", "ERROR ERROR ERROR ERROR"},
				{"progress=polls:2;outcome=error", "CREATED ERROR ERROR ERROR"},
			} {
				must.Equal(t, s.statuses(s.create(path, body, c.scenario), 4), c.want, "%q", c.scenario)
			}
		})
	}
}

// TestListingIsNoPoll also checks that neither a refused lookup nor the control API moves an export.
func TestListingIsNoPoll(t *testing.T) {
	s := newServer(t)
	id := s.create(profilesPath, filteredBody, "progress=polls:2")
	other := profilesHeader()
	other.Set("Authorization", "Bearer token_other")
	other.Set("X-Service-Project", "project_other")
	for range 3 {
		s.do(call{method: "GET", path: "/2.7/exports/list"})
		s.do(call{method: "GET", path: "/_mock/exports"})
		s.do(call{method: "GET", path: "/_mock/exports/" + id})
		s.do(call{method: "GET", path: "/2.7/exports/view?id=" + id, header: other})
		s.do(call{method: "GET", path: "/2.7/exports/view?id=" + id, scenario: "error=SERVER_ERROR"})
	}
	must.Equal(t, s.statuses(id, 2), "CREATED SUCCESS", "statuses")
}

// TestLegacyRecord checks every member of section 2.3 in every state.
func TestLegacyRecord(t *testing.T) {
	s := newServer(t)
	id := s.create(campaignPath, pushBody, "progress=time:4s")
	failed := s.create(campaignPath, pushBody, "progress=time:4s;outcome=error")
	expect := func(id string, want map[string]any) {
		t.Helper()
		body := s.lookup(id).body
		for _, member := range []string{"id", "uri", "request_date", "status", "completion_date", "error_msg"} {
			must.Equal(t, body[member], want[member], "%s", member)
		}
		if _, linked := body["file_url"]; linked != (want["file_url"] != nil) {
			t.Errorf("file_url is %v", body["file_url"])
		}
		request, _ := body["request"].(map[string]any)
		must.Hold(t, request["from"] == "2026-03-08T12:00:00" && len(request["events"].([]any)) == 2, "the echo is %v", request)
	}
	want := map[string]any{"id": id, "uri": campaignPath, "request_date": "2026-03-15T12:00:00", "status": "CREATED"}
	expect(id, want)
	s.clock.Advance(90 * time.Second)
	want["status"], want["completion_date"], want["file_url"] = "SUCCESS", "2026-03-15T12:00:04", true
	expect(id, want)
	expect(strings.ToUpper(id), want)
	const message = "the export failed because the scenario of its request asked for this outcome"
	expect(failed, map[string]any{
		"id": failed, "uri": campaignPath, "request_date": "2026-03-15T12:00:00", "status": "ERROR",
		"completion_date": "2026-03-15T12:00:04", "error_msg": message,
	})
	s.clock.Set(time.Date(2026, 4, 15, 12, 0, 4, 0, time.UTC))
	delete(want, "file_url")
	expect(id, want)
}

// TestDefaultOfAQuery: the length of a page stands in a schema file, nowhere else.
func TestDefaultOfAQuery(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) {
		c.Schemas = overlaid(t, "profiles/export.list.json", `"default": "10"`, `"default": "2"`)
	})
	for range 3 {
		s.create(profilesPath, kinds[8].body, "")
	}
	if a := s.do(call{method: "GET", path: "/2.7/exports/list"}); a.body["count"] != 2.0 || a.body["has_more"] != true {
		t.Errorf("a page of %v, want 2: %s", a.body["count"], a.text)
	}
}

// TestProfileRecord checks view, list and download.
func TestProfileRecord(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) { c.PartSize = 4000 })
	for query, says := range map[string]string{
		"view": "id is missing", "view?id=": "id is \"\"; allowed: an export identifier",
		"view?id=5":                    "id is \"5\"; allowed: an export identifier",
		"view?id=export_a&id=export_b": "2 times", "view?id=export_a&x=1": "\"x\" is not known; allowed: id", "view?id=%zz": "cannot be read",
		"list?limit=0": "1 to 100", "list?limit=101": "1 to 100", "list?limit=ten": "1 to 100", "list?from=nobody": "next_from",
		"download": "id is missing", "download?id=export_a": "allowed: a file identifier",
		"list?limit=0&limt=5&from=":         "limit is \"0\"; allowed: a whole number from 1 to 100; the query parameter \"limt\" is not known; allowed: from, limit; did you mean limit?",
		"list?" + strings.Repeat("x", 9999): "xxx...\" is not known",
	} {
		name := "MALFORMED_PARAMETER"
		if strings.Contains(says, "missing") {
			name = "MISSING_PARAMETER"
		}
		s.refused(s.do(call{method: "GET", path: "/2.7/exports/" + query}), 400, name, says)
	}
	a := s.do(call{method: "GET", path: "/2.7/exports/list?limit=0&from=a&from=b&limt=5"})
	faults, _ := a.body["errors"].([]any)
	for i, want := range []string{"/from maxItems", "/limit pattern", "/limt additionalProperties"} {
		if fault, _ := faults[i].(map[string]any); fmt.Sprint(fault["pointer"], " ", fault["keyword"]) != want {
			t.Errorf("fault %d is %v, want %s", i, fault, want)
		}
	}
	s.refused(s.do(call{method: "GET", path: "/_mock/exports?limt=5"}), 400, "MALFORMED_PARAMETER", "did you mean limit?")
	for _, query := range []string{"view?id=export_nobody", "download?id=file_nobody_1", "download?id=file_nobody",
		"download?id=file_nobody_x"} {
		s.refused(s.do(call{method: "GET", path: "/2.7/exports/" + query}), 404, "ROUTE_NOT_FOUND")
	}

	id := s.create(profilesPath, kinds[8].body, "progress=time:4s")
	first := "file_" + strings.TrimPrefix(id, "export_") + "_1"
	record := s.lookup(id).body
	if record["scope"] != "PROFILE_ATTRIBUTES" || record["status"] != "CREATED" || record["request_date"] != "2026-03-15T12:00:00Z" ||
		record["files"] != nil {
		t.Errorf("created: %v", record)
	}
	s.refused(s.do(call{method: "GET", path: "/2.7/exports/download?id=" + first}), 404, "ROUTE_NOT_FOUND", "is CREATED")
	s.clock.Advance(4 * time.Second)
	record = s.lookup(id).body
	files, _ := record["files"].([]any)
	if record["completion_date"] != "2026-03-15T12:00:04Z" || len(files) < 2 {
		t.Fatalf("finished: %v", record)
	}
	for i, item := range files {
		file := item.(map[string]any)
		must.Hold(t, file["part"] == float64(i+1) && file["size"].(float64) <= 4000, "part %d: %v", i+1, file)
		// The address of a part needs the credentials, and leads to a link that needs none.
		path := strings.TrimPrefix(file["url"].(string), "http://mock.test")
		redirect := s.do(call{method: "GET", path: path})
		link := redirect.Header.Get("Location")
		if redirect.StatusCode != http.StatusTemporaryRedirect || redirect.body["id"] != file["id"] {
			t.Fatalf("%s answers %d: %s", path, redirect.StatusCode, redirect.text)
		}
		part := s.get(strings.TrimPrefix(link, "http://mock.test"))
		if float64(len(part.text)) != file["size"] || !strings.Contains(part.Header.Get("Content-Disposition"), ".json") {
			t.Errorf("part %d has %d bytes, the record says %v; %v", i+1, len(part.text), file["size"], part.Header)
		}
	}
	beyond := strings.TrimSuffix(first, "1") + "99"
	s.refused(s.do(call{method: "GET", path: "/2.7/exports/download?id=" + beyond}), 404, "ROUTE_NOT_FOUND")
	s.clock.Advance(40 * day)
	if record = s.lookup(id).body; record["status"] != "SUCCESS" || record["files"] != nil {
		t.Errorf("after a month: %v", record)
	}
	s.refused(s.do(call{method: "GET", path: "/2.7/exports/download?id=" + first}), 410, "FILE_EXPIRED", "2026-04-15T12:00:04Z")
	failed := s.create(profilesPath, filteredBody, "progress=now;outcome=error")
	if record = s.lookup(failed).body; record["error_message"] == nil || record["files"] != nil {
		t.Errorf("failed: %v", record)
	}
}

// TestProfileListPages walks through the list.
func TestProfileListPages(t *testing.T) {
	s := newServer(t)
	var created []string
	for range 12 {
		created = append([]string{s.create(profilesPath, kinds[8].body, "progress=now")}, created...)
		s.create(userbasePath, userbaseBody, "") // of the other interface
	}
	page := s.do(call{method: "GET", path: "/2.7/exports/list"})
	if page.body["count"] != 10.0 || page.body["has_more"] != true {
		t.Errorf("the first page: %v %v", page.body["count"], page.body["has_more"])
	}
	var seen []string
	for path := "/2.7/exports/list?limit=5"; path != ""; {
		page := s.do(call{method: "GET", path: path})
		for _, record := range page.body["exports"].([]any) {
			seen = append(seen, record.(map[string]any)["id"].(string))
		}
		path = ""
		if next, ok := page.body["next_from"].(string); ok {
			path = "/2.7/exports/list?limit=5&from=" + next
		}
	}
	must.Equal(t, strings.Join(seen, " "), strings.Join(created, " "), "the list")
}

// TestLargestPages: a page with the most records that it may have leads on as any other does.
func TestLargestPages(t *testing.T) {
	s := newServer(t)
	const most = 1000
	for range most + 1 {
		s.create(userbasePath, userbaseBody, "")
	}
	page := s.do(call{method: "GET", path: "/_mock/exports?limit=1000"})
	next, _ := page.body["next_from"].(string)
	if got := len(page.body["exports"].([]any)); got != most || next == "" {
		t.Fatalf("%d exports, the next page begins after %q", got, next)
	}
	page = s.do(call{method: "GET", path: "/_mock/exports?limit=1000&from=" + next})
	if got := len(page.body["exports"].([]any)); got != 1 || page.body["next_from"] != nil {
		t.Errorf("%d exports after %d of %d, and a next page: %v", got, most, most+1, page.body["next_from"])
	}
}

// TestStaleFiles: an export whose file can no longer be made is an ERROR with a reason.
func TestStaleFiles(t *testing.T) {
	s := newServer(t)
	legacy := s.create(userbasePath, userbaseBody, "progress=now")
	profile := s.create(profilesPath, filteredBody, "progress=now")
	links := append(s.links(legacy), s.links(profile)...)
	for _, id := range []string{legacy, profile} {
		must.Get(s.store.Update(t.Context(), id, func(record *exports.Record) error {
			record.File.SchemaDigest = "of another time"
			return nil
		}))(t)
		record := s.lookup(id)
		if record.body["status"] != "ERROR" || !strings.Contains(record.text, "request it again") {
			t.Errorf("a stale export: %s", record.text)
		}
	}
	for _, link := range links {
		s.refused(s.get(link), 404, "ROUTE_NOT_FOUND", "request it again")
	}
}

// TestRowsAreLimited checks rows=N of the scenario header.
func TestRowsAreLimited(t *testing.T) {
	s := newServer(t)
	for scenario, lines := range map[string]int{"progress=now;rows=0": 1, "progress=now;rows=3": 4} {
		file := s.get(s.links(s.create(userbasePath, userbaseBody, scenario))[0])
		must.Equal(t, strings.Count(file.text, "\n"), lines, "lines of %s, %s", scenario, file.text)
	}
	file := s.get(s.links(s.create(profilesPath, filteredBody, "progress=now;rows=0"))[0])
	must.Equal(t, strings.Join(strings.Fields(file.text), ""), "[]", "no rows")
}
