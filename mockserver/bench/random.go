package main

import (
	"math/rand/v2"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// randomRows is a view of rows that have nothing to do with each other: people, instants and messages are drawn at random, as
// generators of test data do. What a row costs here is what finding the rows of a coherent world is compared with.
type randomRows struct {
	world.View
	rows                    []world.Row // of the coherent view: of what kinds rows are
	perUnit                 int
	profiles, installations int64
	earliest, latest        int64
}

// randomOver makes a random view with about as many rows as units of a coherent one have.
func randomOver(people *world.World, view world.View, first, last int64) *randomRows {
	r := &randomRows{View: view, profiles: max(people.Profiles(), 1), installations: max(people.Installations(), 1)}
	for unit := first; unit < last && len(r.rows) < 1<<12; unit++ {
		r.rows = view.Append(r.rows, unit)
		r.perUnit = len(r.rows) / int(unit-first+1)
	}
	r.perUnit = max(r.perUnit, 1)
	for i, row := range r.rows {
		if i == 0 || row.Time < r.earliest {
			r.earliest = row.Time
		}
		r.latest = max(r.latest, row.Time)
	}
	return r
}

func (r *randomRows) Append(rows []world.Row, unit int64) []world.Row {
	if len(r.rows) == 0 { // so small a part has none
		return rows
	}
	source := rand.New(rand.NewPCG(7, uint64(unit)))
	for range r.perUnit {
		row := r.rows[source.IntN(len(r.rows))]
		profile, installation, at := source.Int64N(r.profiles), row.Installation, row.Time
		if installation >= 0 {
			installation = source.Int64N(r.installations)
		}
		if r.latest > r.earliest {
			at = r.earliest + source.Int64N(r.latest-r.earliest)
		}
		row.About(profile, installation, at)
		if row.Message != 0 {
			row.Message = source.Uint64()
		}
		rows = append(rows, row)
	}
	return rows
}
