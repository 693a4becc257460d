package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/openapi"
)

// recorder is a client that keeps what it is answered.
type recorder struct {
	server     http.Handler
	document   document
	operations []*operation
	examples   map[string][]openapi.Example
}

// request is one request; the zero value of a field means the usual thing.
type request struct {
	operation string            // its identifier
	path      map[string]string // placeholders
	query     url.Values
	link      string // an address of a GET instead of an operation
	body      []byte
	media     string // of the body; empty is JSON
	header    map[string]string
	bare      bool // without credentials
	small     bool // not on the enterprise plan
	far       bool // from another machine
	rebound   bool // under a name that a page has made its own
}

// with is the request with one more header.
func (q request) with(name, value string) request {
	q.header = maps.Clone(q.header)
	if q.header == nil {
		q.header = map[string]string{}
	}
	q.header[name] = value
	return q
}

// send asks the server.
func (r *recorder) send(q request) (*httptest.ResponseRecorder, error) {
	method, target, security := http.MethodGet, q.link, []map[string][]string(nil)
	if q.link == "" {
		operation, err := r.operation(q.operation)
		if err != nil {
			return nil, err
		}
		method, target, security = operation.method, r.address(operation, q.path), operation.Security
		if len(q.query) > 0 {
			target += "?" + q.query.Encode()
		}
	}
	sent := httptest.NewRequest(method, target, bytes.NewReader(q.body))
	sent.Host, sent.RemoteAddr = "localhost:8080", "127.0.0.1:40000"
	if q.far {
		sent.RemoteAddr = "192.0.2.7:40000"
	}
	if q.rebound {
		sent.Host = "page.example"
		local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
		sent = sent.WithContext(context.WithValue(sent.Context(), http.LocalAddrContextKey, local))
	}
	if q.body != nil {
		sent.Header.Set("Content-Type", "application/json")
		if q.media != "" {
			sent.Header.Set("Content-Type", q.media)
		}
	}
	if len(security) > 0 && !q.bare {
		sign(sent.Header, security[0], q.small)
	}
	for name, value := range q.header {
		sent.Header.Set(name, value)
	}
	answer := httptest.NewRecorder()
	r.server.ServeHTTP(answer, sent)
	return answer, nil
}

// sign adds the credentials that an operation asks for.
func sign(header http.Header, schemes map[string][]string, asSmall bool) {
	company, project, token := demo.CompanyKey, demo.ProjectKey, demo.Token
	if asSmall {
		company, project, token = small.Key, small.Projects[0].Key, small.Projects[0].Tokens[0]
	}
	for scheme := range schemes {
		switch scheme {
		case "companyKey":
			header.Set("X-Authorization", company)
		case "projectKey":
			header.Set("X-Service-Project", project)
		case "bearerToken":
			header.Set("Authorization", "Bearer "+token)
		}
	}
}

// keep sends a request and notes its answer, which must be a success that the
// document has.
func (r *recorder) keep(q request, name, summary string) (*httptest.ResponseRecorder, error) {
	answer, err := r.send(q)
	if err != nil {
		return nil, err
	}
	operation, err := r.operation(q.operation)
	if err != nil {
		return nil, err
	}
	if _, known := operation.Responses[strconv.Itoa(answer.Code)]; !known || answer.Code >= 400 {
		return nil, fmt.Errorf("%s was answered with %d: %s", q.operation, answer.Code, answer.Body)
	}
	r.add(q.operation, answer, name, summary, answer.Body.Bytes())
	return answer, nil
}

// add notes an example, unless its place has one of that name.
func (r *recorder) add(operation string, answer *httptest.ResponseRecorder, name, summary string, body []byte) {
	place := openapi.Place(operation, strconv.Itoa(answer.Code), answer.Header().Get("Content-Type"))
	if slices.ContainsFunc(r.examples[place], func(e openapi.Example) bool { return e.Name == name }) {
		return
	}
	var value bytes.Buffer
	if json.Compact(&value, body) != nil {
		value.Reset()
		encoder := json.NewEncoder(&value)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(string(body)) // into a buffer
	}
	r.examples[place] = append(r.examples[place], openapi.Example{Name: name, Summary: summary, Value: bytes.TrimSpace(value.Bytes())})
}

// member is a text of a JSON answer.
func member(answer *httptest.ResponseRecorder, name string) string {
	var members map[string]any
	_ = json.Unmarshal(answer.Body.Bytes(), &members) // another answer has no members
	text, _ := members[name].(string)
	return text
}

// form writes the members of an object, lists of texts, as a form.
func form(value json.RawMessage) (body []byte, media string, err error) {
	var fields map[string][]string
	if err := json.Unmarshal(value, &fields); err != nil {
		return nil, "", err
	}
	var out bytes.Buffer
	writer := multipart.NewWriter(&out)
	_ = writer.SetBoundary("example") // a good one
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		for i, text := range fields[name] {
			part, err := writer.CreateFormFile(name, "file-"+strconv.Itoa(i+1)+".csv")
			if name != "file" {
				part, err = writer.CreateFormField(name)
			}
			if err == nil {
				_, err = part.Write([]byte(text))
			}
			if err != nil {
				return nil, "", err
			}
		}
	}
	err = writer.Close()
	return out.Bytes(), writer.FormDataContentType(), err
}
