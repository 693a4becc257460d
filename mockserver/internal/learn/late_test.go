package learn_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// asked is a window and when it is asked for, in days before now.
type asked struct{ from, to, at int }

// lateFiles are files of in-app messages to people of a world whose events arrive so late.
func lateFiles(t *testing.T, profiles int64, late arrival.Spread, windows []asked) (list []importer.Input) {
	t.Helper()
	settings := world.Settings{AudienceShare: new(1.0), Rates: map[string]float64{"inapp_shown": 0.9, "inapp_clicked": 0.4}}
	plan := exports.Planner{Seed: 31, Profiles: profiles, Arrival: arrival.Arrival{Late: late}, Settings: settings}
	for _, w := range windows {
		list = append(list, filesOfWindow(t, embedded(t), plan, []string{"in-app-campaign.events"}, now.AddDate(0, 0, -w.from), now.AddDate(0, 0, -w.to), now.AddDate(0, 0, -w.at))...)
	}
	return list
}

// TestLate: how many events are late, and up to how late, is learned of files that tell of the same hours, and of no others.
func TestLate(t *testing.T) {
	t.Parallel()
	var rolling, daily []asked
	for day := 20; day >= 0; day-- {
		rolling, daily = append(rolling, asked{day + 7, day, day}), append(daily, asked{day + 1, day, day})
	}
	again := []asked{{28, 10, 10}, {28, 10, 0}}
	for name, c := range map[string]struct {
		profiles int64
		late     arrival.Spread
		windows  []asked
		says     string // where nothing is learned
	}{
		"a window again":               {60_000, arrival.Spread{Share: 0.2, UpTo: 72 * time.Hour}, again, ""},
		"a window again, a little":     {200_000, arrival.Spread{Share: 0.5, UpTo: 24 * time.Hour}, again, ""},
		"a week, each day":             {8_000, arrival.Spread{Share: 0.3, UpTo: 48 * time.Hour}, rolling, ""},
		"longer windows":               {30_000, arrival.Spread{Share: 0.2, UpTo: 96 * time.Hour}, []asked{{28, 14, 14}, {28, 7, 7}, {28, 0, 0}}, ""},
		"a day, each day":              {4_000, arrival.Spread{Share: 0.3, UpTo: 48 * time.Hour}, daily, "no two files have events"},
		"one window":                   {4_000, arrival.Spread{Share: 0.3, UpTo: 48 * time.Hour}, []asked{{28, 0, 0}}, "no two files have events"},
		"in time":                      {4_000, arrival.Spread{}, rolling, "fewer than 100 people have events"},
		"in time, the same file twice": {4_000, arrival.Spread{}, []asked{{28, 10, 10}, {28, 10, 10}}, "no two files have events"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			learned, err := learn.Files(context.Background(), lateFiles(t, c.profiles, c.late, c.windows), learn.Options{Directory: t.TempDir(), TrialProfiles: 4_000})
			if err != nil {
				t.Fatal(err)
			}
			got, left := learned.Arrival().Late, learned.Left["arrival"]
			t.Logf("learned %v of %v: %s", got, c.late, left)
			if c.says != "" {
				if got.Share != 0 || !strings.Contains(left, c.says) {
					t.Errorf("learned %v, and says %q", got, left)
				}
				return
			}
			if math.Abs(got.Share-c.late.Share) > 0.2*c.late.Share || math.Abs(float64(got.UpTo-c.late.UpTo)) > 0.2*float64(c.late.UpTo) {
				t.Errorf("learned %v (%s), want %v", got, left, c.late)
			}
			if want := "scenario: \"late=" + got.String() + "\"\ngenerate:\n  arrival: \"late:" + got.String() + "\"\n"; !strings.Contains(string(learned.YAML("")), want) {
				t.Errorf("the settings do not say %s: %s", want, learned.YAML(""))
			}
			compared := 0
			for _, each := range learned.Comparisons() {
				if strings.Contains(each.Name, "an earlier file did not have") {
					if compared++; !each.Within || !each.Set {
						t.Errorf("%+v", each)
					}
				}
			}
			if compared != 2 {
				t.Errorf("%d comparisons", compared)
			}
		})
	}
}
