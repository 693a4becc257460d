package server_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestWhereAnExportIsLookedUp: a creation says it, and so does the refusal of a path that was guessed.
func TestWhereAnExportIsLookedUp(t *testing.T) {
	s := newServer(t)
	legacy := s.do(call{path: "/1.0/live_demo/export/userbase", body: userbaseBody})
	profile := s.do(call{path: profilesPath, body: `{"export_type":"ATTRIBUTES","identifiers":["custom_id"]}`})
	for _, created := range []answer{legacy, profile} {
		path, ours := strings.CutPrefix(created.Header.Get("Location"), "http://mock.test")
		if found := s.do(call{method: "GET", path: path}); !ours || found.StatusCode != http.StatusOK {
			t.Errorf("Location %q answers %d", created.Header.Get("Location"), found.StatusCode)
		}
	}
	uuid, id := legacy.body["requestId"].(string), profile.body["id"].(string)
	for _, guess := range []string{
		"/2.7/profiles/export/" + id, "/2.7/profiles/export?id=" + id, "/2.7/exports/" + id, "/2.7/exports/" + id + "/status",
		"/2.7/exports?id=" + id,
	} {
		s.refused(s.do(call{method: "GET", path: guess}), 404, "ROUTE_NOT_FOUND", "an export is looked up with GET /2.7/exports/view?id="+id)
	}
	for _, guess := range []string{
		"/1.0/live_demo/export/" + uuid, "/1.0/live_demo/export/userbase/" + uuid, "/1.0/live_demo/export/userbase?requestId=" + uuid,
		"/1.0/live_demo/export/request/" + uuid + "/status",
	} {
		s.refused(s.do(call{method: "GET", path: guess}), 404, "ROUTE_NOT_FOUND",
			"an export is looked up with GET /1.0/live_demo/export/request/"+uuid)
	}
	// Who asks is not on the path.
	s.refused(s.do(call{method: "GET", path: "/1.0/export/request/" + uuid}), 404, "ROUTE_NOT_FOUND",
		"an export is looked up with GET /1.0/{api_key}/export/request/"+uuid)
	for path, name := range map[string]string{"/1.0/live_demo/export/campaign//events": "campaign_token", "/1.0//export/userbase": "api_key",
		"/1.0/live_demo/export/transactional//ids": "group_id", "/1.0/live_demo/export/request/": "request_id"} {
		s.refused(s.do(call{path: path, body: userbaseBody}), 404, "ROUTE_NOT_FOUND", name+" in the path is empty")
	}
	for guess, path := range map[string]string{"/profiles/export": "/2.7/profiles/export", "/exports/view": "/2.7/exports/view",
		"/2.7/exports":               "/2.7/exports/download or /2.7/exports/list or /2.7/exports/view",
		"/live_demo/export/userbase": "/1.0/live_demo/export/userbase"} {
		s.refused(s.do(call{method: "GET", path: guess}), 404, "ROUTE_NOT_FOUND", "did you mean "+path+"?")
	}
	if a := s.do(call{method: "GET", path: "/2.7/exports/elsewhere"}); strings.Contains(a.message(), "looked up with") {
		t.Errorf("a path that names no export: %s", a.message())
	}
}

// TestDoubts: requests that are accepted and hardly meant are linted.
func TestDoubts(t *testing.T) {
	declared := func(o *mockserver.Options) {
		o.Schemas = overlaid(t, "profiles/attributes.output.json", `"$creation_date": {`, `"shoe_size": {"type": "integer"}, "$creation_date": {`)
	}
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	day := func(days int) string { return now.AddDate(0, 0, days).Format("2006-01-02T15:04:05Z") }
	events := func(from, to string) string {
		return `{"export_type":"EVENTS","events":["push_sent"],"from":"` + from + `","to":"` + to + `"}`
	}
	for _, c := range []struct {
		about, body, want string
		change            func(*mockserver.Options)
	}{
		{"a native name without $", `{"export_type":"ATTRIBUTES","attributes":["language","$region"]}`, "native_name_without_dollar", nil},
		{"a native name in capitals", `{"export_type":"ATTRIBUTES","attributes":["Language"]}`, "native_name_without_dollar", nil},
		{"a native name misspelt", `{"export_type":"ATTRIBUTES","attributes":["languge"]}`, "native_name_without_dollar", nil},
		{"a longer name than a native one", `{"export_type":"ATTRIBUTES","attributes":["region_code"]}`, "", nil},
		{"a custom attribute, and none is declared", `{"export_type":"ATTRIBUTES","attributes":["shoe_sise"]}`, "", nil},
		{"an undeclared attribute", `{"export_type":"ATTRIBUTES","attributes":["shoe_sise","shoe_size"]}`, "undeclared_attribute", declared},
		{"two undeclared attributes", `{"export_type":"ATTRIBUTES","attributes":["shoe_sise","hat"]}`,
			"undeclared_attribute undeclared_attribute", declared},
		{"a declared attribute", `{"export_type":"ATTRIBUTES","attributes":["shoe_size"]}`, "", declared},
		{"an empty window", events("now", "now"), "window_without_events", nil},
		{"a window ahead", events(day(1), day(2)), "window_without_events", nil},
		{"a window that ends ahead", events(day(-1), day(2)), "", nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			change := c.change
			if change == nil {
				change = func(*mockserver.Options) {}
			}
			s := newServer(t, change)
			s.do(call{method: "POST", path: "/_mock/clock", body: `{"set":"` + now.Format(time.RFC3339) + `","freeze":true}`,
				header: http.Header{"Content-Type": {"application/json"}}})
			s.create(profilesPath, c.body, "progress=now")
			must.Equal(t, s.lints("underway=true"), c.want, "lints")
		})
	}
}

