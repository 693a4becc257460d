package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// find fetches an export for its caller: one that was made with another key
// does not exist for it.
func (s *Service) find(r *request, id string) (*exports.Record, error) {
	record, err := s.export(r, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && !r.sees(record) {
		return nil, refuse(RouteNotFound, "no export %q was made with this key; an export is seen only with the key that created it", shortened(id))
	}
	if err != nil {
		return nil, err
	}
	r.decision.export = record.ID
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
