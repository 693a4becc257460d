package mockserver_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// noon is what the clocks of tests show at first.
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

// TestZeroOptions: the zero value works and uses the documented defaults.
func TestZeroOptions(t *testing.T) {
	server := must.Get(mockserver.New(mockserver.Options{}))(t)
	id := create(t, server, "")
	status, body := do(t, server, "GET", "http://localhost/_mock/exports/"+id, "")
	if status != http.StatusOK {
		t.Fatalf("answered %d: %s", status, body)
	}
	for _, default_ := range []string{`"progress":"time:2s"`, `"seed":0`, `"profiles":10000`} {
		must.Hold(t, strings.Contains(body, default_), "the record lacks %s: %s", default_, body)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if err := server.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	if status, body := do(t, server, "POST", userbase, ids); status != http.StatusInternalServerError {
		t.Errorf("after Close: %d %s", status, body)
	}
}

// TestBadOptions: an error names the option at fault.
func TestBadOptions(t *testing.T) {
	for says, options := range map[string]mockserver.Options{
		"profiles":    {Profiles: -1},
		"push-opt-in": {World: mockserver.World{PushOptIn: new(float64(2))}},
		"email_shown": {World: mockserver.World{Rates: map[string]float64{"email_shown": 0.5}}},
		"part-size":   {PartSize: -1},
		"journal":     {JournalSize: -1},
		"progress":    {Progress: "later"},
		"starting":    {StartAt: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)},
		"index.html":  {Web: fstest.MapFS{"page.html": {}}},
		"public-url":  {PublicURL: "mock.example"},
		"files-url":   {FilesURL: "files.example"},
		"credentials": {Credentials: mockserver.Credentials{Companies: []mockserver.Company{{Key: " "}}}},
		"schemas":     {Schemas: fstest.MapFS{"legacy/userbase.row.json": {Data: []byte("{")}}},
		"key for":     {Random: strings.NewReader("short")},
	} {
		server, err := mockserver.New(options)
		if err == nil {
			server.Close()
			t.Errorf("%s: no error", says)
		} else if !strings.Contains(err.Error(), says) {
			t.Errorf("the error lacks %q: %v", says, err)
		}
	}
}

func ExampleNew() {
	server, err := mockserver.New(mockserver.Options{StartAt: noon})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	listener := httptest.NewServer(server)
	defer listener.Close()

	request, _ := http.NewRequest("POST", listener.URL+"/1.0/live_demo/export/userbase", strings.NewReader(`{"ids":["install_id"]}`))
	request.Header.Set("X-Authorization", "rest_demo")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	fmt.Println(response.Status)
	// Output: 202 Accepted
}

// TestHostsOverTheNetwork: on a loopback listener every route answers to known
// names only, and the refusal says which flag lets another one in.
func TestHostsOverTheNetwork(t *testing.T) {
	server, err := mockserver.New(mockserver.Options{StartAt: noon, Profiles: 10, Hosts: []string{"mock.test"}, PublicURL: "https://public.example:8443/x"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	listening := httptest.NewServer(server)
	defer listening.Close()
	for host, status := range map[string]int{"": 200, "mock.test": 200, "public.example": 200, "evil.example:8080": 403, "laptop.local": 403} {
		for _, path := range []string{"/", "/openapi.json", "/docs", "/schemas", "/schemas.json", "/schemas/vocabulary.json", "/_mock/health", "/_mock/ready", "/_mock/clock", "/2.7/exports/list", "/files/x", "/nothing"} {
			r := must.Get(http.NewRequest("GET", listening.URL+path, nil))(t)
			r.Host = host
			response := must.Get(http.DefaultClient.Do(r))(t)
			text, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			// The API document has such a refusal for an example.
			if refused := response.StatusCode != 200 && strings.Contains(string(text), "does not answer under the name"); refused != (status == 403) {
				t.Errorf("%s under %q: %d %s", path, host, response.StatusCode, text)
			} else if refused && (response.StatusCode != 403 || !strings.Contains(string(text), "--host "+strings.TrimSuffix(host, ":8080"))) {
				t.Errorf("%s under %q: the refusal does not name the flag: %d %s", path, host, response.StatusCode, text)
			}
		}
	}
	for _, wrong := range []string{"", "mock.test:80", "*.test", "http://mock.test"} {
		if _, err := mockserver.New(mockserver.Options{StartAt: noon, Hosts: []string{wrong}}); err == nil || !strings.Contains(err.Error(), "host") {
			t.Errorf("%q is taken for a host: %v", wrong, err)
		}
	}
}
