package live

import (
	"context"
	"errors"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// ListPage reads one page of exports and the cursor of the next one; empty at
// the end. The error is [store.ErrNotFound] for a cursor that nobody gave out.
func (s *State) ListPage(ctx context.Context, options store.ListOptions) (records []*exports.Record, next string, err error) {
	records, err = s.list(ctx, options)
	if err == nil && len(records) > 0 && len(records) == options.Limit {
		// A full page may be the last one. The largest page has no room for one record more, which would tell.
		options.After, options.Limit = records[len(records)-1].ID, 1
		var more []*exports.Record
		more, err = s.list(ctx, options)
		if errors.Is(err, store.ErrNotFound) { // the state was emptied meanwhile
			err = nil
		}
		if len(more) > 0 {
			next = options.After
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("listing exports: %w", err)
	}
	return records, next, nil
}

// listKind is the kind of work that leaves damaged exports out.
const listKind = "a list"

// list reads exports. A damaged one takes the others down no more than one that is gone; it is named in the log. It does not heal: the
// server is not ready until the export is deleted.
func (s *State) list(ctx context.Context, options store.ListOptions) ([]*exports.Record, error) {
	records, err := s.store.List(ctx, options)
	if records != nil && errors.Is(err, store.ErrDamaged) {
		s.logger.Error("an export is left out of a list", "error", err)
		s.Ended(listKind, err)
		err = nil
	}
	return records, err
}
