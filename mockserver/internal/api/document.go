package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync"
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
func once(make func(context.Context, *Service) (*Document, error)) func(context.Context, *Service) (*Document, error) {
	var lock sync.Mutex
	var made *Document
	return func(ctx context.Context, s *Service) (*Document, error) {
		lock.Lock()
		defer lock.Unlock()
		if made != nil {
			return made, nil
		}
		var err error
		made, err = make(context.WithoutCancel(ctx), s)
		return made, err
	}
}

// documentRoutes show what the server answers.
func (s *Service) documentRoutes() []*Route {
	return madeOwn([]*Route{
		{Name: "openapi", Method: http.MethodGet, Path: "/openapi.json", Credential: Nobody, handle: s.openAPI, Validators: true,
			ResponseMedia: []string{mediaTypeJSON}, Summary: "This document: OpenAPI 3.1, made from the routes and the schema files of the server."},
		{Name: "docs", Method: http.MethodGet, Path: "/docs", Credential: Nobody, handle: s.docs, Validators: true,
			ResponseMedia: []string{mediaTypeHTML}, Summary: "The same as a page to read."},
	})
}

// OpenAPI is the API document of a server at an address, as JSON.
func (s *Service) OpenAPI(ctx context.Context, address string) ([]byte, error) {
	if s.document == nil {
		return nil, fmt.Errorf("this server has no API document")
	}
	document, err := s.document(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("writing the API document: %w", err)
	}
	return at(document.JSON, address), nil
}

func (s *Service) openAPI(r *request) (response, error) {
	data, err := s.OpenAPI(r.Context(), s.baseURL(r.Request))
	if err != nil {
		return response{}, err
	}
	return s.documentResponse(data, mediaTypeJSON), nil
}

func (s *Service) docs(r *request) (response, error) {
	document, err := s.document(r.Context(), s)
	if err != nil {
		return response{}, fmt.Errorf("writing the API document: %w", err)
	}
	answer := s.documentResponse(at(document.HTML, s.baseURL(r.Request)), mediaTypeHTML)
	answer.headers["Content-Security-Policy"], answer.headers["Referrer-Policy"] = document.Policy, "no-referrer"
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
func (s *Service) documentResponse(data []byte, contentType string) response {
	sum := sha256.Sum256(data)
	return response{
		status: http.StatusOK, contentType: contentType,
		headers: map[string]string{"ETag": `"` + hex.EncodeToString(sum[:16]) + `"`, "Cache-Control": revalidate},
		content: &content{reader: readCloser{bytes.NewReader(data)}, size: int64(len(data)), modified: s.started},
	}
}

// readCloser is a reader of bytes in memory.
type readCloser struct{ *bytes.Reader }

func (readCloser) Close() error { return nil }
