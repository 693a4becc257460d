package rows

import (
	"context"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// arrivals are those of a file; what is no event of a message is on time.
func arrivals(export schemas.Export, spec exports.File, query *world.Query) (made arrival.Files, any bool) {
	if spec.Arrival.IsZero() || len(query.Journey) == 0 {
		return made, false
	}
	ceiling := func(at time.Time) int64 { return at.Add(time.Second - 1).Unix() }
	made = arrival.Files{
		Arrival: spec.Arrival, Seed: spec.Seed, From: ceiling(spec.Window.From), To: ceiling(spec.Window.To), Now: spec.Now.Unix(),
		Floor: ceiling(export.NotBefore), Journey: query.Journey,
	}
	if reaches := made.Reaches(); reaches < made.From && export.View != vocabulary.ViewInstallationRecipients {
		query.From = time.Unix(reaches, 0)
	}
	return made, true
}

// Arrivals tells what becomes of every row that belongs to the file, or comes in
// it. It reports false for a file whose rows all are on time.
func (f *File) Arrivals(ctx context.Context, visit func(fate arrival.Fate, row *world.Row, text func() string)) (bool, error) {
	view, is := f.view.(*arrival.View)
	if !is {
		return false, nil
	}
	s := f.renderer.pool.GetScratch()
	defer f.renderer.pool.PutScratch(s)
	for unit := range view.Units() {
		if err := ctx.Err(); err != nil {
			return true, err
		}
		s.Rows = view.View.Append(s.Rows[:0], unit)
		for i := range s.Rows {
			row := &s.Rows[i]
			fate := view.Of(row)
			row.Skew = fate.Skew
			visit(fate, row, func() string { return string(f.plan.appendRow(nil, row, s)[f.plan.lead():]) })
		}
	}
	return true, nil
}
