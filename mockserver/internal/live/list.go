package live

import (
	"context"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// ListPage reads one page of exports and the cursor of the next one; empty at
// the end. The error is [store.ErrNotFound] for a cursor that nobody gave out.
func (s *State) ListPage(ctx context.Context, options store.ListOptions) (records []*exports.Record, next string, err error) {
	limit := options.Limit
	options.Limit++ // one more tells whether there is a next page
	records, err = s.store.List(ctx, options)
	if err != nil {
		return nil, "", fmt.Errorf("listing exports: %w", err)
	}
	if len(records) <= limit {
		return records, "", nil
	}
	return records[:limit], records[limit-1].ID, nil
}
