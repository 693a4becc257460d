package rows

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// arrivals are those of a file; nil: every row is on time, and comes once. What is no event of a message always does, and so do the rows
// of a dataset.
func arrivals(export schemas.Export, spec exports.File, query *world.Query) *arrival.View {
	if spec.Arrival.IsZero() || len(query.Journey) == 0 {
		return nil
	}
	ceiling := func(at time.Time) int64 { return at.Add(time.Second - 1).Unix() }
	files := arrival.Files{
		Arrival: spec.Arrival, Seed: spec.Seed, From: ceiling(spec.Window.From), To: ceiling(spec.Window.To), Now: spec.Now.Unix(),
		Floor: ceiling(export.NotBefore), Journey: query.Journey, Distinct: export.View == vocabulary.ViewInstallationRecipients,
	}
	made := files.View()
	if files.Distinct {
		query.Arrived = func(row *world.Row) bool { return row.Given() || made.Arrived(arriving(row)) }
	} else if reaches := files.Reaches(); reaches < files.From {
		query.From = time.Unix(reaches, 0)
	}
	return made
}

func arriving(row *world.Row) arrival.Row {
	return arrival.Row{Person: row.Number(), Key: row.Key(), Time: row.Time, Event: row.Event}
}

// Arrivals tells what becomes of every row that belongs to the file, or comes in it: what becomes of it, when it happened and, unless it is
// on time, its text. It reports false for a file whose rows all are on time.
func (f *File) Arrivals(ctx context.Context, visit func(fate arrival.Fate, happened int64, text string)) (bool, error) {
	if f.arrives == nil {
		return false, nil
	}
	render := func() world.Render {
		appendRow := f.plan.appendRow()
		return func(dst []byte, row *world.Row) ([]byte, int) {
			fate := arrival.Fate{Arrives: row.Time, Copies: 1}
			if !row.Given() {
				fate = f.arrives.Of(arriving(row))
			}
			if fate.Copies == 0 && !fate.Missing {
				return dst, 0
			}
			flags := int64(fate.Copies) << 2
			if fate.Missing {
				flags |= 1
			}
			if fate.Outside {
				flags |= 2
			}
			for _, number := range []int64{row.Time, fate.Arrives, fate.Skew, flags} {
				dst = binary.AppendVarint(dst, number)
			}
			if fate.Copies == 1 && fate.Skew == 0 && !fate.Outside {
				return dst, 1
			}
			row.Skew = fate.Skew
			return appendRow(dst, row), 1
		}
	}
	return true,
		f.view.Write(ctx, f.renderer.spill.within(world.Output{Render: render, To: f.view.Parts(), Do: f.renderer.Do,
			Take: func(_ int64, text []byte) (bool, error) {
				var numbers [4]int64
				for i := range numbers {
					number, size := binary.Varint(text)
					numbers[i], text = number, text[size:]
				}
				flags := numbers[3]
				fate := arrival.Fate{Arrives: numbers[1], Skew: numbers[2], Missing: flags&1 != 0, Outside: flags&2 != 0, Copies: int(flags >> 2)}
				visit(fate, numbers[0], string(text[min(f.plan.lead(), len(text)):]))
				return true, nil
			}}))
}