// TestUnfilledPlaceholders: a path in which a template left its placeholder is accepted, and linted.
func TestUnfilledPlaceholders(t *testing.T) {
	for _, c := range []struct{ token, want string }{
		{"{campaign_token}", "placeholder_in_path"}, {"undefined", "placeholder_in_path"}, {"null", "placeholder_in_path"},
		{"None", "placeholder_in_path"},
		{"<token>", "placeholder_in_path"}, {":token", "placeholder_in_path"}, {"$TOKEN", "placeholder_in_path"}, {"%s", "placeholder_in_path"},
		{"campaign_token", "placeholder_in_path"},
		{"[object Object]", "placeholder_in_path"}, {"spring-sale", ""}, {"none-of-these", ""}, {"a:token", ""}, {"5$", ""},
	} {
		s := newServer(t)
		s.create("/1.0/live_demo/export/campaign/"+url.PathEscape(c.token)+"/events",
			`{"from":"2026-03-01T00:00:00","to":"now","events":["push_sent"],"ids":["install_id"]}`, "progress=now")
		must.Equal(t, s.lints("underway=true"), c.want, "%s: lints", c.token)
	}
	for _, lookup := range []string{"/1.0/live_demo/export/request/undefined", "/2.7/exports/view?id=null"} {
		s := newServer(t)
		s.do(call{method: "GET", path: lookup})
		must.Equal(t, s.lints("underway=true"), "placeholder_in_path", "%s: lints", lookup)
	}
}

// TestAttributesOfADataset: what its rows have and what its events change is declared.
func TestAttributesOfADataset(t *testing.T) {
	for _, c := range []struct{ about, mode, attribute, want string }{
		{"a name much like one of a row", "mixed", "favourite_shp", "favourite_shop"},
		{"and without synthetic profiles", "only", "favourite_shp", "favourite_shop"},
		{"a name much like one of an event", "mixed", "intrests", "interests"},
		{"a name of a row", "mixed", "favourite_shop", ""},
		{"a name with an escape", "only", `a\"b`, ""},
		{"a name inside a value", "only", "inner", "neither schemas nor dataset declare"},
		{"a name like no other", "mixed", "shoe_size", ""},
		{"which nobody has without synthetic profiles", "only", "shoe_size", "neither schemas nor dataset declare"},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := newServer(t)
			load := func(method, path, body string) {
				s.answers("", s.do(call{method: method, path: path, body: body, header: http.Header{"Content-Type": {"application/json"}}}), 200)
			}
			load("POST", "/_mock/data/profiles", `[{"profile_id":"profile_a","attributes":{"favourite_shop" : "inner", "a\"b":["inner","x"]}}]`)
			load("POST", "/_mock/data/events", `[{"type":"tag_added","profile_id":"profile_a","collection":"interests","tag":"art"}]`)
			load("POST", "/_mock/data", `{"mode":"`+c.mode+`"}`)
			s.create(profilesPath, `{"export_type":"ATTRIBUTES","attributes":["`+c.attribute+`"]}`, "progress=now")
			var messages []string
			for _, finding := range control[lintPage](s, "GET", "/_mock/lints?underway=true").Lints {
				messages = append(messages, finding.Message)
			}
			if got := strings.Join(messages, " "); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// TestAFileIsNotPostedTo: the journal knows a link to a file by its path, whatever the method.
func TestAFileIsNotPostedTo(t *testing.T) {
	s := newServer(t)
	id := s.create("/1.0/live_demo/export/userbase", userbaseBody, "progress=now")
	s.refused(s.do(call{method: "POST", path: s.links(id)[0]}), 404, "ROUTE_NOT_FOUND", "this path answers GET, HEAD")
	must.Equal(t, s.lints("underway=true"), "file_posted", "lints")
	must.Equal(t, s.lints("underway=true&key=live_demo"), "file_posted", "of the key of the export: lints")
}

// TestRequestsWithoutARouteHaveAKey: a path that begins as those of an application do is a request of that application, if there is such a
// one.
func TestRequestsWithoutARouteHaveAKey(t *testing.T) {
	s := newServer(t)
	s.do(call{method: "POST", path: "/1.0/live_demo/export/userbases", body: userbaseBody})
	s.do(call{method: "POST", path: "/1.0/nobodys/export/userbases", body: userbaseBody})
	must.Equal(t, s.lints("underway=true&key=live_demo"), "no_such_route", "of the key: lints")
	must.Equal(t, s.lints("underway=true"), "no_such_route no_such_route", "of all: lints")
}
