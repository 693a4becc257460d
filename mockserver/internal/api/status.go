package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// legacyRecord is the answer of the status lookup (export API section 2.3).
type legacyRecord struct {
	ID             string          `json:"id"`
	URI            string          `json:"uri"`
	RequestDate    string          `json:"request_date"`
	FileURL        string          `json:"file_url,omitempty"`
	Status         exports.Status  `json:"status"`
	CompletionDate string          `json:"completion_date,omitempty"`
	Request        json.RawMessage `json:"request"`
	ErrorMessage   string          `json:"error_msg,omitempty"`
}

// legacyStatus answers the status lookup (export API section 4.2). Every
// lookup of a finished export gives a new link.
func (s *Service) legacyStatus(r *request) (response, error) {
	id := strings.ToLower(r.variables["request_id"]) // UUIDs compare without case
	record, err := s.find(r, id)
	if err != nil {
		if schema := s.member("legacy/export.record.json", "id"); schema != nil && schema.Validate(id) != nil {
			err = refuse(MalformedParameter, "request_id in the path is %q; send the UUID that the creation answered as requestId", shortened(id))
		}
		return response{}, err
	}
	record, state, err := s.look(r.Context(), record, r.now)
	if err != nil {
		return response{}, err
	}
	body := legacyRecord{
		ID: record.ID, URI: record.URI, RequestDate: localDateTime(record.CreatedAt), Status: state.Status,
		Request: record.Request, ErrorMessage: state.ErrorMessage,
	}
	if state.CompletedAt != nil {
		body.CompletionDate = localDateTime(*state.CompletedAt)
	}
	if state.Status == exports.Success && !state.FileExpired {
		body.FileURL = s.link(r, fileName(record, 1))
	}
	return response{status: http.StatusOK, body: mustJSON(body)}, nil
}

func localDateTime(t time.Time) string { return t.UTC().Format(exports.LocalDateTime) }

// find fetches an export for its caller: one that was made with another key
// does not exist for it.
func (s *Service) find(r *request, id string) (*exports.Record, error) {
	record, err := s.store.Get(r.Context(), id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (record.Owner != r.caller.owner || record.Interface != r.route.Interface) {
		return nil, refuse(RouteNotFound, "no export %q was made with this key; an export is seen only with the key that created it", shortened(id))
	}
	if err != nil {
		return nil, fmt.Errorf("reading export %s: %w", id, err)
	}
	return record, nil
}

// look counts a lookup, where the progression of the export depends on it, and
// says how far the export is.
func (s *Service) look(ctx context.Context, record *exports.Record, now time.Time) (*exports.Record, exports.State, error) {
	if record.CountsPolls(now) {
		id := record.ID
		var err error
		record, err = s.store.Update(ctx, id, func(stored *exports.Record) error {
			stored.Poll(now)
			return nil
		})
		if err != nil {
			return nil, exports.State{}, fmt.Errorf("counting a lookup of export %s: %w", id, err)
		}
	}
	return record, s.stateOf(record, now), nil
}

// stateOf is the state of an export, which is ERROR when its file can no
// longer be made: a file is a function of the schemas and of the world, and
// other bytes than those promised are never sent.
func (s *Service) stateOf(record *exports.Record, now time.Time) exports.State {
	state := record.State(now)
	file := record.File
	if state.Status == exports.Success && (file.WorldVersion != world.Version || file.SchemaDigest != s.digests[file.Kind]) {
		return exports.State{
			Status: exports.Failed, StartedAt: state.StartedAt, CompletedAt: state.CompletedAt,
			ErrorMessage: "the file can no longer be made: the export was requested under other schema files or another version of the server; request it again",
		}
	}
	return state
}
