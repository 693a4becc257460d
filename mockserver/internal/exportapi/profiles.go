package exportapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// profileRecord is the answer of the profile lookups, an extension of the
// export API.
type profileRecord struct {
	ID             string          `json:"id"`
	Scope          string          `json:"scope"`
	Status         string          `json:"status"`
	RequestDate    string          `json:"request_date"`
	StartDate      string          `json:"start_date,omitempty"`
	CompletionDate string          `json:"completion_date,omitempty"`
	Files          []profileFile   `json:"files,omitempty"`
	Request        json.RawMessage `json:"request"`
	ErrorMessage   string          `json:"error_message,omitempty"`
}

type profileFile struct {
	ID   string `json:"id"`
	Part int    `json:"part"`
	Size int64  `json:"size"`
	URL  string `json:"url"`
}

// profilesView looks one export up.
func (a *API) profilesView(r *request) (httpd.Response, error) {
	query, err := httpd.ReadQuery(r.URL.RawQuery, r.Route.Query)
	if err != nil {
		return httpd.Response{}, err
	}
	record, err := a.find(r, query["id"])
	if err != nil {
		return httpd.Response{}, err
	}
	record, state, err := a.look(r.Context(), record, r.Now)
	if err != nil {
		return httpd.Response{}, err
	}
	bodies, err := a.profileRecords(r, []*exports.Record{record}, []exports.State{state})
	if err != nil {
		return httpd.Response{}, err
	}
	r.noteLookup(record, state, len(bodies[0].Files))
	return httpd.Response{Status: http.StatusOK, Body: httpd.JSON(bodies[0])}, nil
}

// listPatience is how long a list waits for the files of its exports, together.
const listPatience = time.Second

// profilesList pages through the exports of a project, newest first. Listing
// is not a lookup: it does not move an export that goes by polls.
func (a *API) profilesList(r *request) (httpd.Response, error) {
	query, err := httpd.ReadQuery(r.URL.RawQuery, r.Route.Query)
	if err != nil {
		return httpd.Response{}, err
	}
	limit, err := httpd.Number(query, "limit")
	if err != nil {
		return httpd.Response{}, err
	}
	records, next, err := a.Live.ListPage(r.Context(), store.ListOptions{Owner: r.caller.Owner, Interface: r.Route.Interface.Name,
		After: query["from"], Limit: limit})
	if errors.Is(err, store.ErrNotFound) {
		return httpd.Response{}, httpd.RefuseCursor(query["from"])
	}
	if err != nil {
		return httpd.Response{}, err
	}
	states := make([]exports.State, len(records))
	limited, cancel := context.WithTimeout(r.Context(), listPatience)
	defer cancel()
	for i, record := range records {
		if records[i], states[i], err = a.shown(r.Context(), limited, record, r.Now); err != nil {
			return httpd.Response{}, err
		}
	}
	bodies, err := a.profileRecords(r, records, states)
	if err != nil {
		return httpd.Response{}, err
	}
	r.noteList(bodies)
	body := struct {
		Exports []profileRecord `json:"exports"`
		Count   int             `json:"count"`
		HasMore bool            `json:"has_more"`
		Next    string          `json:"next_from,omitempty"`
	}{Exports: bodies, Count: len(records), HasMore: next != "", Next: next}
	return httpd.Response{Status: http.StatusOK, Body: httpd.JSON(body)}, nil
}

// noteList tells the journal what a list showed.
func (r *request) noteList(shown []profileRecord) {
	shown = shown[:min(len(shown), journal.MostListed)]
	for _, record := range shown {
		r.Entry.Listed = append(r.Entry.Listed, journal.Listed{Export: record.ID, Status: record.Status, Parts: len(record.Files)})
	}
}

