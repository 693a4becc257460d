package world_test

import (
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// The app is used in the evening of where its user lives, and least at night.
func TestTheAppIsUsedByTheClockOfItsUser(t *testing.T) {
	w := world.New(31, 60_000)
	view := open(t, w, ofTarget("in-app-campaign/a", []world.Step{{Event: "inapp_shown"}}, now, 56))
	zone := factOf(t, w, "profile.timezone", world.Scope{View: view})
	locations := map[string]*time.Location{}
	evening, night, all := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, row := range rowsOf(view) {
		name := textOf(&zone, &row)
		if locations[name] == nil {
			location, err := time.LoadLocation(name)
			if err != nil {
				t.Fatal(err)
			}
			locations[name] = location
		}
		all[name]++
		switch hour := time.Unix(row.Time, 0).In(locations[name]).Hour(); {
		case hour >= 18 && hour < 22:
			evening[name]++
		case hour >= 1 && hour < 5:
			night[name]++
		}
	}
	seen := 0
	for name, count := range all {
		if count < 500 {
			continue
		}
		seen++
		if part := evening[name] / count; part < 0.22 {
			t.Errorf("%s: %.2f of what is shown is in the evening, %.2f at night", name, part, night[name]/count)
		}
		if part := night[name] / count; part > 0.08 {
			t.Errorf("%s: %.2f of what is shown is at night", name, part)
		}
	}
	if seen < 5 {
		t.Errorf("%d time zones have enough users: the test sees little", seen)
	}
}

// Most of those who install an app leave it, the more the longer ago; those who stay
// use it most weeks.
func TestFewOfThoseWhoInstallTheAppStay(t *testing.T) {
	w := world.New(32, 200_000)
	snapshot := open(t, w, world.Query{View: vocabulary.ViewInstallations, Now: now})
	scope := world.Scope{
		View: snapshot, Messages: open(t, w, profileEvents(now, 120)),
		InApp: open(t, w, ofTarget("in-app-campaign/a", inAppLife, now, 120)),
	}
	installed, started := factOf(t, w, "installation.install_date", scope), factOf(t, w, "installation.last_start_date", scope)
	ages := []struct {
		name        string
		from, to    int64 // days
		least, most float64
	}{{"a week", 7, 14, 0.35, 0.65}, {"a month", 25, 35, 0.25, 0.45}, {"a year", 330, 400, 0.2, 0.36}}
	counts, inWeek, today := make([]float64, len(ages)), make([]float64, len(ages)), make([]float64, len(ages))
	for _, row := range rowsOf(snapshot) {
		idle, old := row.Time-started.Time(&row), (row.Time-installed.Time(&row))/86_400
		for i, age := range ages {
			if old < age.from || old >= age.to {
				continue
			}
			counts[i]++
			if idle < 7*86_400 {
				inWeek[i]++
			}
			if idle < 86_400 {
				today[i]++
			}
		}
	}
	for i, age := range ages {
		if part := inWeek[i] / counts[i]; part < age.least || part > age.most {
			t.Errorf("%.2f of %g installations used the app in the week, %s after they were made", part, counts[i], age.name)
		}
		if part := today[i] / counts[i]; part < 0.03 || part > 0.16 {
			t.Errorf("%.2f of %g installations used the app on the day, %s after they were made", part, counts[i], age.name)
		}
	}
}
