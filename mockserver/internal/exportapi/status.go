package exportapi

import (
	"encoding/json"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// legacyRecord is the answer of the status lookup (export API section 2.3).
type legacyRecord struct {
	ID             string          `json:"id"`
	URI            string          `json:"uri"`
	RequestDate    string          `json:"request_date"`
	FileURL        string          `json:"file_url,omitempty"`
	Status         string          `json:"status"`
	CompletionDate string          `json:"completion_date,omitempty"`
	Request        json.RawMessage `json:"request"`
	ErrorMessage   string          `json:"error_msg,omitempty"`
}

// legacyStatus answers the status lookup (export API section 4.2). Every
// lookup of a finished export gives a new link.
func (a *API) legacyStatus(r *request) (httpd.Response, error) {
	id := legacyID(r)
	record, err := a.find(r, id)
	if err != nil {
		if root := a.Library.Schema(r.Route.Response); root != nil && root.Properties["id"] != nil && root.Properties["id"].Validate(id) != nil {
			err = exports.Refuse(exports.MalformedParameter, "request_id in the path is %q; send the %s that the creation answered as %s",
				exports.Shorten(id), shapeOf(r.Route.Interface.Identifiers), r.Route.Interface.Identifiers.Created)
		}
		return httpd.Response{}, err
	}
	record, state, err := a.look(r.Context(), record, r.Now)
	if err != nil {
		return httpd.Response{}, err
	}
	body := legacyRecord{
		ID: record.ID, URI: record.URI, RequestDate: localDateTime(record.CreatedAt), Status: state.Name, Request: record.Request,
		ErrorMessage: state.ErrorMessage,
	}
	if state.CompletedAt != nil {
		body.CompletionDate = localDateTime(*state.CompletedAt)
	}
	files := 0
	if state.Status == exports.Success && !state.FileExpired && record.Link != exports.LinkNone {
		body.FileURL = a.address(r, record, 1)
		files = 1
	}
	r.noteLookup(record, state, files)
	return httpd.OK(body), nil
}

// noteLookup tells the journal what a lookup answered, with the number of files
// that it listed.
func (r *request) noteLookup(record *exports.Record, state exports.State, files int) {
	r.Entry.Kind, r.Entry.Export, r.Entry.ExportStatus = record.Kind, record.ID, state.Name
	r.Entry.Parts = files
}

func localDateTime(t time.Time) string { return t.UTC().Format(exports.LocalDateTime) }
