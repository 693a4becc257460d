package exportapi

import (
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// legacyRecord is the answer of the status lookup (export API section 2.3), beside
// what is in the record itself.
type legacyRecord struct {
	record  *exports.Record
	state   exports.State
	fileURL []byte // empty: there is none
}

// append appends the answer as JSON.
func (l *legacyRecord) append(into []byte) []byte {
	into = httpd.AppendText(append(into, `{"id":`...), l.record.ID)
	into = httpd.AppendText(append(into, `,"uri":`...), l.record.URI)
	into = appendLocalDateTime(append(into, `,"request_date":`...), l.record.CreatedAt)
	if len(l.fileURL) > 0 {
		into = httpd.AppendText(append(into, `,"file_url":`...), l.fileURL)
	}
	into = httpd.AppendText(append(into, `,"status":`...), l.state.Name)
	if l.state.CompletedAt != nil {
		into = appendLocalDateTime(append(into, `,"completion_date":`...), *l.state.CompletedAt)
	}
	into = append(into, `,"request":`...)
	if len(l.record.Request) == 0 {
		into = append(into, "null"...)
	} else {
		into = httpd.AppendCompact(into, l.record.Request)
	}
	if l.state.ErrorMessage != "" {
		into = httpd.AppendText(append(into, `,"error_msg":`...), l.state.ErrorMessage)
	}
	return append(into, "}\n"...)
}

// legacyStatus answers the status lookup (export API section 4.2). Every
// lookup of a finished export gives a new link.
func (a *API) legacyStatus(r *request) (httpd.Response, error) {
	id := legacyID(r)
	record, err := a.find(r, id)
	if err != nil {
		if root := a.Library.Schema(r.Route.Response); root != nil && root.Properties["id"] != nil && root.Properties["id"].Validate(id) != nil {
			err = exports.Refuse(exports.MalformedParameter, "request_id in the path is %q; send the %s that the creation answered as %s", exports.Shorten(id), shapeOf(r.Route.Interface.Identifiers), r.Route.Interface.Identifiers.Created)
		}
		return httpd.Response{}, err
	}
	record, state, err := a.look(r.Context(), record, r.Now)
	if err != nil {
		return httpd.Response{}, err
	}
	body := legacyRecord{record: record, state: state}
	files := 0
	var room [roomOfLink]byte
	if state.Status == exports.Success && !state.FileExpired && record.Link != exports.LinkNone {
		body.fileURL = a.appendAddress(room[:0], r, record, 1)
		files = 1
	}
	r.noteLookup(record, state, files)
	return httpd.Response{Status: http.StatusOK, Body: r.Append(func(into []byte) []byte { return body.append(into) })}, nil
}

// noteLookup tells the journal what a lookup answered, with the number of files
// that it listed.
func (r *request) noteLookup(record *exports.Record, state exports.State, files int) {
	r.Entry.Kind, r.Entry.Export, r.Entry.ExportStatus = record.Kind, record.ID, state.Name
	r.Entry.Parts = files
}

// appendLocalDateTime appends a date without its zone. The layout is one that package time need not read.
func appendLocalDateTime(into []byte, t time.Time) []byte {
	into = t.UTC().AppendFormat(append(into, '"'), time.RFC3339)
	into[len(into)-1] = '"' // it was Z
	return into
}
