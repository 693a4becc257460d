package mockserver_test

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func TestParseCredentials(t *testing.T) {
	const documented = `{"companies": [{
	  "key": "rest_demo",
	  "plan": "enterprise",
	  "applications": [{"key": "live_demo", "environment": "live"},
	                   {"key": "dev_demo", "environment": "dev"}],
	  "projects": [{"key": "project_demo", "tokens": ["token_demo"]}]
	}]}`
	credentials, err := mockserver.ParseCredentials([]byte(documented))
	if err != nil || !reflect.DeepEqual(credentials, mockserver.DemoCredentials()) {
		t.Errorf("the documented form is not that of the demo credentials: %+v %v", credentials, err)
	}
	for _, c := range []struct{ data, says string }{
		{``, "nothing here"},
		{`{"companies":[`, "line 1, column"},
		{`{"companies":[],"companies":[]}`, "companies"},
		{`[]`, "array"},
		{`{"$schema":1,"any":true}`, "$schema must be a string"},
		{`{}`, "companies is missing: it is required unless any is true"},
		{"{\n\"companies\":[]}", "line 2: companies must be an array of at least 1 item unless any is true; found no items"},
		{`{"company":[]}`, `company is not known here: allowed are $schema, any, companies`},
		{`{"companies":[{"key":5}]}`, "companies[0].key must be a string; found the number 5"},
		{`{"companies":[{}]}`, `companies[0].key is missing`},
		{`{"companies":[{"key":"a "}]}`, "companies[0].key must be a key for a header: visible ASCII characters, and blanks only between them; found \"a \""},
		{`{"companies":[{"key":"a","applications":[{"key":"b","environment":"test"}]}]}`, `companies[0].applications[0].environment must be live or dev; found "test"`},
		{`{"companies":[{"key":"a","applications":[{"key":"a"}]}]}`, "companies[0].applications[0].key repeats the key of companies[0].key"},
		{`{"companies":[{"key":"a","projects":[{"key":"p"}]}]}`, "companies[0].projects[0].tokens is missing"},
		{`{"companies":[{"key":"a","projects":[{"key":"p","tokens":["x y"]}]}]}`, "companies[0].projects[0].tokens[0]"},
		{`{"companies":[{"key":"a","projects":[{"key":"p","tokens":["é"]}]}]}`, "visible ASCII"},
		{`{"companies":[{"key":"é"}]}`, "companies[0].key must be a key for a header: visible ASCII characters, and blanks only between them; found \"é\""},
		{`{"companies":[{"key":"a\r\nb"}]}`, "visible ASCII"},
		{`{"companies":[{"key":"a","projects":[{"key":"p\u0000","tokens":["x"]}]}]}`, "companies[0].projects[0].key"},
		{`{"companies":[{"key":"a","applications":[{"key":"b/c"}]}]}`, "companies[0].applications[0].key must be a segment of a path: at most 255 bytes that can be printed, without a slash"},
		{`{"companies":[{"key":"a","applications":[{"key":".."}]}]}`, "names a folder"},
		{`{"companies":[{"key":"a","applications":[{"key":"b\n"}]}]}`, "companies[0].applications[0].key"},
		{`{"companies":[{"key":"a","applications":[{"key":"` + strings.Repeat("x", 256) + `"}]}]}`, "companies[0].applications[0].key must be at most 255 characters long"},
	} {
		if _, err := mockserver.ParseCredentials([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one with %q", c.data, err, c.says)
		}
	}
	if credentials, err := mockserver.ParseCredentials([]byte(`{"$schema":"x","any":true}`)); err != nil || !credentials.Any {
		t.Errorf("any: %+v %v", credentials, err)
	}
}

// TestAwkwardApplicationKeys: whatever may be a segment of a path may be a key.
func TestAwkwardApplicationKeys(t *testing.T) {
	for _, key := range []string{"clé", "a b", `"quoted"`, "100%", "a;b", "a?b#c", "..."} {
		server, err := mockserver.New(mockserver.Options{StartAt: noon, Progress: "now", Credentials: mockserver.Credentials{
			Companies: []mockserver.Company{{Key: "a company", Applications: []mockserver.Application{{Key: key}},
				Projects: []mockserver.Project{{Key: "p", Tokens: []mockserver.Secret{"t"}}}}},
		}})
		if err != nil {
			t.Errorf("%q: %v", key, err)
			continue
		}
		defer server.Close()
		if status, body := do(t, server, "POST", "/1.0/"+url.PathEscape(key)+"/export/userbase", ids, "X-Authorization", "a company"); status != 202 {
			t.Errorf("%q: %d %s", key, status, body)
		}
	}
}

// TestGivenCredentials: other keys replace the demo keys, also on the page.
func TestGivenCredentials(t *testing.T) {
	credentials, err := mockserver.ParseCredentials([]byte(`{"companies":[
		{"key":"secret_company","applications":[{"key":"secret_app"}],"projects":[{"key":"secret_project","tokens":["secret_token","second"]}]},
		{"key":"small_company","plan":"starter","applications":[{"key":"small_app","environment":"dev"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%+v", credentials); strings.Contains(text, "secret_company") || strings.Contains(text, "secret_token") {
		t.Errorf("credentials print themselves: %s", text)
	}
	server := must.Get(mockserver.New(mockserver.Options{StartAt: noon, Credentials: credentials}))(t)
	defer server.Close()
	for _, c := range []struct {
		path, key string
		status    int
	}{
		{userbase, "rest_demo", 401},
		{"/1.0/secret_app/export/userbase", "secret_company", 202},
		{"/1.0/secret_app/export/userbase", "small_company", 401},
		{"/1.0/small_app/export/userbase", "small_company", 403},
	} {
		if status, body := do(t, server, "POST", c.path, ids, "X-Authorization", c.key); status != c.status {
			t.Errorf("%s with %s: %d, want %d: %s", c.path, c.key, status, c.status, body)
		}
	}
	status, body := do(t, server, "POST", "/2.7/profiles/export", `{"export_type":"ATTRIBUTES","attributes":["$language"]}`,
		"Authorization", "Bearer second", "X-Service-Project", "secret_project")
	must.Hold(t, status == 202, "profiles: %d %s", status, body)
	if _, page := do(t, server, "GET", "/", ""); strings.Contains(page, "secret_") {
		t.Error("the page shows keys that are not the demo keys")
	}
}
