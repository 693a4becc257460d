package mockserver

import (
	"context"
	"fmt"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/api"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// openData opens the own data of the state and begins with those of the
// options.
func openData(ctx context.Context, o Options, library *schemas.Library, planner api.Planner, state store.Store, now time.Time) (*dataset.Log, error) {
	if _, err := dataset.ParseMode(o.DataMode); err != nil {
		return nil, err
	}
	var (
		rows   []dataset.Row
		digest string
		err    error
	)
	if o.Data != nil {
		if rows, digest, err = dataset.ReadDirectory(library, o.Data); err != nil {
			return nil, fmt.Errorf("data: %w", err)
		}
	}
	people, err := planner.World()
	if err != nil {
		return nil, err
	}
	log, err := dataset.Open(ctx, state, people)
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	if err := log.Begin(ctx, rows, digest, dataset.Mode(o.DataMode), now); err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return log, nil
}
