package learn_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// TestWeightsAreLearned: of everything that the world draws from a list, it is learned how often each value comes.
func TestWeightsAreLearned(t *testing.T) {
	t.Parallel()
	truth := world.Settings{Rates: map[string]float64{"email_bounced": 0.2, "inapp_shown": 0.9, "inapp_clicked": 0.5}, Weights: map[string]map[string]int{
		"platform": {"ios": 1, "android": 2, "web": 3}, "region": {"FR": 1, "CA": 3}, "timezone": {"Europe/Paris": 3, "America/Toronto": 8, "America/Halifax": 1}, "language": {"fr": 3, "en": 1},
		"mailbox_provider": {"Postbox": 2, "Own Mail": 5, "Other": 3}, "bounce_code": {"4.2.2": 1, "4.7.1": 3}, "cta": {"service.deeplink": 1, "own.vote": 4},
		"cta_position": {"0": 3, "2": 1}, "sms_parts": {"1": 1, "3": 1}, "message_language": {"default": 1, "other": 2}, "smart_segment": {"migrated": 1, "other": 4},
	}}
	learned, err := learn.Files(context.Background(), filesOf(t, embedded(t), 21, 5_000, truth, someKinds), learn.Options{Directory: t.TempDir(), TrialProfiles: 300})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := learned.Settings()
	for _, column := range world.WeightColumns() {
		want, is := truth.Weights[column], got.Weights[column]
		if is == nil {
			t.Errorf("%s was not learned: %s", column, learned.Left[column])
			continue
		}
		// Codes of bounces stand beside those of their kind.
		parts := func(weights map[string]int, of string) (all float64) {
			for value, weight := range weights {
				if column != "bounce_code" || value[0] == of[0] {
					all += float64(weight)
				}
			}
			return all
		}
		for value, weight := range want {
			a, b := float64(weight)/parts(want, value), float64(is[value])/max(parts(is, value), 1)
			if math.Abs(a-b) > 0.08 {
				t.Errorf("%s: %s is %.3f of all, want %.3f", column, value, b, a)
			}
		}
		for value := range is {
			if want[value] == 0 && (column != "bounce_code" || value[1] == '.') {
				t.Errorf("%s: there is also %s", column, value)
			}
		}
	}
}

// clicks is a file of in-app messages that so many people clicked; cta is what each click performed.
func clicks(people int, cta func(i int) string) []importer.Input {
	var file bytes.Buffer
	fmt.Fprintln(&file, "install_id;custom_id;advertising_id;event_date;event_type;cta;cta_position")
	for i := range people {
		for _, event := range []string{"inapp_supplied;;", "inapp_shown;;", "inapp_clicked;" + cta(i) + ";0"} {
			fmt.Fprintf(&file, "00000000-0000-4000-8000-%012d;c%d;;2026-03-%02dT08:00:00;%s\n", i, i, 1+i%14, event)
		}
	}
	return []importer.Input{{Name: "hidden.csv", Kind: "in-app-campaign.events", Reader: &file}}
}

// TestFewHaveWeights: no value is told that fewer people share than must, and none that the world cannot have.
func TestFewHaveWeights(t *testing.T) {
	t.Parallel()
	of := func(people int, value string) func(i int) string {
		return func(i int) string {
			if i < people {
				return value
			}
			return "service.deeplink"
		}
	}
	regions := func(people int, region string) []importer.Input {
		return crowd(600, func(i int, _, attributes map[string]any) {
			attributes["$region"] = of(people, region)(i)
			if attributes["$region"] == "service.deeplink" {
				attributes["$region"] = "FR"
			}
		})
	}
	for name, c := range map[string]struct {
		files       []importer.Input
		says, hides string
	}{
		"19 clicks":          {clicks(600, of(19, "canarybird")), "\n  cta: \"service.deeplink:1000\"\n", "canarybird"},
		"20 clicks":          {clicks(600, of(20, "sparrow")), "\n  cta: \"service.deeplink:1000;sparrow:34\"\n", "canarybird"},
		"19 of few clicks":   {clicks(100, of(19, "canarybird")), "cta: too many of its values are shared by fewer than 20", "canarybird"},
		"what cannot be":     {clicks(600, of(30, "canary/bird\u00e9")), "\n  cta: \"service.deeplink:1000\"\n", "\u00e9:"},
		"mostly what cannot": {clicks(600, of(300, "canary/bird\u00e9")), "cta: too many of its values", "\u00e9:"},
		"19 of a region":     {regions(19, "SE"), "\n  region: \"FR:1000\"\n", "SE:"},
		"20 of a region":     {regions(20, "SE"), "\n  region: \"FR:1000;SE:34\"\n", "canarybird"},
		"19 far away":        {regions(19, "JP"), "\n  region: \"FR:1000\"\n", "no telephone numbers"},
		"60 far away":        {regions(60, "JP"), "10 % of the people live where the world has no places", "JP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			says := everything(t, c.files, learn.Options{})
			if !strings.Contains(says, c.says) {
				t.Errorf("it does not say %q: %.1500s", c.says, says)
			}
			if strings.Contains(says, c.hides) {
				t.Errorf("it says %s: %s", c.hides, says)
			}
		})
	}
}
