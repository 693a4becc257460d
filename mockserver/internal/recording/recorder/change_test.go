package recorder_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/recorder"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// people is a service in which people stand wherever they can.
func people(t *testing.T) *httptest.Server {
	t.Helper()
	const id = "5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10"
	const lookup = "/1.0/live_demo/export/request/"
	const jane = `{"name": "Jane Planted", "email": "jane.planted@company.com", "phone": "+33612345678", "sessionId": "planted-session"}`
	var service *httptest.Server
	service = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/1.0/live_demo/export/userbase":
			w.WriteHeader(202)
			io.WriteString(w, `{"requestId": "`+id+`", "by": "Planted", "Jane Planted": 1}`)
		case lookup + id:
			fmt.Fprintf(w, `{"id": %q, "status": "SUCCESS", "note": "J. Planted", "file_url": "%s/files/x"}`, id, service.URL)
		case lookup + "theirs":
			fmt.Fprintf(w, `{"id": "theirs", "status": "RUNNING", "by": "jane.planted@company.com"}`)
		case "/files/x":
			if r.Header.Get("X-Refused") != "" {
				w.WriteHeader(403)
				io.WriteString(w, jane)
				return
			}
			w.Header().Set("Content-Type", "text/csv")
			io.WriteString(w, "install_id\nPlanted\n")
		case "/api/2/days/2026-03-14": // of an interface whose answers are files
			io.WriteString(w, "planted")
		default:
			io.WriteString(w, jane)
		}
	}))
	t.Cleanup(service.Close)
	return service
}

// TestNothingUnchanged: with a change, only bodies that a schema describes are in a recording, and others are counted.
func TestNothingUnchanged(t *testing.T) {
	t.Parallel()
	service := people(t)
	const credential = "X-Authorization: rest_demo"
	change := func(_ string, open func() (io.ReadCloser, error), into io.Writer) error {
		file, err := open()
		if err == nil {
			_, err = io.WriteString(into, "install_id\nsomebody\n")
		}
		return errors.Join(err, file.Close())
	}
	overlay := os.DirFS("../../../examples/services/analytics")
	directory, summary := changed(t, &watch{now: noon}, service.URL, overlay, change, func(base string) {
		ask(t, "GET", base+"/api/2/days/2026-03-14", "", "Authorization: Basic cDp0")
		made := ask(t, "POST", base+"/1.0/live_demo/export/userbase", `{"ids": ["install_id"]}`, credential)
		found := ask(t, "GET", base+"/1.0/live_demo/export/request/"+member(t, made.body, "requestId"), "", credential)
		ask(t, "GET", base+"/1.0/live_demo/export/request/theirs", "", credential)
		ask(t, "GET", base+"/1.0/live_demo/export/request/jane.planted@company.com", "", credential)
		ask(t, "GET", base+"/people/Planted", "", credential)
		ask(t, "POST", base+"/people", `{"name": "Planted"}`, credential)
		ask(t, "GET", member(t, found.body, "file_url"), "", "X-Refused: yes")
		ask(t, "GET", member(t, found.body, "file_url"), "")
	})
	for _, says := range []string{
		": 6 exchanges", "not in it: 2 that no schema file lists", "not in it: 2 bodies that may be about people",
		"not in it: 1 whose address holds",
	} {
		must.Hold(t, strings.Contains(summary, says), "%q is not in %s", says, summary)
	}
	for name, text := range must.Get(allOf(directory))(t) {
		must.Hold(t, !strings.Contains(strings.ToLower(text), "planted") && !strings.Contains(text, "+336"), "%s has %s", name, text)
	}
	if files, err := filepath.Glob(filepath.Join(directory, "files", "*.csv")); err != nil || len(files) != 1 {
		t.Errorf("the files are %v, %v", files, err)
	}
	again := serve(t, &watch{now: noon}, mockserver.Options{Replay: open(directory), Schemas: overlay, Profiles: 10, ReplayStrict: true})
	made := ask(t, "POST", again.URL+"/1.0/live_demo/export/userbase", `{"ids": ["install_id"]}`, credential)
	found := ask(t, "GET", again.URL+"/1.0/live_demo/export/request/"+member(t, made.body, "requestId"), "", credential)
	if file := ask(t, "GET", member(t, found.body, "file_url"), ""); file.body != "install_id\nsomebody\n" {
		t.Errorf("the replay sends %+v", file)
	}
}

// TestHostInCapitals: the host of the service is replaced and found in letters of any size.
func TestHostInCapitals(t *testing.T) {
	t.Parallel()
	var service *httptest.Server
	service = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		host := strings.Replace(service.URL, "http://127.0.0.1", "LocalHost", 1)
		fmt.Fprintf(w, `{"see": "HTTP://%s/docs", "or": "%s"}`, host, strings.ToUpper(host))
	}))
	defer service.Close()
	upstream := strings.Replace(service.URL, "127.0.0.1", "localhost", 1)
	directory, _ := recorded(t, &watch{now: noon}, upstream, nil, func(base string) { ask(t, "GET", base+"/about", "") })
	for name, text := range must.Get(allOf(directory))(t) {
		must.Hold(t, !strings.Contains(strings.ToLower(text), "localhost"), "%s has %s", name, text)
	}
	unfinished := t.TempDir()
	into := must.Get(recorder.New(unfinished, "api.company.test", noon, nil))(t)
	must.Do(t, os.WriteFile(filepath.Join(unfinished, "files", "x.csv"), []byte("install_id\nAPI.Company.TEST\n"), 0o600))
	if _, err := into.Close(); err == nil || !strings.Contains(err.Error(), "files/x.csv") {
		t.Errorf("a recording that names the service ends with %v", err)
	}
}
