package pages

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// DocumentBase is the address of the server in a Document. Each answer has the
// address in its place that its client used.
const DocumentBase = "http://localhost:8080"

// Document is the API document of a server.
type Document struct {
	// JSON is the OpenAPI document, HTML a page that shows it.
	JSON, HTML []byte
	// Policy is the Content-Security-Policy of the page.
	Policy string
}

// once remembers what a function makes. A failure is not remembered: it may be
// that the client went away.
func once(make func(context.Context) (*Document, error)) func(context.Context) (*Document, error) {
	var lock sync.Mutex
	var made *Document
	return func(ctx context.Context) (*Document, error) {
		lock.Lock()
		defer lock.Unlock()
		if made != nil {
			return made, nil
		}
		var err error
		made, err = make(context.WithoutCancel(ctx))
		return made, err
	}
}

// documentRoutes show what the server answers.
func (p *Pages) documentRoutes() []*httpd.Route {
	return []*httpd.Route{
		{Name: "openapi", Method: http.MethodGet, Path: "/openapi.json", Credential: httpd.Public, Handle: p.openAPI,
			Description: httpd.Description{Summary: "This document: OpenAPI 3.1, made from the routes and the schema files of the server."},
			Output:      httpd.Output{Validators: true, ResponseMedia: []string{httpd.MediaTypeJSON}}},
		{Name: "docs", Method: http.MethodGet, Path: "/docs", Credential: httpd.Public, Handle: p.docs,
			Description: httpd.Description{Summary: "The same as a page to read."},
			Output:      httpd.Output{Validators: true, ResponseMedia: []string{httpd.MediaTypeHTML}}},
	}
}

// OpenAPI is the API document of a server at an address, as JSON.
func (p *Pages) OpenAPI(ctx context.Context, address string) ([]byte, error) {
	if p.Document == nil {
		return nil, fmt.Errorf("this server has no API document")
	}
	document, err := p.Document(ctx)
	if err != nil {
		return nil, fmt.Errorf("writing the API document: %w", err)
	}
	return at(document.JSON, address), nil
}

func (p *Pages) openAPI(r *httpd.Request) (httpd.Response, error) {
	data, err := p.OpenAPI(r.Context(), p.baseURL(r))
	if err != nil {
		return httpd.Response{}, err
	}
	return p.documentResponse(data, httpd.MediaTypeJSON), nil
}

func (p *Pages) docs(r *httpd.Request) (httpd.Response, error) {
	document, err := p.Document(r.Context())
	if err != nil {
		return httpd.Response{}, fmt.Errorf("writing the API document: %w", err)
	}
	answer := p.documentResponse(at(document.HTML, p.baseURL(r)), httpd.MediaTypeHTML)
	answer.Headers["Content-Security-Policy"], answer.Headers["Referrer-Policy"] = document.Policy, "no-referrer"
	return answer, nil
}

// at puts the address of the server in its place. It has no character that JSON
// or HTML would need to escape, but for an ampersand or a quote in the path of
// a public address, which is escaped for both.
func at(document []byte, address string) []byte {
	address = strings.NewReplacer(`"`, "%22", "<", "%3C", ">", "%3E", "&", "%26", "'", "%27", `\`, "%5C").Replace(address)
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
