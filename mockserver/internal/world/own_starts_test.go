package world_test

import (
	"math"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Most of those who install an app leave it, the more the longer ago: the share that is used on a day falls by a power law
// of the age, which meets what is published for a day, a week, a month, a quarter and a year.
func TestFewOfThoseWhoInstallTheAppStay(t *testing.T) {
	const days, within = 86_400, 0.1
	ages := []struct {
		from, to     int64 // days
		used         float64
		count, today float64
	}{
		{from: 1, to: 2, used: 0.26}, {from: 7, to: 8, used: 0.123}, {from: 29, to: 32, used: 0.07},
		{from: 85, to: 96, used: 0.046}, {from: 355, to: 376, used: 0.027},
	}
	inWeek, old := 0.0, 0.0
	var rows []world.Row
	for nth := range 120 { // neighbours use the app at one time, so few people at many times say more than many at a few
		w, at := world.New(uint64(nth%4), 24_000), now.Add(time.Duration(nth)*(3*day+5*time.Hour))
		snapshot := open(t, w, world.Query{View: vocabulary.ViewInstallations, Now: at})
		scope := world.Scope{
			View:     snapshot,
			Messages: open(t, w, world.Query{View: vocabulary.ViewProfileMessages, Stream: "profiles/", Journey: campaignLife, From: at.Add(-day), To: at, Now: at}),
			InApp:    open(t, w, ofTarget("in-app-campaign/a", inAppLife, at, 1)),
		}
		installed, started := factOf(t, w, "installation.install_date", scope), factOf(t, w, "installation.last_start_date", scope)
		rows = rows[:0]
		for unit := range snapshot.Units() {
			rows = snapshot.Append(rows, unit)
		}
		for _, row := range rows {
			idle, age := row.Time-started.Time(&row), (row.Time-installed.Time(&row))/days
			for i := range ages {
				if of := &ages[i]; age >= of.from && age < of.to {
					of.count++
					if idle < days {
						of.today++
					}
				}
			}
			if age >= 365 {
				old++
				if idle < 7*days {
					inWeek++
				}
			}
		}
	}
	for _, age := range ages {
		if part := age.today / age.count; math.Abs(part-age.used) > within*age.used {
			t.Errorf("%.4f of %g installations used the app on the day, %d days after they were made; want %g", part, age.count, age.from, age.used)
		} else {
			t.Logf("%d days: %.4f of %g", age.from, part, age.count)
		}
	}
	if part := inWeek / old; part < 0.11 || part > 0.16 {
		t.Errorf("%.3f of %g installations used the app in the week, a year after they were made and later", part, old)
	}
}

// What is the last start at one time stays one: a later look finds it, or a later one that was still to come.
func TestLastStartsOnlyMoveOn(t *testing.T) {
	w := world.New(33, 3_000)
	before := map[int64]int64{}
	made, moved := 0, 0
	for hours := 0; hours < 24*60; hours += 31 {
		at := now.Add(time.Duration(hours) * time.Hour)
		snapshot := open(t, w, world.Query{View: vocabulary.ViewInstallations, Now: at})
		scope := world.Scope{View: snapshot, InApp: open(t, w, ofTarget("in-app-campaign/a", inAppLife, at, 1))}
		installed, started := factOf(t, w, "installation.install_date", scope), factOf(t, w, "installation.last_start_date", scope)
		looked := at.Add(-31 * time.Hour).Unix()
		for _, row := range rowsOf(snapshot) {
			last, kept := started.Time(&row), before[row.Installation]
			switch {
			case last < installed.Time(&row) || last > row.Time:
				t.Fatalf("installation %d of %d started last at %d, at %d", row.Installation, installed.Time(&row), last, row.Time)
			case kept != 0 && last != kept && last <= looked:
				t.Fatalf("installation %d started at %d, which a look at %d did not find, but %d", row.Installation, last, looked, kept)
			case kept == 0:
				made++
			case last != kept:
				moved++
			}
			before[row.Installation] = last
		}
	}
	if made < 2_000 || moved < 2_000 {
		t.Errorf("%d installations, %d later starts: the test sees little", made, moved)
	}
}
