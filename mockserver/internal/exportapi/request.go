package exportapi

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/delivery"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// request is a request with what the checks found out about it. The body and
// the export that it is about are read once, and needed by several.
type request struct {
	*httpd.Request
	id     idOf
	caller auth.Caller
	body   body
	found  found

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
	id := r.id(r)
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

// idOf finds the identifier of the export that a request of one route names.
type idOf func(*request) string

// noID is for routes whose requests name no export.
func noID(*request) string { return "" }

// legacyID is the identifier of the path of a status lookup: UUIDs compare
// without case.
func legacyID(r *request) string { return strings.ToLower(r.Variables["request_id"]) }

func profilesID(r *request) string { return r.URL.Query().Get("id") }

// partID is the export of the part that a download names.
func partID(r *request) string {
	id, _, _ := r.Route.Interface.Identifiers.ParseFile(r.URL.Query().Get("id"))
	return id
}

// linkID is the export of the file that a link names.
func linkID(r *request) string {
	id, _, _ := delivery.ParseFileName(r.Variables["name"])
	return id
}

// noteUnknown notes the application key of a caller that nobody knows. A
// company key that was put in its place is a secret.
func (a *API) noteUnknown(r *request) {
	key := r.Variables[r.Route.Interface.KeyVariable]
	r.Entry.SetKey(r.Redact(key))
	if a.Keys.IsCompany(key) {
		r.Entry.Key = journal.Redacted
		r.Entry.Path = strings.ReplaceAll(r.Entry.Path, key, journal.Redacted)
	}
}

// noteForced notes the payload, or the export, of a request that a scenario
// answered before it was worked on. What is wrong with a payload does not matter
// then.
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
