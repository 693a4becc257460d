package world_test

import (
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// When the app was last started is the same whether rows follow one another, so that a
// block is looked at as a whole, or one comes alone.
func TestLastStartsOfABlockAreThoseOfEachRow(t *testing.T) {
	const profiles = 20_000
	settings := world.Settings{WeeklyMessages: new(6.0)}
	scopeOf := func() (*world.World, world.View, world.Scope) {
		w, err := world.NewWith(12, profiles, settings)
		if err != nil {
			t.Fatal(err)
		}
		view := open(t, w, world.Query{View: vocabulary.ViewInstallations, Now: now})
		return w, view, world.Scope{View: view, Messages: open(t, w, profileEvents(now, 120)), InApp: open(t, w, ofTarget("in-app-campaign/a", inAppLife, now, 120))}
	}
	facts := []string{"installation.install_date", "installation.last_start_date", "installation.smart_segment", "profile.last_visit_date"}
	w, view, scope := scopeOf()
	var together []world.Fact
	for _, name := range facts {
		together = append(together, factOf(t, w, name, scope))
	}
	rows, texts := rowsOf(view), make([]string, 0, len(facts))
	alone, _, aloneScope := scopeOf()
	var apart []world.Fact
	for _, name := range facts {
		apart = append(apart, factOf(t, alone, name, aloneScope))
	}
	const apartBy = 1_117 // no two of one block, nor of neighbours
	for i := range rows {
		row := rows[i]
		texts = texts[:0]
		for nth := range together {
			texts = append(texts, textOf(&together[nth], &row))
		}
		if i%apartBy > 0 {
			continue
		}
		row = alone.RowAt(rows[i].Profile, rows[i].Installation, rows[i].Time)
		for nth := range apart {
			if got := textOf(&apart[nth], &row); got != texts[nth] {
				t.Fatalf("%s of installation %d is %s, and among others %s", facts[nth], row.Installation, got, texts[nth])
			}
		}
	}
	if len(rows) < 10*apartBy {
		t.Errorf("%d rows: the test sees little", len(rows))
	}
}

// Whoever leaves the app when their season ends starts it once more in the week after it, on
// each of their installations, and does not come back before the next one.
func TestWhoLeavesStartsTheAppOnceMoreOnEachInstallation(t *testing.T) {
	const days, weeks = 86_400, 7 * 86_400
	w := world.New(13, 40_000)
	view := open(t, w, world.Query{View: vocabulary.ViewProfiles, Now: now})
	scope := world.Scope{View: view, Messages: open(t, w, profileEvents(now, 120)), InApp: open(t, w, ofTarget("in-app-campaign/a", inAppLife, now, 120))}
	installed, started := factOf(t, w, "installation.install_date", scope), factOf(t, w, "installation.last_start_date", scope)
	things := factOf(t, w, "profile.installations", scope)
	left, steady := 0, 0
	for _, row := range rowsOf(view) {
		var dates []int64
		newest, last := int64(0), int64(0)
		for _, item := range things.Each(&row, nil) {
			dates = append(dates, started.Time(&item))
			newest, last = max(newest, installed.Time(&item)), max(last, started.Time(&item))
		}
		if len(dates) < 2 || newest > row.Time-53*weeks || last > row.Time-14*days {
			continue // of one week, made since, or still used
		}
		left++
		if slices.ContainsFunc(dates, func(at int64) bool { return at/weeks != last/weeks || at%weeks < 2*days }) {
			steady++
		}
	}
	// One in eight never leaves, and may still be away for two weeks.
	if left < 1_000 || float64(steady) > 0.06*float64(left) {
		t.Errorf("%d people left, %d of them not in one week with all, from its third day on", left, steady)
	}
}
