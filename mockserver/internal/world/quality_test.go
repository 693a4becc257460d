package world_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

func TestQualityThatMakesNoSense(t *testing.T) {
	qualities := func(channel string, factors ...float64) world.Settings {
		return world.Settings{CampaignQuality: map[string][]float64{channel: factors}}
	}
	for name, c := range map[string]struct {
		settings world.Settings
		says     string
	}{
		"one":           {qualities("email", 3), ""},
		"the widest":    {qualities("push", world.LeastQuality, 2-world.LeastQuality), ""},
		"of no channel": {qualities("fax", 1), `CampaignQuality of "fax" has no meaning: the channels are email, push, sms`},
		"none":          {qualities("sms"), `CampaignQuality of "sms" has 0 factors; it must have 1 to 100`},
		"too many":      {qualities("sms", slices.Repeat([]float64{1}, 101)...), "has 101 factors"},
		"zero":          {qualities("email", 1, 0), "has the factor 0, where the mean is 0.5; each must be 0.12 to 2.4 times the mean"},
		"no number":     {qualities("email", 1, math.NaN()), "each must be 0.12 to 2.4 times the mean"},
		"too far apart": {qualities("email", 1, 1, 1, 30), "has the factor 30, where the mean is 8.25"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.settings.Check()
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
			if _, made := world.NewWith(1, 10, c.settings); (made == nil) != (err == nil) {
				t.Errorf("the world is made: %v", made)
			}
		})
	}
	kept := qualities("email", 1, 2)
	clone := kept.Clone()
	if kept.CampaignQuality["email"][0] = 9; clone.CampaignQuality["email"][0] != 1 {
		t.Error("a copy shares its factors")
	}
}

func TestQualityAsText(t *testing.T) {
	wants := map[string]string{"email=0.5;1;1.25": "email[0.5 1 1.25]", "sms=1": "sms[1]"}
	for text, says := range map[string]string{
		"email=0.5;1;1.25": "", "sms=1": "", "email": "must be a channel", "=1": "must be a channel", "email=": `of email says ""`, "email=1;a": `says "a"`, "email=1,2": `says "1,2"`, "email=1;-2": `says "-2"`, "email=+Inf": `says "+Inf"`,
	} {
		channel, factors, err := world.ParseQuality(text)
		switch {
		case says == "" && (err != nil || fmt.Sprint(channel, factors) != wants[text]):
			t.Errorf("%s: got %v of %s, %v", text, factors, channel, err)
		case says != "" && (err == nil || !strings.Contains(err.Error(), says)):
			t.Errorf("%s: got %v, want %q", text, err, says)
		}
	}
}

// TestQuality: campaigns are answered as their factors say, and their mean is the rate.
func TestQuality(t *testing.T) {
	for name, c := range map[string]struct {
		channel     string
		factors     []float64
		worst, best float64 // of the mean
		tolerance   float64
	}{
		"alike":               {"email", []float64{2}, 0.85, 1.15, 0.15}, // new designs and tests of variants still count
		"halves":              {"email", []float64{0.3, 1.7}, 0.3, 1.7, 0.25},
		"one bad":             {"email", []float64{1, 1, 1, 0.2, 1, 1}, 0.3, 1.3, 0.2},
		"push messages alike": {"push", []float64{2}, 0.9, 1.15, 0.15},
		"push messages":       {"push", []float64{0.3, 1.7}, 0.32, 1.7, 0.25},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const rate = 0.08
			settings := world.Settings{CampaignQuality: map[string][]float64{c.channel: c.factors}, Rates: map[string]float64{"email_open": rate, "push_open": rate}}
			w, err := world.NewWith(5, 6_000, settings)
			if err != nil {
				t.Fatal(err)
			}
			campaigns, all := map[int32]*counted{}, counted{}
			for _, row := range firstTimes(rowsOf(open(t, w, profileEvents(now, 85)))) {
				if campaigns[row.Orchestration] == nil {
					campaigns[row.Orchestration] = &counted{}
				}
				event := life[row.Event].Event
				if of, _, _ := strings.Cut(event, "_"); of != c.channel {
					continue
				}
				campaigns[row.Orchestration].add(event)
				all.add(event)
			}
			near(t, "the rate of all", all.rate(), rate, 0.006)
			worst, best := math.Inf(1), 0.0
			for _, campaign := range campaigns {
				if campaign.delivered > 500 {
					worst, best = min(worst, campaign.rate()/all.rate()), max(best, campaign.rate()/all.rate())
				}
			}
			near(t, "the worst against the mean", worst, c.worst, c.tolerance)
			near(t, "the best against the mean", best, c.best, c.tolerance)
		})
	}
}
