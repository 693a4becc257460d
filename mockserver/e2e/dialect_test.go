package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// dialectFiles make the server speak as no specification does: the client below knows that dialect, and not the other.
const dialectFiles = "testdata/dialect"

// foreign is a client that was written for that dialect.
type foreign struct {
	t       *testing.T
	base    string
	library *schemas.Library
	http    *http.Client
}

func connectForeign(t *testing.T, flags ...string) *foreign {
	t.Helper()
	s := start(t, append([]string{"--state", "memory", "--profiles", "2000", "--now", "2026-03-10T12:00:00Z", "--progress", "polls:6",
		"--schemas", dialectFiles}, flags...)...)
	library := must.Get(schemas.Open(os.DirFS(dialectFiles)))(t)
	return &foreign{t, s.base, library, &http.Client{Timeout: patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

var (
	companyHeaders = []string{"X-Api-Secret", "Key rest_demo"}
	projectHeaders = []string{"X-Access-Token", "Token token_demo", "X-Tenant", "project_demo"}
)

// send sends a request and reads the answer.
func (f *foreign) send(method, target, body string, headers ...string) (*http.Response, []byte) {
	f.t.Helper()
	if !strings.HasPrefix(target, "http") {
		target = f.base + target
	}
	r := must.Get(http.NewRequest(method, target, strings.NewReader(body)))(f.t)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response := must.Get(f.http.Do(r))(f.t)
	defer response.Body.Close()
	text := must.Get(io.ReadAll(response.Body))(f.t)
	return response, text
}

// get asks for a JSON answer that fits a schema of the dialect.
func (f *foreign) get(target, schema string, into any, headers ...string) {
	f.t.Helper()
	response, text := f.send("GET", target, "", headers...)
	f.fits(response, text, schema, into)
}

func (f *foreign) fits(response *http.Response, text []byte, schema string, into any) {
	f.t.Helper()
	value, err := schemas.Decode(text)
	if err == nil && response.StatusCode < 400 {
		err = f.library.Validate(schema, value)
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil || response.StatusCode >= 400 {
		f.t.Fatalf("%s %s: %s: %v: %s", response.Request.Method, response.Request.URL, response.Status, err, text)
	}
}

// refusal tells whether an answer is a refusal as a schema of the dialect has them.
func (f *foreign) refusal(schema string, text []byte) bool {
	value, err := schemas.Decode(text)
	return err == nil && f.library.Validate(schema, value) == nil
}

// create asks for an export, and gives its identifier.
func (f *foreign) create(path, member, body string, headers ...string) string {
	f.t.Helper()
	response, text := f.send("POST", path, body, headers...)
	made := map[string]any{}
	if err := json.Unmarshal(text, &made); err != nil || response.StatusCode != http.StatusAccepted {
		f.t.Fatalf("POST %s: %s: %s", path, response.Status, text)
	}
	location, err := url.Parse(response.Header.Get("Location"))
	if version, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); err != nil || !strings.HasPrefix(location.Path, "/"+version+"/") {
		f.t.Errorf("POST %s: the export is looked up at %q", path, response.Header.Get("Location"))
	}
	id, _ := made[member].(string)
	return id
}

// follow looks an export up until it ends, and lists the states that it saw.
func (f *foreign) follow(target, schema string, ends []string, into any, headers ...string) (states []string) {
	f.t.Helper()
	for range 20 {
		var record struct{ Status string }
		response, text := f.send("GET", target, "", headers...)
		f.fits(response, text, schema, &record)
		states = append(states, record.Status)
		if slices.Contains(ends, record.Status) {
			must.Do(f.t, json.Unmarshal(text, into))
			return slices.Compact(states)
		}
	}
	f.t.Fatalf("%s does not end: %v", target, states)
	return nil
}

// saved is the name under which a browser saves an answer.
func saved(t *testing.T, response *http.Response) string {
	t.Helper()
	_, parameters, err := mime.ParseMediaType(response.Header.Get("Content-Disposition"))
	if err != nil {
		t.Fatalf("Content-Disposition: %v", err)
	}
	return parameters["filename"]
}

// lints are the severities of what was found, by code.
func (f *foreign) lints(key string) map[string]string {
	f.t.Helper()
	var page struct {
		Lints []struct{ Code, Severity string }
	}
	f.get("/_mock/lints?key="+key, "mock/lints.json", &page)
	found := map[string]string{}
	for _, lint := range page.Lints {
		found[lint.Code] = lint.Severity
	}
	return found
}

func (f *foreign) advance(by string) {
	f.t.Helper()
	if response, text := f.send("POST", "/_mock/clock", `{"advance":"`+by+`"}`); response.StatusCode != http.StatusOK {
		f.t.Fatalf("moving the clock: %s: %s", response.Status, text)
	}
}

const sevenDays = `"from":"2026-03-03T12:00:00","to":"2026-03-10T12:00:00"`

// TestDialectLegacy: a CSV export from its creation to the day on which nobody knows it any more, in other words throughout.
func TestDialectLegacy(t *testing.T) {
	f := connectForeign(t)
	const path = "/v1/live_demo/export/in-app-campaign/spring/events"
	body := `{` + sevenDays + `,"events":["inapp_shown","inapp_clicked"],"ids":["install_id"]}`
	for about, c := range map[string]struct {
		path, header string
		status       int
		says         string
	}{
		"the version of the specification": {"/1.0/dev_demo/export/userbase", "X-Api-Secret", 404, "/v1/dev_demo/export/userbase"},
		"the header of the specification":  {path, "X-Authorization", 401, "X-Api-Secret is missing"},
	} {
		if response, text := f.send("POST", c.path, body, c.header, "Key rest_demo"); response.StatusCode != c.status || c.status == 401 &&
			!strings.Contains(string(text), c.says) {
			t.Errorf("%s: %s: %s", about, response.Status, text)
		}
	}
	id := f.create(path, "requestId", body, companyHeaders...)
	must.Hold(t, strings.HasPrefix(id, "Req-"), "the export is %s", id)
	lookup := "/v1/live_demo/export/request/" + id
	var record struct {
		URI     string
		Status  string
		FileURL string `json:"file_url"`
	}
	states := f.follow(lookup, "legacy/export.record.json", []string{"COMPLETED", "FAILED"}, &record, companyHeaders...)
	must.Equal(t, states, []string{"QUEUED", "PREPARING", "RUNNING", "COMPLETED"}, "the export went through")
	must.Equal(t, record.URI, path, "uri")
	// The link asks for the credentials again, and redirects.
	if want := f.base + lookup + "/file"; record.FileURL != want {
		t.Errorf("file_url is %s, want %s", record.FileURL, want)
	}
	if response, text := f.send("GET", record.FileURL, ""); response.StatusCode != http.StatusUnauthorized {
		t.Errorf("file_url without credentials: %s: %s", response.Status, text)
	}
	response, text := f.send("GET", record.FileURL, "", companyHeaders...)
	location := response.Header.Get("Location")
	if value, err := schemas.Decode(text); err != nil || f.library.Validate("legacy/export.file.json", value) != nil ||
		response.StatusCode != http.StatusFound {
		t.Fatalf("file_url: %s, %v: %s", response.Status, err, text)
	}
	must.Hold(t, strings.HasPrefix(location, f.base+"/files/export-"+id+".csv?"), "the redirect leads to %s", location)
	// The redirect stays within one origin: the credentials go along, and no lint says a word.
	response, file := f.send("GET", location, "", companyHeaders...)
	if name := saved(t, response); response.StatusCode != http.StatusOK || name != id+"_in-app-campaign.events.csv" {
		t.Errorf("the file: %s, saved as %s", response.Status, name)
	}
	clicks := 0
	for i, line := range strings.Split(strings.TrimSpace(string(file)), "\n") {
		cells := strings.Split(line, ";")
		if action := cells[3]; i > 0 && action != "" {
			if clicks++; !strings.HasPrefix(action, "acme.") {
				t.Fatalf("line %d: the action %q has the prefix of another dialect", i+1, action)
			}
		}
	}
	if clicks == 0 {
		t.Error("the file has no clicks, so nothing is known of the prefix of actions")
	}
	var shown struct {
		Exports []struct{ ID, Status string }
	}
	f.get("/_mock/exports", "mock/export.list.json", &shown)
	must.Hold(t, len(shown.Exports) == 1 && shown.Exports[0].Status == "COMPLETED", "/_mock/exports shows %+v", shown.Exports)
	if found := f.lints("live_demo"); len(found) != 0 {
		t.Errorf("a client that does everything right has the lints %v", found)
	}
	if found := f.lints("dev_demo"); found["no_such_route"] == "" {
		t.Errorf("a client that asks for another version has the lints %v", found)
	}
	var entries struct{ Requests []map[string]any }
	f.get("/_mock/journal", "mock/journal.json", &entries)
	if secret, _ := json.Marshal(entries.Requests); bytes.Contains(secret, []byte("rest_demo")) {
		t.Errorf("the journal has the company key: %s", secret)
	}

	// A month later the file is gone, and that is a state of its own; another month later nobody knows the request.
	f.advance("800h")
	record.FileURL = ""
	f.get(lookup, "legacy/export.record.json", &record, companyHeaders...)
	must.Hold(t, record.Status == "EXPIRED" && record.FileURL == "", "a month later the record is %+v", record)
	f.advance("800h")
	if response, text := f.send("GET", lookup, "", companyHeaders...); response.StatusCode != http.StatusNotFound ||
		!f.refusal("legacy/error.json", text) {
		t.Errorf("after sixty days the lookup answers %s: %s", response.Status, text)
	}

	// A lint that this dialect holds for worse than others do.
	forgotten := f.create("/v1/live_demo/export/userbase", "requestId", `{"ids":["install_id"]}`, companyHeaders...)
	f.follow("/v1/live_demo/export/request/"+forgotten, "legacy/export.record.json", []string{"COMPLETED"}, &record, companyHeaders...)
	if found := f.lints("live_demo"); found["file_never_downloaded"] != "error" || found["polled_too_fast"] != "" {
		t.Errorf("a file that nobody downloaded: %v", found)
	}
	if _, text := f.send("GET", "/_mock/lints?key=live_demo", ""); !strings.Contains(string(text), "download the file of an export that is COMPLETED") {
		t.Errorf("the advice is in other words: %s", text)
	}
}

// TestDialectProfiles: a JSON export with one object a line, signed links, and a limit that is told in another header.
func TestDialectProfiles(t *testing.T) {
	f := connectForeign(t, "--part-size", "20000")
	response, text := f.send("POST", "/v3/profiles/export", `{}`, "Authorization", "Bearer token_demo", "X-Service-Project", "project_demo")
	if challenge := response.Header.Get("WWW-Authenticate"); response.StatusCode != http.StatusUnauthorized ||
		challenge != `Token realm="exports"` || !strings.Contains(string(text), "X-Access-Token") {
		t.Errorf("the headers of the specification: %s, %q: %s", response.Status, challenge, text)
	}
	const everything = `{"export_type":"ATTRIBUTES","attributes":["$email_address","$language"],"identifiers":["custom_id"]}`
	id := f.create("/v3/profiles/export", "id", everything, projectHeaders...)
	var record struct {
		Files []struct{ URL string }
	}
	states := f.follow("/v3/exports/view?id="+id, "profiles/export.record.json", []string{"READY", "BROKEN"}, &record, projectHeaders...)
	must.Equal(t, states, []string{"NEW", "IN_PROGRESS", "READY"}, "the export went through")
	must.Hold(t, strings.HasPrefix(id, "job-"), "the export is %s", id)
	if len(record.Files) < 2 {
		t.Fatalf("the export has %d parts, want several", len(record.Files))
	}
	directory, rows := t.TempDir(), 0
	for i, listed := range record.Files {
		if !strings.HasPrefix(listed.URL, fmt.Sprintf("%s/files/rows-%s.part%d.ndjson?", f.base, id, i+1)) {
			t.Errorf("part %d is at %s", i+1, listed.URL)
		}
		response, file := f.send("GET", listed.URL, "")
		name := fmt.Sprintf("profiles.attributes_%s_%d.ndjson", id, i+1)
		if got := saved(t, response); got != name || response.Header.Get("Content-Type") != "application/x-ndjson" ||
			response.StatusCode != http.StatusOK {
			t.Errorf("part %d: %s, %s, saved as %s", i+1, response.Status, response.Header.Get("Content-Type"), got)
		}
		for line := range bytes.Lines(file) {
			var profile struct{ Identifiers map[string]any }
			if err := json.Unmarshal(line, &profile); err != nil || profile.Identifiers["profile_id"] == nil {
				t.Fatalf("part %d: a line is no profile: %v: %s", i+1, err, line)
			}
			rows++
		}
		must.Do(t, os.WriteFile(filepath.Join(directory, name), file, 0o644))
	}
	// Not everybody has come yet; the rest of the population does.
	must.Hold(t, rows >= 1000, "all parts together have %d rows", rows)
	// What checks files reads the dialect as well, and no other.
	first := filepath.Join(directory, fmt.Sprintf("profiles.attributes_%s_1.ndjson", id))
	if out, problems, code := command(t, "validate", "--schemas", dialectFiles, "--schema", "profiles.attributes", first); code != 0 {
		t.Errorf("validate: %d: %s%s", code, out, problems)
	}
	if out, _, code := command(t, "validate", "--schema", "profiles.attributes", first); code == 0 {
		t.Errorf("validate took one object a line for an array: %s", out)
	}
	if out, problems, code := command(t, "check", "--schemas", dialectFiles, first); code != 0 ||
		!strings.Contains(out, "profiles.attributes") {
		t.Errorf("check: %d: %s%s", code, out, problems)
	}
	made, problems, code := command(t, "generate", "--schemas", dialectFiles, "--kind", "profiles.events", "--profiles", "100", "--now",
		"2026-03-10T12:00:00Z", "--quiet")
	if lines := strings.Split(strings.TrimSuffix(made, "\n"), "\n"); code != 0 || len(lines) < 10 || !strings.HasPrefix(lines[0], "{") ||
		!strings.HasSuffix(lines[0], "}") {
		t.Errorf("generate: %d, %.200s%s", code, made, problems)
	}

	// The credentials do not belong to a signed link, and this dialect holds that for an error.
	if response, _ := f.send("GET", record.Files[0].URL, "", projectHeaders...); response.StatusCode != http.StatusOK {
		t.Errorf("a download with credentials: %s", response.Status)
	}
	// A file belongs to the interface of its export, also where no route fits.
	f.send("POST", record.Files[0].URL, "")
	if found := f.lints("project_demo"); found["credentials_sent_to_link"] != "error" || found["file_posted"] != "warning" || len(found) != 2 {
		t.Errorf("a client that sends credentials to a link has the lints %v", found)
	}
	for range 11 {
		response,
			_ = f.send("POST", "/v3/profiles/export", `{"export_type":"ATTRIBUTES","identifiers":["custom_id"],"filter":{"segment":"loyal"}}`,
			projectHeaders...)
	}
	if response.StatusCode != http.StatusTooManyRequests || response.Header.Get("X-Retry-In") == "" ||
		response.Header.Get("Retry-After") != "" {
		t.Errorf("one export too many: %s, %v", response.Status, response.Header)
	}

	// Later the file is gone, and the export in the state for it; later still nobody knows it.
	f.advance("800h")
	var gone struct{ Status string }
	f.get("/v3/exports/view?id="+id, "profiles/export.record.json", &gone, projectHeaders...)
	must.Equal(t, gone.Status, "GONE", "a month later the export")
	f.advance("400h")
	if response, text := f.send("GET", "/v3/exports/view?id="+id, "", projectHeaders...); response.StatusCode != http.StatusNotFound ||
		!f.refusal("profiles/error.json", text) {
		t.Errorf("after the days for which exports are known the lookup answers %s: %s", response.Status, text)
	}
}

// TestDialectIsToldEverywhere: documents, schemas and pages of a server speak as it does.
func TestDialectIsToldEverywhere(t *testing.T) {
	f := connectForeign(t)
	said := map[string]string{}
	for _, page := range []string{"/openapi/full.json", "/", "/schemas/legacy/export.record.json", "/schemas/profiles/export.record.json",
		"/schemas/mock/export.record.json", "/schemas/legacy/in-app-campaign.events.row.json", "/schemas/data/event.json",
		"/schemas/actions/call.json", "/schemas/legacy/error.json", "/schemas/profiles/error.json"} {
		response, text := f.send("GET", page, "")
		if response.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", page, response.Status)
		}
		said[page] = string(text)
	}
	for page, words := range map[string][]string{
		"/openapi/full.json": {`"/v1/{app}/export/userbase"`, `"/v3/profiles/export"`, `"X-Api-Secret"`, `"X-Access-Token"`,
			`"X-Tenant"`, "application/x-ndjson", "X-Retry-In", "PREPARING", "IN_PROGRESS"},
		"/schemas/legacy/export.record.json": {`["QUEUED","PREPARING","RUNNING","COMPLETED","FAILED","EXPIRED"]`, `^/v1/`,
			`["COMPLETED","EXPIRED"]`},
		"/schemas/profiles/export.record.json": {`["NEW","IN_PROGRESS","READY","BROKEN","GONE"]`, `"/v3/exports/view"`},
		"/schemas/mock/export.record.json":     {`"QUEUED"`, `"IN_PROGRESS"`},
		"/schemas/data/event.json":             {`"acme.deeplink"`},
		"/schemas/actions/call.json":           {`"acme.clipboard"`, `^acme\\.`, `[aA][cC][mM][eE]\\.`, `service.clipboard.arguments.json"`},
		"/schemas/legacy/error.json":           {"as long as X-Retry-In says"},
		"/schemas/profiles/error.json":         {"as long as X-Retry-In says"},
	} {
		for _, word := range words {
			must.Hold(t, strings.Contains(said[page], word), "%s does not say %s", page, word)
		}
	}
	for page, text := range said {
		text = regexp.MustCompile(`"service[.][a-z_.]+[.]json"|/actions/service[.]`).ReplaceAllString(text, "") // names of files
		for _, word := range []string{"/1.0/", "/2.7/", "X-Service-Project", `"CREATED"`, `"PENDING"`, "service.", "[sS][eE][rR][vV]",
			"as long as Retry-After says"} {
			if at := strings.Index(text, word); at >= 0 {
				t.Errorf("%s says %s, which is of another dialect: %.160s", page, word, text[max(0, at-80):])
			}
		}
	}
}
