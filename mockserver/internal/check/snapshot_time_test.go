package check_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

// TestSmallWorldsAreClean checks good files of many small worlds, in which much may happen between the latest date of
// a snapshot and the moment that it shows.
func TestSmallWorldsAreClean(t *testing.T) {
	type world struct {
		seed     uint64
		profiles int64
		days     int // before noon that the snapshots are taken
	}
	// These have an address that changed in that time.
	worlds := []world{{30, 3, 45}, {113, 14, 20}}
	for seed := range uint64(12) {
		days := []int{0, 20, 45}[seed%3]
		worlds = append(worlds, world{seed, int64(2 + seed*7), days}, world{seed + 100, int64(79 - seed*6), 20 + days})
	}
	for _, w := range worlds {
		t.Run(fmt.Sprint(w), func(t *testing.T) {
			var inputs []check.Input
			for _, kind := range kinds(t) {
				r := request{kind: kind, campaign: "welcome", seed: w.seed, profiles: w.profiles,
					texture: texture.Levels()[w.seed%uint64(len(texture.Levels()))]}
				if kind == "userbase" || kind == "profiles.attributes" {
					r.now = noon.AddDate(0, 0, -w.days)
				}
				inputs = append(inputs, input(kind, render(t, r)))
			}
			findings, _ := run(t, inputs, check.Options{})
			clean(t, findings, "good files")
		})
	}
}

// handedOver are files in which an installation goes to another person in the last seconds before the userbase is taken.
func handedOver(t *testing.T) (b *book, shown *line) {
	t.Helper()
	b = newBook(t)
	for _, kind := range []string{"userbase", "reachability.events", "in-app-campaign.events", "in-app-campaign.ids"} {
		b.add(kind, kind, render(t, request{kind: kind, campaign: "welcome", profiles: 60, texture: texture.Tidy}))
	}
	shown = b.find("userbase", func(l *line) bool {
		return l.get("custom_id") != "" && b.times("in-app-campaign.ids", "install_id", l.get("install_id")) > 0 &&
			b.times("reachability.events", "install_id", l.get("install_id")) > 0
	})
	rows := b.all("reachability.events", "install_id", shown.get("install_id"))
	last := rows[len(rows)-1]
	last.copy().set("custom_id", "").set("has_custom_id", "false").at(noon.Add(-2 * time.Second)).insert()
	last.copy().set("custom_id", "user-somebody").set("has_custom_id", "true").at(noon.Add(-time.Second)).insert()
	shown.set("custom_id", "user-somebody")
	return b, shown
}

// TestSnapshotThatMayBeLater checks that a snapshot may show what changed after its latest date, unless its moment is told.
func TestSnapshotThatMayBeLater(t *testing.T) {
	b, shown := handedOver(t)
	findings, _ := run(t, b.inputs(), check.Options{})
	clean(t, findings, "the moment is not known")
	inputs := b.inputs()
	for i := range inputs {
		if inputs[i].Name == "userbase" {
			inputs[i].To = noon.Add(-2 * time.Second)
		}
	}
	findings, _ = run(t, inputs, check.Options{Rules: []string{"installation-identifiers"}})
	if !slices.ContainsFunc(findings, func(f check.Finding) bool {
		return f.Row == shown.number() || f.Other != nil && f.Other.Row == shown.number()
	}) {
		t.Errorf("a snapshot from before the other person is not found: %v", findings)
	}
}

// TestSnapshotAfterTheEvents checks that nothing is said against a snapshot that may be later than the events of the
// files, and that the summary says so.
func TestSnapshotAfterTheEvents(t *testing.T) {
	b := newBook(t)
	for _, kind := range []string{"userbase", "reachability.events"} {
		b.add(kind, kind, render(t, request{kind: kind, profiles: 60, texture: texture.Tidy}))
	}
	line := b.find("userbase", func(l *line) bool { return b.times("reachability.events", "install_id", l.get("install_id")) > 0 })
	line.set("is_optin_push", flipped(line.get("is_optin_push")))
	for _, c := range []struct {
		about   string
		moment  time.Time
		outcome string
	}{
		{"the moment is not known", time.Time{}, check.NotCheckable},
		{"it lies behind the events", noon.AddDate(0, 0, 2), check.NotCheckable},
		{"it is known", noon, check.Violated},
	} {
		inputs := b.inputs()
		for i := range inputs {
			if inputs[i].Name == "userbase" {
				inputs[i].To = c.moment
			} else {
				inputs[i].To = noon
			}
		}
		_, summary := run(t, inputs, check.Options{Now: noon.AddDate(0, 0, 2)})
		for _, verdict := range summary.Rules {
			if verdict.Rule == "consent" && (verdict.Outcome != c.outcome || c.outcome == check.NotCheckable && verdict.Violations > 0) {
				t.Errorf("%s: consent is %s, %d of %d; want %s", c.about, verdict.Outcome, verdict.Violations, verdict.Checked, c.outcome)
			}
		}
	}
}
