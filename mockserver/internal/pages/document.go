package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/markup"
)

// DocumentBase is the address of the server in the API document. Each answer has the address in its place that its client used.
const DocumentBase = "http://localhost:8080"

// Edition is one of the API documents of a server.
type Edition struct {
	// Name is what commands call it, and its file without .json.
	Name string
	// Client is OpenAPI 3.0, which every generator reads, without what only the mock server has, but for what a client needs to get at
	// its files. The other is OpenAPI 3.1. See docs/decisions/server.md#why-are-there-two-api-documents
	Client bool
}

// Editions are all API documents. The first is the one at /openapi.json.
func Editions() []Edition {
	return []Edition{{Name: "client", Client: true}, {Name: "full"}}
}

// EditionNamed is the API document of a name.
func EditionNamed(name string) (Edition, error) {
	var names []string
	for _, edition := range Editions() {
		if edition.Name == name {
			return edition, nil
		}
		names = append(names, edition.Name)
	}
	return Edition{}, fmt.Errorf("there is no API document %q; choose from %s", name, strings.Join(names, ", "))
}

const documentFolder = "/openapi/"

//go:embed routes.html
var routesPage string // for a server without a web page, of which the viewer of the API document is a part

// DocumentRoutes show what the server answers; none without a document.
func (p *Pages) DocumentRoutes() []*httpd.Route {
	if p.Document == nil {
		return nil
	}
	return httpd.MockRoutes(httpd.PagesGroup().Of(
		&httpd.Route{Name: "openapi", Method: http.MethodGet, Path: "/openapi.json", Credential: httpd.Public, Handle: p.openAPI,
			Description: httpd.Description{Summary: "The API document of the export API as OpenAPI 3.0, for generators of clients."},
			Output:      httpd.Output{Validators: true, ResponseMedia: []string{httpd.MediaTypeJSON}}},
		&httpd.Route{Name: "openapi.edition", Method: http.MethodGet, Path: documentFolder + "{document}", Credential: httpd.Public,
			Handle:      p.openAPIEdition,
			Description: httpd.Description{Summary: "The same by its name, client, or the API document of everything as OpenAPI 3.1, full."},
			Output:      httpd.Output{Validators: true, ResponseMedia: []string{httpd.MediaTypeJSON}, Refusals: []string{exports.RouteNotFound}}},
		&httpd.Route{Name: "docs", Method: http.MethodGet, Path: "/docs", Credential: httpd.Public, Handle: p.docs,
			Description: httpd.Description{Summary: "The same as a page: a viewer that sends requests, or a list of the routes for a server without the web page."},
			Output:      httpd.Output{Validators: true, ResponseMedia: []string{httpd.MediaTypeHTML}}},
	))
}

// OpenAPI is an API document of a server at an address, as JSON.
func (p *Pages) OpenAPI(edition Edition, address string) ([]byte, error) {
	if p.Document == nil {
		return nil, fmt.Errorf("this server has no API document")
	}
	document, err := p.Document(edition)
	if err != nil {
		return nil, fmt.Errorf("writing the API document: %w", err)
	}
	return at(document, address), nil
}

func (p *Pages) openAPI(r *httpd.Request) (httpd.Response, error) {
	return p.sendDocument(r, Editions()[0])
}

func (p *Pages) openAPIEdition(r *httpd.Request) (httpd.Response, error) {
	if r.Malformed != nil {
		return httpd.Response{}, r.Malformed
	}
	name := strings.TrimPrefix(r.URL.Path, documentFolder)
	edition, err := EditionNamed(exports.Shorten(strings.TrimSuffix(name, ".json")))
	if err == nil && !strings.HasSuffix(name, ".json") {
		err = fmt.Errorf("the API document %s is at %s%s.json", name, documentFolder, name)
	}
	if err != nil {
		return httpd.Response{}, exports.Refuse(exports.RouteNotFound, "%s", err)
	}
	return p.sendDocument(r, edition)
}

func (p *Pages) sendDocument(r *httpd.Request, edition Edition) (httpd.Response, error) {
	data, err := p.OpenAPI(edition, p.baseURL(r))
	if err != nil {
		return httpd.Response{}, err
	}
	return p.documentResponse(r, data, httpd.MediaTypeJSON)
}

func (p *Pages) docs(r *httpd.Request) (httpd.Response, error) {
	if p.hasWeb(webDocs) {
		return p.sendWeb(r, webDocs)
	}
	return p.listRoutes(r)
}

func (p *Pages) listRoutes(r *httpd.Request) (httpd.Response, error) {
	var routes []markup.Values
	for _, route := range p.Server.Routes() {
		routes = append(routes, markup.Values{
			"method": route.Method, "path": route.Path, "summary": route.Summary, "linked": route.Method == http.MethodGet &&
				route.Credential == httpd.Public,
		})
	}
	page, err := markup.Fill(routesPage, markup.Values{"routes": routes})
	if err != nil {
		return httpd.Response{}, fmt.Errorf("listing the routes: %w", err)
	}
	return p.plainPage(r, page)
}

// plainPage sends a page of the server's own that has neither scripts nor styles.
func (p *Pages) plainPage(r *httpd.Request, page string) (httpd.Response, error) {
	answer, err := p.documentResponse(r, []byte(page), httpd.MediaTypeHTML)
	if err != nil {
		return httpd.Response{}, err
	}
	answer.Headers["Content-Security-Policy"] = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	answer.Headers["Referrer-Policy"] = "no-referrer"
	return answer, nil
}

// at puts the address of the server in its place. It has no character that JSON would need to escape, but for a quote or a backslash in
// the path of a public address.
func at(document []byte, address string) []byte {
	address = strings.NewReplacer(`"`, "%22", `\`, "%5C").Replace(address)
	return bytes.ReplaceAll(document, []byte(DocumentBase), []byte(strings.TrimSuffix(address, "/")))
}

// documentResponse sends a document that a client may keep, and asks for again with its entity tag. All but pages go compressed to
// clients that take it so: a phone that waits for the schemas waits for nothing else.
func (p *Pages) documentResponse(r *httpd.Request, data []byte, contentType string) (httpd.Response, error) {
	sum := sha256.Sum256(data)
	tag := hex.EncodeToString(sum[:16])
	headers := map[string]string{"Cache-Control": revalidate}
	if contentType != httpd.MediaTypeHTML {
		headers["Vary"] = "Accept-Encoding"
	}
	// Clients that unpack by themselves cannot unpack a part.
	if headers["Vary"] != "" && r.Header.Get("Range") == "" && httpd.Encoding(r.Header, gzipCoding) != "" {
		small, err := compress(data)
		if err != nil {
			return httpd.Response{}, err
		}
		data, tag = small, tag+"-"+gzipCoding
		headers["Content-Encoding"] = gzipCoding
	}
	headers["ETag"] = `"` + tag + `"`
	return httpd.Response{
		Status: http.StatusOK, ContentType: contentType, Headers: headers,
		Content: &httpd.Content{Reader: readCloser{bytes.NewReader(data)}, Size: int64(len(data)), Modified: p.Started},
	}, nil
}

const gzipCoding = "gzip"

func compress(data []byte) ([]byte, error) {
	var small bytes.Buffer
	writer := gzip.NewWriter(&small)
	if _, err := writer.Write(data); err != nil {
		return nil, fmt.Errorf("compressing a document: %w", err)
	}
	if err := writer.Close(); err != nil {
		return nil, fmt.Errorf("compressing a document: %w", err)
	}
	return small.Bytes(), nil
}

// readCloser is a reader of bytes in memory.
type readCloser struct{ *bytes.Reader }

func (readCloser) Close() error { return nil }
