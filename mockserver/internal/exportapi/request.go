package exportapi

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// request is a request with what the checks found out about it. The body and
// the export that it is about are read once, and needed by several.
type request struct {
	*httpd.Request
	caller auth.Caller
	body   body
	found  found
	made   made
	waited bool // as long as a scenario asks for
}

// made is what the state says about a request, as it was at one time.
type made struct {
	epoch      int64            // of the state; it was read before all else
	emptied    int64            // how many keys were emptied then
	scenario   exports.Scenario // what is done to the export, where the request makes one
	remembered exports.Scenario // what the export that is made takes along
	forced     error            // the refusal that a scenario asks for; nil if none
}

// found is what the store answered for an identifier.
type found struct {
	id     string
	record *exports.Record
	err    error
}

// export fetches an export, once for a request.
func (a *API) export(r *request, id string) (*exports.Record, error) {
	if r.found.id != id || id == "" {
		record, err := a.Store.Get(r.Context(), id)
		if err != nil {
			record = nil
			if !errors.Is(err, store.ErrNotFound) {
				err = fmt.Errorf("reading export %s: %w", id, err)
			}
		}
		r.found = found{id, record, err}
	}
	return r.found.record, r.found.err
}

// about is the export that a request is about, if it is there and the caller
// may see it; nil otherwise. What is wrong is said by the handler.
func (a *API) about(r *request) *exports.Record {
	id := a.idOf(r)
	if id == "" {
		return nil
	}
	record, err := a.export(r, id)
	if err != nil || r.Route.Credential != httpd.SignedLink && !r.sees(record) {
		return nil
	}
	return record
}

// sees tells whether an export exists for the caller.
func (r *request) sees(record *exports.Record) bool {
	return record.Owner == r.caller.Owner && record.Interface == r.Route.Interface.Name
}

// idOf is the identifier of the export that a request is about; "" for none.
func (a *API) idOf(r *request) string {
	switch r.Route.Stage {
	case exports.StageStatus:
		return r.asMade(r.named())
	case exports.StageDownload:
		id, _, _ := r.part()
		return id
	case exports.StageFile:
		_, id, _, _ := a.parseFileName(r.Context(), r.Variables["name"])
		return id
	}
	return ""
}

// named is the identifier of an export or of a part that a lookup names.
func (r *request) named() (id string) {
	switch parameter := schemas.ParameterOf(r.Route.Query, "export", "file"); {
	case r.Route.Named != nil:
		if data, err := r.readBody(); err == nil {
			value, _ := schemas.Decode(data) // its handler says what is wrong with it
			members, _ := value.(map[string]any)
			id, _ = exports.Members(members).String(r.Route.Named...)
		}
	case parameter != "":
		id = r.URL.Query().Get(parameter)
	default:
		id = r.Variables[r.variable()]
	}
	return id
}

// variable is that of the path which names an export: the last one.
func (r *request) variable() (name string) {
	for _, each := range r.Route.Placeholders() {
		if each != r.Route.Interface.KeyVariable {
			name = each
		}
	}
	return name
}

// asMade is an identifier as it was given out: UUIDs compare without case.
func (r *request) asMade(id string) string {
	if r.Route.Interface.Identifiers.Export == "" {
		return strings.ToLower(id)
	}
	return id
}

// part is the export and the part that a download names: by the identifier of the part or, where parts have none, by that of the export.
func (r *request) part() (export string, part int, ok bool) {
	if ids := r.Route.Interface.Identifiers; ids.File != "" {
		return ids.ParseFile(r.named())
	}
	return r.asMade(r.named()), 1, true
}

// noteUnknown notes the application key of a caller that nobody knows, unless it is a company key or a token that was put in its place.
func noteUnknown(r *request) {
	r.Entry.SetKey(r.Redact(r.Variables[r.Route.Interface.KeyVariable]))
}

// NoteUnrouted notes whose request it is that no route fits: by the export of the
// file that it names, or by the application key of its path.
func (a *API) NoteUnrouted(received *httpd.Request) {
	r := &request{Request: received}
	if r.Entry.Stage == string(exports.StageFile) {
		its, id, _, _ := a.parseFileName(r.Context(), r.Variables["name"])
		r.Entry.Interface = its.Name
		if record, err := a.Store.Get(r.Context(), id); err == nil { // nobody has asked for changes
			r.Entry.Export, r.Entry.Kind = id, record.Kind
			r.Entry.SetKey(record.Owner)
		}
		return
	}
	if its, known := a.dialect.Named(r.Entry.Interface); known && its.KeyVariable != "" {
		if key := r.Variables[its.KeyVariable]; a.Keys.Owns(key) {
			r.Entry.SetKey(r.Redact(key))
		}
	}
}

// noteForced notes the payload, or the export, of a request that a scenario answered before it was worked on. What is wrong with a
// payload does not matter then.
func (a *API) noteForced(r *request) {
	if r.Route.Creates() {
		if data, err := r.readBody(); err == nil {
			r.NoteBody(data)
		}
	}
	if record := a.about(r); record != nil {
		r.Entry.Export, r.Entry.Kind = record.ID, record.Kind
		r.Entry.SetKey(record.Owner)
	}
}
