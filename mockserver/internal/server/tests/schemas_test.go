package server_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/catalog"
)

// withOverlay lets a server work with further schema files.
func withOverlay(t *testing.T, files fstest.MapFS) func(*mockserver.Options) {
	t.Helper()
	return func(o *mockserver.Options) { o.Schemas = files }
}

// TestSchemasOfAnOverlay checks that the index and the files are those that the server works with.
func TestSchemasOfAnOverlay(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	row := bytes.Replace(library.Source("legacy/userbase.row.json"), []byte(`"Userbase row"`), []byte(`"Row of ours"`), 1)
	s := newServer(t, withOverlay(t, fstest.MapFS{
		"legacy/userbase.row.json": {Data: row},
		"own/deep/plain.json":      {Data: []byte(`{"title": "Plain", "$ref": "../../common/dates.json#/$defs/legacyDateTime"}`)},
		"own/empty.json":           {Data: []byte(` {} `)},
	}))
	var index struct {
		Digest  string
		Schemas []catalog.File
	}
	must.Do(t, json.Unmarshal([]byte(s.get("/schemas").text), &index))
	origins := map[string]catalog.Origin{}
	for _, file := range index.Schemas {
		origins[file.Name] = file.Origin
		a := s.get(strings.TrimPrefix(file.ID, "http://example.com"))
		var served struct {
			ID    string `json:"$id"`
			Title string
		}
		if err := json.Unmarshal([]byte(a.text), &served); err != nil || served.ID != file.ID || served.Title != file.Title {
			t.Errorf("%s: served as %q with the title %q: %v", file.ID, served.ID, served.Title, err)
		}
		if media := a.Header.Get("Content-Type"); media != "application/schema+json" || a.Header.Get("ETag") == "" ||
			a.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: media type %q, header %v", file.ID, media, a.Header)
		}
	}
	want := map[string]catalog.Origin{
		"legacy/userbase.row.json": catalog.Replaced, "own/deep/plain.json": catalog.Appended, "own/empty.json": catalog.Appended,
		"legacy/userbase.request.json": catalog.Embedded, "vocabulary.json": catalog.Embedded,
	}
	for name, origin := range want {
		must.Equal(t, origins[name], origin, "the origin of %s", name)
	}
	if kind := index.Schemas[slices.IndexFunc(index.Schemas,
		func(f catalog.File) bool { return f.Name == "legacy/userbase.row.json" })].Kind; kind != "userbase" {
		t.Errorf("the kind of the row is %q", kind)
	}
	var bundle struct {
		Defs map[string]struct {
			ID string `json:"$id"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(s.get("/schemas.json").text), &bundle); err != nil || len(bundle.Defs) != len(index.Schemas) {
		t.Fatalf("%d schemas in the bundle, %d in the index: %v", len(bundle.Defs), len(index.Schemas), err)
	}
	for _, file := range index.Schemas {
		must.Equal(t, bundle.Defs[file.Name].ID, file.ID, "the bundle has %s as", file.Name)
	}
}

// TestSchemasResolve lets a validator that knows addresses only read every
// schema, from one address to the next, and from the bundle alone.
func TestSchemasResolve(t *testing.T) {
	s := newServer(t)
	listener := httptest.NewServer(s.service)
	defer listener.Close()
	fetch := func(address string) (io.ReadCloser, error) {
		if !strings.HasPrefix(address, listener.URL+"/schemas") {
			return nil, fmt.Errorf("%s is not on the server", address)
		}
		answer, err := http.Get(address)
		if err == nil && answer.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s answers %s", address, answer.Status)
		}
		if err != nil {
			return nil, err
		}
		return answer.Body, nil
	}
	compiler := jsonschema.NewCompiler()
	compiler.LoadURL = fetch
	for _, name := range s.library.Names() {
		compiled := must.Get(compiler.Compile(listener.URL + "/schemas/" + name))(t)
		if name == "legacy/userbase.request.json" && compiled.Validate(map[string]any{"ids": []any{"nobody"}}) == nil {
			t.Error("a wrong request is valid")
		}
	}
	bundled := jsonschema.NewCompiler()
	bundled.LoadURL = func(address string) (io.ReadCloser, error) {
		if address == listener.URL+"/schemas.json" {
			return fetch(address)
		}
		return nil, fmt.Errorf("%s is not in the bundle", address)
	}
	must.Get(bundled.Compile(listener.URL + "/schemas.json"))(t)
	for _, name := range s.library.Names() {
		if _, err := bundled.Compile(listener.URL + "/schemas.json#/$defs/" + strings.ReplaceAll(name, "/", "~1")); err != nil {
			t.Errorf("%s in the bundle: %v", name, err)
		}
	}
}

// TestSchemasAreCached checks the entity tag of a schema.
func TestSchemasAreCached(t *testing.T) {
	s := newServer(t)
	for _, path := range []string{"/schemas", "/schemas/", "/schemas.json", "/schemas/legacy/userbase.row.json"} {
		tag := s.get(path).Header.Get("ETag")
		if a := s.do(call{method: "GET", path: path, header: http.Header{"If-None-Match": {tag}}}); tag == "" ||
			a.StatusCode != http.StatusNotModified {
			t.Errorf("%s with its own tag %q answers %d", path, tag, a.StatusCode)
		}
		if a := s.do(call{method: "HEAD", path: path}); a.StatusCode != http.StatusOK || a.Header.Get("ETag") != tag {
			t.Errorf("HEAD %s answers %d with the tag %q", path, a.StatusCode, a.Header.Get("ETag"))
		}
	}
}

// TestSchemasCompressed: the schemas are sent compressed to clients that take them so, as what they are, under a tag of their own.
func TestSchemasCompressed(t *testing.T) {
	s := newServer(t)
	for _, path := range []string{"/schemas.json", "/schemas/legacy/userbase.row.json"} {
		plain, small := s.get(path), s.get(path, "Accept-Encoding", "gzip")
		if plain.Header.Get("Content-Encoding") != "" || small.Header.Get("Content-Encoding") != "gzip" || 2*len(small.text) > len(plain.text) {
			t.Errorf("%s: %d bytes plain, %d as %q", path, len(plain.text), len(small.text), small.Header.Get("Content-Encoding"))
			continue
		}
		reader, err := gzip.NewReader(strings.NewReader(small.text))
		if err != nil {
			t.Fatal(path, err)
		}
		if text, err := io.ReadAll(reader); err != nil || string(text) != plain.text {
			t.Errorf("%s: another text when it is compressed: %v", path, err)
		}
		if plain.Header.Get("ETag") == small.Header.Get("ETag") || small.Header.Get("Vary") != "Accept-Encoding" ||
			plain.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %v and %v", path, plain.Header, small.Header)
		}
		s.answers(path, s.get(path, "Accept-Encoding", "gzip", "If-None-Match", small.Header.Get("ETag")), http.StatusNotModified)
		if a := s.get(path, "Accept-Encoding", "gzip", "Range", "bytes=5-10"); a.StatusCode != http.StatusPartialContent ||
			a.Header.Get("Content-Encoding") != "" || a.text != plain.text[5:11] {
			t.Errorf("%s in part: %d, %q as %q", path, a.StatusCode, a.text, a.Header.Get("Content-Encoding"))
		}
	}
	if size := len(s.get("/schemas.json", "Accept-Encoding", "gzip").text); size > 64<<10 {
		t.Errorf("the schemas are %d bytes when they are compressed: the page on a phone waits for them", size)
	}
}

// TestSchemasForEditors: the index, which a slash does not change, lists what files are checked with, and a file that names its schema is
// taken as it is.
func TestSchemasForEditors(t *testing.T) {
	s := newServer(t)
	index := s.get("/schemas/")
	if index.StatusCode != http.StatusOK || index.text != s.get("/schemas").text {
		t.Errorf("/schemas/ answers %d %s", index.StatusCode, index.text)
	}
	for _, name := range []string{"mock/credentials.json", "mock/scenario.request.json"} {
		if a := s.get("/schemas/" + name); a.StatusCode != http.StatusOK || !strings.Contains(index.text, name) {
			t.Errorf("%s answers %d, and the index is %s", name, a.StatusCode, index.text)
		}
	}
	file := `{"$schema":"http://localhost:8080/schemas/mock/scenario.request.json","scenario":"progress=now"}`
	if a := s.do(call{method: "POST", path: "/_mock/scenarios", body: file}); a.StatusCode != http.StatusCreated ||
		strings.Contains(a.text, "$schema") {
		t.Errorf("a scenario that names its schema: %d %s", a.StatusCode, a.text)
	}
}

func TestSchemaRefusals(t *testing.T) {
	s := newServer(t)
	for path, want := range map[string]string{
		"/schemas/legacy/userbase.rows.json":  "did you mean /schemas/legacy/userbase.row.json?",
		"/schemas/legacy/userbase.row":        "did you mean /schemas/legacy/userbase.row.json?",
		"/schemas/nothing/like/this":          "/docs lists the routes",
		"/schemas/nothing.like.this":          "/schemas lists the schemas",
		"/schemas/legacy/userbase.row.json/":  "did you mean /schemas/legacy/userbase.row.json?",
		"/schemas//legacy/userbase.row.json":  "did you mean /schemas/legacy/userbase.row.json?",
		"/schemas/legacy/..%2F..%2Fgo.mod":    "",
		"/schemas/legacy%2Fuserbase.row.json": "",
	} {
		a := s.get(path)
		if a.StatusCode < 400 || a.StatusCode >= 500 || !strings.Contains(a.text, want) {
			t.Errorf("%s answers %d %s, want %q", path, a.StatusCode, a.text, want)
		}
	}
}
