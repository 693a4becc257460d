package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Export and file identifiers of the profile interface share their opaque
// part: file_<opaque>_<part> belongs to export_<opaque>.
const (
	exportPrefix = "export_"
	filePrefix   = "file_"
)

// profileRecord is the answer of the profile lookups, an extension of the
// export API.
type profileRecord struct {
	ID             string          `json:"id"`
	Scope          string          `json:"scope"`
	Status         exports.Status  `json:"status"`
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
func (s *Service) profilesView(r *request) (response, error) {
	query, err := readQuery(r.URL.RawQuery, r.route.Query)
	if err != nil {
		return response{}, err
	}
	record, err := s.find(r, query["id"])
	if err != nil {
		return response{}, err
	}
	record, state, err := s.look(r.Context(), record, r.now)
	if err != nil {
		return response{}, err
	}
	bodies, err := s.profileRecords(r, []*exports.Record{record}, []exports.State{state})
	if err != nil {
		return response{}, err
	}
	r.noteLookup(record, state, len(bodies[0].Files))
	return response{status: http.StatusOK, body: mustJSON(bodies[0])}, nil
}

// profilesList pages through the exports of a project, newest first. Listing
// is not a lookup: it does not move an export that goes by polls.
func (s *Service) profilesList(r *request) (response, error) {
	query, err := readQuery(r.URL.RawQuery, r.route.Query)
	if err != nil {
		return response{}, err
	}
	limit, err := strconv.Atoi(query["limit"]) // its schema allows only numbers, and has a default
	if err != nil {
		return response{}, fmt.Errorf("the schema of the query parameter limit allows %q: %w", query["limit"], err)
	}
	records, next, err := s.listPage(r.Context(), store.ListOptions{Owner: r.caller.owner, Interface: interfaceProfiles, After: query["from"], Limit: limit})
	if err != nil {
		return response{}, err
	}
	states := make([]exports.State, len(records))
	for i, record := range records {
		states[i] = s.stateOf(record, r.now)
	}
	bodies, err := s.profileRecords(r, records, states)
	if err != nil {
		return response{}, err
	}
	r.noteList(bodies)
	body := struct {
		Exports []profileRecord `json:"exports"`
		Count   int             `json:"count"`
		HasMore bool            `json:"has_more"`
		Next    string          `json:"next_from,omitempty"`
	}{Exports: bodies, Count: len(records), HasMore: next != "", Next: next}
	return response{status: http.StatusOK, body: mustJSON(body)}, nil
}

// noteList tells the journal what a list showed.
func (r *request) noteList(shown []profileRecord) {
	shown = shown[:min(len(shown), journal.MostListed)]
	for _, record := range shown {
		r.entry.Listed = append(r.entry.Listed, journal.Listed{Export: record.ID, Status: string(record.Status), Parts: len(record.Files)})
	}
}

// profilesDownload redirects to a fresh link to one part of a file.
func (s *Service) profilesDownload(r *request) (response, error) {
	query, err := readQuery(r.URL.RawQuery, r.route.Query)
	if err != nil {
		return response{}, err
	}
	id := query["id"]
	exportID, part, ok := parseFileID(id)
	noFile := refuse(RouteNotFound, "no file %q was made with this key; the files of an export are listed by /2.7/exports/view", shortened(id))
	if !ok {
		return response{}, noFile
	}
	record, err := s.find(r, exportID)
	if err != nil {
		var refused *Error
		if errors.As(err, &refused) {
			err = noFile
		}
		return response{}, err
	}
	r.entry.Kind, r.entry.Export, r.entry.Part = record.Kind, record.ID, part
	state := s.stateOf(record, r.now)
	switch {
	case state.FileExpired:
		return response{}, refuse(FileExpired, "the file was kept for one month, until %s; request the export again", state.FileExpiresAt.UTC().Format(time.RFC3339))
	case state.Status != exports.Success:
		return response{}, refuse(RouteNotFound, "the export of this file is %s; files can be downloaded once it is %s", state.Status, exports.Success)
	}
	if record.Link == exports.LinkNone {
		return response{}, noFile
	}
	lists, err := s.files.partsOf(r.Context(), []*exports.Record{record})
	if err != nil {
		return response{}, err
	}
	parts := lists[0]
	if part < 1 || part > len(parts) {
		return response{}, noFile
	}
	location := s.link(r, s.fileName(record, part))
	return response{
		status:  http.StatusTemporaryRedirect,
		headers: map[string]string{"Location": location},
		body:    mustJSON(s.profileFile(r, record, part, parts[part-1].Size)),
	}, nil
}

// profileRecords describes exports as they are at one instant.
func (s *Service) profileRecords(r *request, records []*exports.Record, states []exports.State) ([]profileRecord, error) {
	bodies := make([]profileRecord, len(records))
	var finished []*exports.Record
	var places []int // in bodies
	for i, record := range records {
		bodies[i] = s.profileRecord(record, states[i])
		if states[i].Status == exports.Success && !states[i].FileExpired && record.Link != exports.LinkNone {
			finished, places = append(finished, record), append(places, i)
		}
	}
	lists, err := s.files.partsOf(r.Context(), finished)
	if err != nil {
		return nil, err
	}
	for i, parts := range lists {
		for _, part := range parts {
			bodies[places[i]].Files = append(bodies[places[i]].Files, s.profileFile(r, finished[i], part.Number, part.Size))
		}
	}
	return bodies, nil
}

// profileRecord describes an export without its files.
func (s *Service) profileRecord(record *exports.Record, state exports.State) profileRecord {
	body := profileRecord{
		ID: record.ID, Scope: scopeOf(record.Kind), Status: state.Status, RequestDate: utcDateTime(record.CreatedAt),
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

func (s *Service) profileFile(r *request, record *exports.Record, part int, size int64) profileFile {
	id := filePrefix + strings.TrimPrefix(record.ID, exportPrefix) + "_" + strconv.Itoa(part)
	return profileFile{ID: id, Part: part, Size: size, URL: s.baseURL(r.Request) + s.downloadPath + "?id=" + url.QueryEscape(id)}
}

// parseFileID takes the identifier of a file apart: the export it belongs to,
// and the number of its part.
func parseFileID(id string) (export string, part int, ok bool) {
	opaque, number, found := strings.Cut(strings.TrimPrefix(id, filePrefix), "_")
	part, err := strconv.Atoi(number)
	return exportPrefix + opaque, part, found && err == nil
}

// scopeOf names what an export holds: profiles.events is PROFILE_EVENTS.
func scopeOf(kind string) string {
	_, what, _ := strings.Cut(kind, ".")
	return "PROFILE_" + strings.ToUpper(what)
}

func utcDateTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// listPage reads one page of exports and the cursor of the next one; empty at the
// end.
func (s *Service) listPage(ctx context.Context, options store.ListOptions) ([]*exports.Record, string, error) {
	limit := options.Limit
	options.Limit++ // one more tells whether there is a next page
	records, err := s.store.List(ctx, options)
	if errors.Is(err, store.ErrNotFound) {
		return nil, "", refuse(MalformedParameter, "the query parameter from is %q; send the next_from of the page before", shortened(options.After))
	}
	if err != nil {
		return nil, "", fmt.Errorf("listing exports: %w", err)
	}
	if len(records) <= limit {
		return records, "", nil
	}
	return records[:limit], records[limit-1].ID, nil
}
