package server_test

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// apiDocument is as much of an API document as the tests read.
type apiDocument struct {
	OpenAPI    string
	Paths      map[string]map[string]apiOperation
	Components struct {
		Responses map[string]apiResponse
		Headers   map[string]apiHeader
	}
}

type apiOperation struct {
	OperationID string
	Responses   map[string]apiResponse
}

type apiResponse struct {
	Ref     string `json:"$ref"`
	Headers map[string]apiHeader
	Content map[string]any
}

type apiHeader struct {
	Ref      string `json:"$ref"`
	Required bool
	Schema   struct{ Pattern string }
}

// readDocument is the API document of a service with the usual configuration, without a web page or with one.
func readDocument(web bool) (*apiDocument, error) {
	if web {
		return documentWithPage()
	}
	return documentWithoutPage()
}

var (
	documentWithoutPage = sync.OnceValues(func() (*apiDocument, error) { return newDocument(nil) })
	documentWithPage    = sync.OnceValues(func() (*apiDocument, error) {
		return newDocument(fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}})
	})
)

func newDocument(web fs.FS) (*apiDocument, error) {
	config := usualConfig()
	config.Web = web
	service, err := mockserver.New(config)
	if err != nil {
		return nil, err
	}
	text, err := service.OpenAPINamed("full", pages.DocumentBase)
	if err != nil {
		return nil, err
	}
	document := &apiDocument{}
	return document, json.Unmarshal(text, document)
}

// checkDocument holds an answer against the API document: its status, media type and headers are the ones that are written there. The
// tests of this package cause every answer that there is, so they cover the document.
func (s *harness) checkDocument(r *http.Request, a answer) {
	s.Helper()
	document := must.Get(readDocument(s.web))(s)
	path := r.URL.EscapedPath()
	if path == "/schemas/" { // answered as /schemas, which is in the document
		path = "/schemas"
	}
	operation, known := document.operation(r.Method, path)
	if !known { // no route: a 404
		return
	}
	declared, known := operation.Responses[strconv.Itoa(a.StatusCode)]
	if !known && (r.Method == http.MethodHead || strings.Contains(a.text, "forced by the ")) {
		declared, known = operation.Responses["default"]
	}
	if !known {
		s.Errorf("%s %s: the API document has no answer %d: %s", r.Method, path, a.StatusCode, a.text)
		return
	}
	if _, name, is := strings.Cut(declared.Ref, "#/components/responses/"); is {
		declared = document.Components.Responses[name]
	}
	media, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	if _, known := declared.Content[media]; !known && r.Method != http.MethodHead && a.text != "" {
		s.Errorf("%s %s: the API document has no %q for the answer %d", r.Method, path, media, a.StatusCode)
	}
	for name := range a.Header {
		if _, known := declared.Headers[documented(name)]; !known && name != "Content-Type" {
			s.Errorf("%s %s: the API document has no header %s for the answer %d", r.Method, path, name, a.StatusCode)
		}
	}
	for name, header := range declared.Headers {
		if _, component, is := strings.Cut(header.Ref, "#/components/headers/"); is {
			header = document.Components.Headers[component]
		}
		sent := a.Header.Get(name)
		if sent == "" && header.Required {
			s.Errorf("%s %s: the answer %d lacks the header %s, which the API document promises", r.Method, path, a.StatusCode, name)
		}
		if sent != "" && !regexp.MustCompile(header.Schema.Pattern).MatchString(sent) {
			s.Errorf("%s %s: the header %s of the answer %d is %q; the API document says %s", r.Method, path, name, a.StatusCode, sent,
				header.Schema.Pattern)
		}
	}
}

// documented is a name of a header as the document writes it, where that differs from net/http.
func documented(name string) string {
	switch name {
	case "Etag":
		return "ETag"
	case "Www-Authenticate":
		return "WWW-Authenticate"
	}
	return name
}

// operation finds what the document says of a request. Of HEAD it says what it says of GET.
func (d *apiDocument) operation(method, path string) (apiOperation, bool) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for template, operations := range d.Paths {
		if operation, known := operations[strings.ToLower(method)]; known && samePath(template, path) && !strings.Contains(path, "//") {
			return operation, true
		}
	}
	return apiOperation{}, false
}

// TestDocumentHasEveryRoute checks that the document and the table of routes say the same.
func TestDocumentHasEveryRoute(t *testing.T) {
	document := must.Get(readDocument(false))(t)
	operations := 0
	for _, methods := range document.Paths {
		operations += len(methods)
	}
	for _, route := range newServer(t).service.Routes() {
		operations--
		declared, known := document.Paths[route.Path][strings.ToLower(route.Method)].Responses[strconv.Itoa(route.Status)]
		must.Hold(t, known, "the document has no answer %d of %s %s", route.Status, route.Method, route.Path)
		if body := len(declared.Content) > 0; body != (route.Status != http.StatusNoContent) {
			t.Errorf("%s %s: whether there is a body is told wrongly", route.Method, route.Path)
		}
	}
	must.Equal(t, operations, 0, "operations that the document has too many")
}

// TestDocumentRoutes checks how the document and its page are sent.
func TestDocumentRoutes(t *testing.T) {
	s := newServer(t)
	document := s.get("/openapi/full.json")
	if document.StatusCode != http.StatusOK || document.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("answered %d %s", document.StatusCode, document.Header.Get("Content-Type"))
	}
	if document.body["openapi"] != "3.1.0" || !strings.Contains(document.text, `"url": "http://mock.test"`) ||
		strings.Contains(document.text, pages.DocumentBase) {
		t.Error("the document does not name the address that was asked")
	}
	again := s.get("/openapi/full.json", "If-None-Match", document.Header.Get("ETag"))
	must.Equal(t, again.StatusCode, http.StatusNotModified, "asked again with its entity tag")
	client := s.get("/openapi.json")
	if named := s.get("/openapi/client.json"); client.body["openapi"] != "3.0.3" || named.text != client.text {
		t.Errorf("/openapi.json is OpenAPI %v; /openapi/client.json answered %d", client.body["openapi"], named.StatusCode)
	}
	for _, unknown := range []string{"client", "client.yaml", "clients.json"} {
		s.answers("/openapi/"+unknown, s.get("/openapi/"+unknown), http.StatusNotFound, "client")
	}
	page := s.get("/docs")
	if page.StatusCode != http.StatusOK || page.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("the page answered %d %s", page.StatusCode, page.Header.Get("Content-Type"))
	}
	if policy := page.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") ||
		strings.Contains(policy, "unsafe") {
		t.Errorf("Content-Security-Policy is %q", policy)
	}
	for _, route := range s.service.Routes() {
		must.Hold(t, strings.Contains(page.text, ">"+route.Path+"<"), "the page lacks %s", route.Path)
	}
	must.Equal(t, regexp.MustCompile(`(?:src|href)="(?:https?:)?//[^"]*|@import|url\(`).FindString(page.text), "", "the page fetches")
	other := must.Get(mockserver.New(usualConfig()))(t)
	text, err := other.OpenAPI("http://mock.test")
	must.Hold(t, err == nil && string(text) == client.text, "another server with the same schemas has another document (%v)", err)
}
