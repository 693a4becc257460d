package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestFewOrchestrations: a world with few of them has groups of which the EVENTS export does not tell, as a real project
// has those of others.
func TestFewOrchestrations(t *testing.T) {
	held := 0
	worlds := testlevel.Some(t, testlevel.Count(2, 8, 8), []int{1, 2, 3, 4, 5, 6, 7, 8})
	for _, orchestrations := range worlds {
		var inputs []check.Input
		for _, kind := range kinds(t) {
			r := request{kind: kind, campaign: "welcome", seed: uint64(orchestrations), profiles: 400, orchestrations: orchestrations}
			inputs = append(inputs, input(kind, render(t, r)))
		}
		findings, summary := run(t, inputs, check.Options{})
		clean(t, findings, fmt.Sprint(orchestrations, " orchestrations"))
		if slices.Contains(outcomes(summary, check.Held), "sendings") {
			held++
		}
		for _, verdict := range summary.Rules {
			if verdict.Rule == "sendings" && verdict.Outcome == check.NotCheckable && verdict.Why == "" {
				t.Errorf("%d orchestrations: nothing says why sendings are not checked", orchestrations)
			}
		}
	}
	must.Hold(t, len(worlds) != 8 || held >= 4, "sendings were checked of %d worlds only", held)
}

// TestHalfOfACampaignIsMissing: what lacks much of a campaign is no project that does not send it.
func TestHalfOfACampaignIsMissing(t *testing.T) {
	b := newBook(t)
	for _, kind := range []string{"campaign.events", "profiles.events"} {
		b.add(kind, kind, render(t, request{kind: kind, campaign: "welcome", seed: 3, profiles: 400}))
	}
	events, nth := b.file("profiles.events"), 0
	events.rows = slices.DeleteFunc(events.rows, func(l *line) bool {
		nth++
		return strings.HasPrefix(l.get("event_type"), "push_") && nth%10 != 0
	})
	findings, _ := run(t, b.inputs(), check.Options{Rules: []string{"sendings"}})
	must.Hold(t, len(findings) >= 10, "%d findings of a campaign of which nine rows in ten are missing", len(findings))
	findings, _ = run(t, b.inputs(), check.Options{Rules: []string{"sendings"}, MaxFindings: 3})
	must.Equal(t, len(findings), 3, "findings")
}
