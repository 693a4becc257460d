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
	query, refusal := readQuery(r.URL.RawQuery, r.route.Query)
	if refusal != nil {
		return response{}, refusal
	}
	record, err := s.find(r, query["id"])
	if err != nil {
		return response{}, err
	}
	record, state, err := s.look(r.Context(), record, r.now)
	if err != nil {
		return response{}, err
	}
	body, err := s.profileRecord(r, record, state)
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: mustJSON(body)}, nil
}

// profilesList pages through the exports of a project, newest first. Listing
// is not a lookup: it does not move an export that goes by polls.
func (s *Service) profilesList(r *request) (response, error) {
	query, refusal := readQuery(r.URL.RawQuery, r.route.Query)
	if refusal != nil {
		return response{}, refusal
	}
	limit := 10
	if text, given := query["limit"]; given {
		limit, _ = strconv.Atoi(text) // its schema allows only numbers
	}
	records, next, err := s.listPage(r.Context(), store.ListOptions{Owner: r.caller.owner, Interface: interfaceProfiles, After: query["from"], Limit: limit})
	if err != nil {
		return response{}, err
	}
	body := struct {
		Exports []profileRecord `json:"exports"`
		Count   int             `json:"count"`
		HasMore bool            `json:"has_more"`
		Next    string          `json:"next_from,omitempty"`
	}{Exports: []profileRecord{}, Count: len(records), HasMore: next != "", Next: next}
	for _, record := range records {
		entry, err := s.profileRecord(r, record, s.stateOf(record, r.now))
		if err != nil {
			return response{}, err
		}
		body.Exports = append(body.Exports, entry)
	}
	return response{status: http.StatusOK, body: mustJSON(body)}, nil
}

// profilesDownload redirects to a fresh link to one part of a file.
func (s *Service) profilesDownload(r *request) (response, error) {
	query, refusal := readQuery(r.URL.RawQuery, r.route.Query)
	if refusal != nil {
		return response{}, refusal
	}
	id := query["id"]
	opaque, number, found := strings.Cut(strings.TrimPrefix(id, filePrefix), "_")
	part, err := strconv.Atoi(number)
	noFile := refuse(RouteNotFound, "no file %q was made with this key; the files of an export are listed by /2.7/exports/view", shortened(id))
	if !found || err != nil {
		return response{}, noFile
	}
	record, err := s.find(r, exportPrefix+opaque)
	if err != nil {
		var refused *Error
		if errors.As(err, &refused) {
			err = noFile
		}
		return response{}, err
	}
	state := s.stateOf(record, r.now)
	switch {
	case state.FileExpired:
		return response{}, refuse(FileExpired, "the file was kept for one month, until %s; request the export again", state.FileExpiresAt.UTC().Format(time.RFC3339))
	case state.Status != exports.Success:
		return response{}, refuse(RouteNotFound, "the export of this file is %s; files can be downloaded once it is %s", state.Status, exports.Success)
	}
	file, err := s.files.open(r.Context(), record)
	if err != nil {
		return response{}, fmt.Errorf("laying out the file of export %s: %w", record.ID, err)
	}
	parts := file.Parts()
	if part < 1 || part > len(parts) {
		return response{}, noFile
	}
	location := s.link(r, fileName(record, part))
	return response{
		status:  http.StatusTemporaryRedirect,
		headers: map[string]string{"Location": location},
		body:    mustJSON(s.profileFile(r, record, part, parts[part-1].Size)),
	}, nil
}

// profileRecord describes an export as it is at one instant.
func (s *Service) profileRecord(r *request, record *exports.Record, state exports.State) (profileRecord, error) {
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
	if state.Status == exports.Success && !state.FileExpired {
		file, err := s.files.open(r.Context(), record)
		if err != nil {
			return profileRecord{}, fmt.Errorf("laying out the file of export %s: %w", record.ID, err)
		}
		for _, part := range file.Parts() {
			body.Files = append(body.Files, s.profileFile(r, record, part.Number, part.Size))
		}
	}
	return body, nil
}

func (s *Service) profileFile(r *request, record *exports.Record, part int, size int64) profileFile {
	id := filePrefix + strings.TrimPrefix(record.ID, exportPrefix) + "_" + strconv.Itoa(part)
	return profileFile{ID: id, Part: part, Size: size, URL: s.baseURL(r.Request) + s.downloadPath + "?id=" + url.QueryEscape(id)}
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
