// Package services_test serves the services that are made of files alone, and lets their clients ask them.
package services_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
)

// serve serves a service, whose clock stands still. What its client does wrong fails the test.
func serve(t *testing.T, name string) *mocktest.Mock {
	t.Helper()
	return mocktest.Start(t, mocktest.Options{
		Now: time.Date(2026, 3, 15, 12, 30, 0, 0, time.UTC), Lints: mocktest.FailOnWarnings, PollInterval: -1,
		Server: mockserver.Options{Schemas: os.DirFS(name), Profiles: 2000},
	})
}

// run is what the client of a service prints.
func run(t *testing.T, address, client string, arguments ...string) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("REQUIRE_ALL") != "" {
			t.Fatal("there is no python3, which the client needs, and REQUIRE_ALL is set")
		}
		t.Skip("there is no python3 on this machine, which the client needs")
	}
	command := exec.Command(python, append([]string{"-B", client, address}, arguments...)...)
	command.Stderr = os.Stderr
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v", client, err)
	}
	return string(printed)
}

// ask sends a request with the credential of a service, and reads the answer.
func ask(t *testing.T, mock *mocktest.Mock, method, path, body string, header http.Header) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, mocktest.Base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if request.Header = header.Clone(); body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("X-Mock-Lint", "off")
	response, err := mock.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

// TestContacts: requests by REST, a bearer token alone, states of other names, zip files of CSV.
func TestContacts(t *testing.T) {
	mock := serve(t, "contacts")
	bearer := http.Header{"Authorization": {"Bearer " + mocktest.Token}}
	for _, c := range []struct {
		about, method, path, body string
		header                    http.Header
		status                    int
		says                      string
	}{
		{"no credential", "GET", "/v3/contacts/exports", "", http.Header{}, 401, `{"error":{"id":"AUTHENTICATION_INVALID","message":"the header Authorization is missing`},
		{"another token", "GET", "/v3/contacts/exports", "", http.Header{"Authorization": {"Bearer other"}}, 401, "carries a token that is not known"},
		{"an unknown member", "POST", "/v3/contacts/exports", `{"list_i": "a"}`, bearer, 400, `did you mean list_id?`},
		{"no export", "GET", "/v3/contacts/exports/5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10", "", bearer, 404, `"id":"ROUTE_NOT_FOUND"`},
		{"no identifier", "GET", "/v3/contacts/exports/mine", "", bearer, 400, `id in the path is \"mine\"; send the UUID that the creation answered as id`},
		{"no page", "GET", "/v3/contacts/exports?page_token=x", "", bearer, 400, "the query parameter page_token is \\\"x\\\"; send the next_page of the page before"},
		{"an empty list", "GET", "/v3/contacts/exports", "", bearer, 200, `{"result":[]}`},
		{"a forced failure", "POST", "/v3/contacts/exports", `{}`, http.Header{"Authorization": bearer["Authorization"], "X-Mock-Scenario": {"progress=now;outcome=error"}}, 202, `"self":"http`},
		{"its record in the list", "GET", "/v3/contacts/exports", "", bearer, 200, `"status":"failed","created_at":1773577800,"completed_at":1773577800,"message":"`},
	} {
		response, text := ask(t, mock, c.method, c.path, c.body, c.header)
		if response.StatusCode != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d %s, want %d %s", c.about, response.StatusCode, text, c.status, c.says)
		}
	}
	var languages map[string]int
	if err := json.Unmarshal([]byte(run(t, mock.URL(), "contacts.py", "0")), &languages); err != nil {
		t.Fatal(err)
	}
	if languages["en"] < 10 || languages["en"] > 1000 {
		t.Errorf("the client counted %v", languages)
	}
	var statuses []string
	for _, entry := range mock.Journal().Entries(mocktest.Filter{Route: "contacts.status", Kind: "contacts"}) {
		statuses = append(statuses, entry.ExportStatus)
	}
	if want := []string{"pending", "pending", "ready"}; !slices.Equal(statuses, want) {
		t.Errorf("the client saw %v, want %v", statuses, want)
	}
	described(t, mock, "contacts.bearerToken", map[string]string{"POST /v3/contacts/exports": "contactsCreate", "GET /v3/contacts/exports": "contactsList",
		"GET /v3/contacts/exports/{id}": "contactsStatus"})
}

// described checks that the API document has the operations of a service, with an example of each answer, and its credential.
func described(t *testing.T, mock *mocktest.Mock, scheme string, want map[string]string) {
	t.Helper()
	type operation struct {
		OperationID string
		Security    []map[string][]string
		Responses   map[string]struct {
			Content map[string]struct{ Examples map[string]any }
		}
	}
	var document struct {
		Paths      map[string]map[string]operation
		Components struct{ SecuritySchemes map[string]any }
	}
	_, text := ask(t, mock, "GET", "/openapi.json", "", http.Header{})
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	if document.Components.SecuritySchemes[scheme] == nil {
		t.Errorf("the API document does not have the credential %s", scheme)
	}
	for at, id := range want {
		method, path, _ := strings.Cut(at, " ")
		found := document.Paths[path][strings.ToLower(method)]
		if found.OperationID != id || len(found.Security) != 1 || found.Security[0][scheme] == nil {
			t.Errorf("%s is %s with %v, want %s with %s", at, found.OperationID, found.Security, id, scheme)
		}
		for status, response := range found.Responses {
			for media, content := range response.Content {
				if len(content.Examples) == 0 {
					t.Errorf("%s has no example of the answer %s of %s", at, media, status)
				}
			}
		}
	}
}
