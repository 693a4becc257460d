package exportapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// body is the body of a creation, read and parsed once: first for the scenarios that it names, then for the export that it asks for.
type body struct {
	read    bool
	data    []byte
	readErr error

	parsed   bool
	document *acceptor.Document // nil until it is parsed; goes back to its pool
	accepted bool               // in one pass: nothing is wrong with it
	export   *schemas.Export    // which it asks for; nil until that is known
	payload  exports.Payload    // nil when it is no JSON object
	value    any                // decoded, when it was not accepted
	err      error              // why it cannot be parsed, or asks for no export
}

// readBody reads the payload, once.
func (r *request) readBody() ([]byte, error) {
	if !r.body.read {
		r.body.read = true
		if r.Route.Creates() && r.Route.Method == http.MethodGet {
			r.body.data, r.body.readErr = r.queryAsBody()
		} else {
			r.body.data, r.body.readErr = r.ReadBody()
		}
	}
	return r.body.data, r.body.readErr
}

// queryAsBody is the payload of a creation by GET: its members are the parameters of the query, and variables of the path.
func (r *request) queryAsBody() ([]byte, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, exports.Refuse(exports.MalformedParameter, "the query of the URL cannot be read: %v", err)
	}
	return json.Marshal(exports.Asked(&r.Route.Exports[0], query, r.Variables))
}

// parse reads which export a creation asks for, and its members, once. Nearly every honest body is accepted in one pass; the others are
// decoded, and validated by payload, which alone refuses and explains.
func (a *API) parse(r *request) *body {
	b := &r.body
	if b.parsed {
		return b
	}
	b.parsed = true
	data, err := r.readBody()
	if err != nil {
		b.err = err
		return b
	}
	b.document = a.documents.Get().(*acceptor.Document)
	for i := range r.Route.Exports {
		export := &r.Route.Exports[i]
		if checker := a.acceptors[export.Request](); checker != nil && checker.Accept(data, b.document) {
			b.accepted, b.export, b.payload = true, export, b.document
			return b
		}
	}
	if b.value, b.err = httpd.Decode(data); b.err != nil {
		return b
	}
	if members, is := b.value.(map[string]any); is {
		b.payload = exports.Members(members)
	}
	chosen, err := a.Library.Choose(r.Route.Exports, b.value)
	if b.export = &chosen; err != nil {
		b.err = httpd.RefuseInvalid(err)
	}
	return b
}

// release gives the parsed document back: no payload is used after its request.
func (a *API) release(r *request) {
	if r.body.document != nil {
		a.documents.Put(r.body.document)
	}
}

// payload is what a creation asks for: of which export, and its members.
func (a *API) payload(r *request) (*schemas.Export, exports.Payload, error) {
	b := a.parse(r)
	if b.err != nil || b.accepted {
		return b.export, b.payload, b.err
	}
	if err := a.Library.Validate(b.export.Request, b.value); err != nil {
		return nil, nil, httpd.RefuseInvalid(err)
	}
	if b.payload == nil {
		return nil, nil, fmt.Errorf("schema %s accepts a payload that is no object", b.export.Request)
	}
	return b.export, b.payload, nil
}

// peek looks into the payload of a creation whose path does not say everything: the export type and the segment stand in the body. What
// is wrong with the body is not said here.
func (a *API) peek(r *request) (kind, segment string) {
	if len(r.Route.Exports) < 2 {
		return "", ""
	}
	b := a.parse(r)
	for _, export := range r.Route.Exports {
		if path := export.Roles["segment"]; b.payload != nil && path != nil {
			segment, _ = b.payload.String(path...)
		}
	}
	if b.export != nil {
		kind = b.export.Kind
	}
	return kind, segment
}
