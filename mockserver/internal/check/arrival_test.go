package check_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestFilesThatArriveAsTheyWere checks files whose rows are late, come twice, have wrong dates or are in no order. Told so, the
// check finds nothing; not told, it finds something, but for late rows of one moment, which break no rule.
func TestFilesThatArriveAsTheyWere(t *testing.T) {
	some := arrival.Spread{Share: 0.3, UpTo: 24 * time.Hour}
	type arriving struct {
		words  []string
		wanted arrival.Arrival
		clean  bool // also for a check that is not told
	}
	for _, c := range testlevel.Some(t, testlevel.Count(2, 5, 5), []arriving{
		{[]string{"late"}, arrival.Arrival{Late: some}, true},
		{[]string{"duplicates"}, arrival.Arrival{Duplicates: 0.1}, false},
		{[]string{"skew"}, arrival.Arrival{Skew: some}, false},
		{[]string{"unordered"}, arrival.Arrival{Unordered: true}, false},
		{[]string{"late", "duplicates", "skew", "unordered"}, arrival.Arrival{Late: some, Duplicates: 0.1, Skew: some, Unordered: true}, false},
	}) {
		t.Run(fmt.Sprint(c.words), func(t *testing.T) {
			files := map[string][]byte{}
			for _, kind := range kinds(t) {
				files[kind] = render(t, request{kind: kind, campaign: "welcome", seed: 5, profiles: 200, arrival: c.wanted})
			}
			for _, told := range []bool{true, false} {
				var inputs []check.Input
				for _, kind := range kinds(t) {
					inputs = append(inputs, input(kind, files[kind]))
				}
				options := check.Options{}
				if told {
					options.Arrival = c.words
				}
				findings, summary := run(t, inputs, options)
				switch {
				case told || c.clean:
					clean(t, findings, "files that arrive as they were asked to")
				case len(findings) == 0:
					t.Error("nothing is found")
				}
				if told && !slices.Contains(outcomes(summary, check.NotCheckable), "tiling") && c.words[0] == "late" {
					t.Error("tiling is checked of late files")
				}
			}
		})
	}
	if _, err := check.Files(t.Context(), library(t), nil, check.Options{Arrival: []string{"soon"}}, nil); err == nil {
		t.Error("a word that is not known is accepted")
	}
}

// TestLateRowsComeLater checks a window that is asked for twice: what the second file has more is no violation once the check is
// told, and it is one that is found when it is not.
func TestLateRowsComeLater(t *testing.T) {
	late := arrival.Arrival{Late: arrival.Spread{Share: 0.3, UpTo: 72 * time.Hour}}
	from, to := noon.AddDate(0, 0, -9), noon.AddDate(0, 0, -4)
	var files [2][]byte
	for i, now := range []time.Time{to, noon} {
		files[i] = render(t, request{kind: "in-app-campaign.events", campaign: "welcome", seed: 5, profiles: 3_000, from: from, to: to, now: now,
			arrival: late})
	}
	if len(files[0]) >= len(files[1]) {
		t.Fatalf("the night's file has %d bytes, and four days later %d", len(files[0]), len(files[1]))
	}
	for told, arrives := range map[bool][]string{true: {"late"}, false: nil} {
		var inputs []check.Input
		for i, file := range files {
			in := input(fmt.Sprint("night ", i), file)
			in.Campaign, in.From, in.To = "welcome", from, to
			inputs = append(inputs, in)
		}
		findings, _ := run(t, inputs, check.Options{Arrival: arrives})
		if found := len(findings) > 0; found == told {
			t.Errorf("told %v: %d findings", told, len(findings))
		}
	}
}

// TestRowsFromBeforeAWindow checks a file in which rows of the day before its window come again: it covers none of that day.
func TestRowsFromBeforeAWindow(t *testing.T) {
	var inputs []check.Input
	for _, kind := range []string{"profiles.attributes", "profiles.events"} {
		inputs = append(inputs, input(kind, render(t, request{
			kind: kind, seed: 5, profiles: 2_000, from: noon.AddDate(0, 0, -9), to: noon, arrival: arrival.Arrival{Duplicates: 1},
		})))
	}
	findings, summary := run(t, inputs, check.Options{Arrival: []string{"duplicates"}})
	clean(t, findings, "rows from before a window")
	must.Hold(t, slices.Contains(outcomes(summary, check.Held), "latest"), "the latest events are not checked")
}

// TestNothingIsCoveredBeforeTheFirstDay checks a window that begins before the first day of which profiles.reachability tells: addresses
// that changed before are no violation.
func TestNothingIsCoveredBeforeTheFirstDay(t *testing.T) {
	now := time.Date(2024, 10, 29, 12, 0, 0, 0, time.UTC)
	var inputs []check.Input
	for _, kind := range []string{"profiles.events", "profiles.reachability"} {
		asked := request{kind: kind, seed: 5, profiles: 2_000, from: now.AddDate(0, 0, -56), to: now, now: now}
		in := input(kind, render(t, asked))
		in.From, in.To = asked.from, asked.to
		inputs = append(inputs, in)
	}
	findings, summary := run(t, inputs, check.Options{Now: now})
	clean(t, findings, "a window from before the first day")
	must.Hold(t, slices.Contains(outcomes(summary, check.Held), "contact"), "addresses are not checked")
}
