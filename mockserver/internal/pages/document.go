package pages

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// DocumentBase is the address of the server in the API document. Each answer has the
// address in its place that its client used.
const DocumentBase = "http://localhost:8080"

//go:embed docs.html
var docsSource string

// docsTemplate lists the routes, for a server without a web page: the viewer of
// the API document is a part of that.
var docsTemplate = template.Must(template.New("docs").Parse(docsSource))

// DocumentRoutes show what the server answers; none without a document.
func (p *Pages) DocumentRoutes() []*httpd.Route {
	if p.Document == nil {
		return nil
	}
	return httpd.MockRoutes([]*httpd.Route{
		{Name: "openapi", Method: http.MethodGet, Path: "/openapi.json", Credential: httpd.Public, Handle: p.openAPI,
			Description: httpd.Description{Summary: "This document: OpenAPI 3.1, made from the routes and the schema files of the server."},
			Output:      httpd.Output{Validators: true, ResponseMedia: []string{httpd.MediaTypeJSON}}},
		{Name: "docs", Method: http.MethodGet, Path: "/docs", Credential: httpd.Public, Handle: p.docs,
			Description: httpd.Description{Summary: "The same as a page: a viewer that sends requests, or a list of the routes for a server without the web page."},
			Output:      httpd.Output{Validators: true, ResponseMedia: []string{httpd.MediaTypeHTML}}},
	})
}

// OpenAPI is the API document of a server at an address, as JSON.
func (p *Pages) OpenAPI(address string) ([]byte, error) {
	if p.Document == nil {
		return nil, fmt.Errorf("this server has no API document")
	}
	document, err := p.Document()
	if err != nil {
		return nil, fmt.Errorf("writing the API document: %w", err)
	}
	return at(document, address), nil
}

func (p *Pages) openAPI(r *httpd.Request) (httpd.Response, error) {
	data, err := p.OpenAPI(p.baseURL(r))
	if err != nil {
		return httpd.Response{}, err
	}
	return p.documentResponse(data, httpd.MediaTypeJSON), nil
}

func (p *Pages) docs(r *httpd.Request) (httpd.Response, error) {
	if p.hasWeb(webDocs) {
		return p.sendWeb(r, webDocs)
	}
	type row struct {
		*httpd.Route
		Linked bool
	}
	var rows []row
	for _, route := range p.Server.Routes() {
		rows = append(rows, row{route, route.Method == http.MethodGet && route.Credential == httpd.Public})
	}
	var page bytes.Buffer
	if err := docsTemplate.Execute(&page, rows); err != nil {
		return httpd.Response{}, fmt.Errorf("listing the routes: %w", err)
	}
	answer := p.documentResponse(page.Bytes(), httpd.MediaTypeHTML)
	answer.Headers["Content-Security-Policy"] = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	answer.Headers["Referrer-Policy"] = "no-referrer"
	return answer, nil
}

// at puts the address of the server in its place. It has no character that JSON
// would need to escape, but for a quote or a backslash in the path of a public
// address.
func at(document []byte, address string) []byte {
	address = strings.NewReplacer(`"`, "%22", `\`, "%5C").Replace(address)
	return bytes.ReplaceAll(document, []byte(DocumentBase), []byte(strings.TrimSuffix(address, "/")))
}

// documentResponse sends a document that a client may keep, and asks for again
// with its entity tag.
func (p *Pages) documentResponse(data []byte, contentType string) httpd.Response {
	sum := sha256.Sum256(data)
	return httpd.Response{
		Status: http.StatusOK, ContentType: contentType,
		Headers: map[string]string{"ETag": `"` + hex.EncodeToString(sum[:16]) + `"`, "Cache-Control": revalidate},
		Content: &httpd.Content{Reader: readCloser{bytes.NewReader(data)}, Size: int64(len(data)), Modified: p.Started},
	}
}

// readCloser is a reader of bytes in memory.
type readCloser struct{ *bytes.Reader }

func (readCloser) Close() error { return nil }