// download redirects to a fresh link to one part of a file.
func (a *API) download(r *request) (httpd.Response, error) {
	query, err := httpd.ReadQuery(r.URL.RawQuery, r.Route.Query)
	if err != nil {
		return httpd.Response{}, err
	}
	id := query["id"]
	exportID, part, ok := r.part(id)
	noFile := exports.Refuse(exports.RouteNotFound, "no file %q was made with this key; the files of an export are listed by %s",
		exports.Shorten(cmp.Or(id, exportID)), a.lookups[r.Route.Interface.Name].Path)
	if !ok {
		return httpd.Response{}, noFile
	}
	record, err := a.find(r, exportID)
	if err != nil {
		var refused *exports.Refusal
		if errors.As(err, &refused) {
			err = noFile
		}
		return httpd.Response{}, err
	}
	r.Entry.Kind, r.Entry.Export, r.Entry.Part = record.Kind, record.ID, part
	state := a.Files.State(record, r.Now)
	switch {
	case state.FileExpired:
		return httpd.Response{}, fileExpired(r.Route.Interface, state)
	case state.Status != exports.Success:
		return httpd.Response{}, exports.Refuse(exports.RouteNotFound, "the export of this file is %s; files can be downloaded once it is %s",
			state.Name, r.Route.Interface.States.Done())
	}
	if record.Link == exports.LinkNone {
		return httpd.Response{}, noFile
	}
	sizes, err := a.Files.Sizes(r.Context(), record)
	if err != nil {
		return httpd.Response{}, err
	}
	if part < 1 || part > len(sizes) {
		return httpd.Response{}, noFile
	}
	return httpd.Response{
		Status:   r.Route.Status,
		Location: a.link(r, a.Files.FileName(record, part)),
		Body:     httpd.JSON(a.profileFile(r, record, part, sizes[part-1])),
	}, nil
}

// profileRecords describes exports as they are at one instant.
func (a *API) profileRecords(r *request, records []*exports.Record, states []exports.State) ([]profileRecord, error) {
	bodies := make([]profileRecord, len(records))
	for i, record := range records {
		bodies[i] = a.profileRecord(record, states[i])
		if states[i].Status != exports.Success || states[i].FileExpired || record.Link == exports.LinkNone {
			continue
		}
		sizes, err := a.Files.Sizes(r.Context(), record)
		if err != nil {
			return nil, err
		}
		for number, size := range sizes {
			bodies[i].Files = append(bodies[i].Files, a.profileFile(r, record, number+1, size))
		}
	}
	return bodies, nil
}

// profileRecord describes an export without its files.
func (a *API) profileRecord(record *exports.Record, state exports.State) profileRecord {
	body := profileRecord{
		ID: record.ID, Scope: scopeOf(record), Status: state.Name, RequestDate: utcDateTime(record.CreatedAt),
		Request: record.Request, ErrorMessage: state.ErrorMessage,
	}
	if state.StartedAt != nil {
		body.StartDate = utcDateTime(*state.StartedAt)
	}
	if state.CompletedAt != nil {
		body.CompletionDate = utcDateTime(*state.CompletedAt)
	}
	return body
}

func (a *API) profileFile(r *request, record *exports.Record, part int, size int64) profileFile {
	id := record.ID
	if ids := r.Route.Interface.Identifiers; ids.File != "" {
		id = ids.FileOf(record.ID, part)
	}
	return profileFile{ID: id, Part: part, Size: size, URL: a.address(r, record, part)}
}

// address is where answers say that a part of a file is: a fresh link to it, or the
// endpoint that redirects to one.
func (a *API) address(r *request, record *exports.Record, part int) string {
	its := &r.Route.Interface
	if !its.Files.Redirects() {
		return a.link(r, a.Files.FileName(record, part))
	}
	return a.baseURL(r) + a.downloads[its.Name].Address(func(name string) string {
		switch {
		case name == its.KeyVariable:
			return record.Owner
		case its.Identifiers.File != "":
			return its.Identifiers.FileOf(record.ID, part)
		}
		return record.ID
	})
}

// scopeOf names what an export holds: PROFILE_EVENTS of a request for EVENTS,
// and of a request that chooses nothing its kind.
func scopeOf(record *exports.Record) string {
	var request struct {
		Choice string `json:"export_type"`
	}
	if err := json.Unmarshal(record.Request, &request); err != nil || request.Choice == "" {
		request.Choice = strings.ToUpper(strings.ReplaceAll(record.Kind, ".", "_"))
	}
	return "PROFILE_" + request.Choice
}

func utcDateTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }
