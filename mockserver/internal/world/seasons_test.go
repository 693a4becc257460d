package world_test

import (
	"testing"
	"time"

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
