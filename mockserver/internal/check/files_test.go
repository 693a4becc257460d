package check_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// noon is the present of every test.
var noon = time.Date(2026, 4, 15, 12, 0, 0, 0, time.UTC)

var embedded = sync.OnceValues(schemas.Embedded)

func library(t testing.TB) *schemas.Library {
	t.Helper()
	return must.Get(embedded())(t)
}

// request is what a test asks the real renderer for.
type request struct {
	kind, campaign string
	seed           uint64
	profiles       int64
	from, to       time.Time      // zero: the ninety days before noon
	now            time.Time      // zero: noon
	members        map[string]any // of the payload, instead of everything there is
	texture        texture.Level  // empty: realistic
	arrival        arrival.Arrival
	orchestrations int // 0: as many as usual
	settings       world.Settings
}

// render makes a file as the server would.
func render(t testing.TB, r request) []byte {
	t.Helper()
	l := library(t)
	var export schemas.Export
	for _, other := range l.Exports() {
		if other.Kind == r.kind {
			export = other
		}
	}
	template := exports.TemplateOf(l, export)
	payload := template.Everything()
	if template.Has("from") {
		from, to := r.from, r.to
		if from.IsZero() {
			from = noon.AddDate(0, 0, -90)
		}
		if to.IsZero() {
			to = noon
		}
		payload["from"], payload["to"] = from.Format(template.DateLayout), to.Format(template.DateLayout)
	}
	for name, value := range r.members {
		payload[name] = value
	}
	must.Do(t, l.Validate(export.Request, payload))
	variables := map[string]string{}
	for _, name := range exports.Placeholders(export.Path) {
		variables[name] = r.campaign
	}
	now := r.now
	if now.IsZero() {
		now = noon
	}
	settings := r.settings
	settings.Texture = r.texture
	if r.orchestrations > 0 {
		settings.Campaigns = &r.orchestrations
	}
	planner := exports.Planner{Seed: r.seed, Profiles: r.profiles, Settings: settings, Arrival: r.arrival, PartSize: 1 << 40}
	plan := must.Get(planner.Plan(export, variables, "live_demo", exports.Members(payload), now))(t)
	file := must.Get(rows.NewRenderer(l).Open(plan.File))(t)
	var out bytes.Buffer
	must.Get(file.WriteTo(&out))(t)
	return out.Bytes()
}

// kinds are all kinds of export.
func kinds(t testing.TB) (names []string) {
	for _, export := range library(t).Exports() {
		names = append(names, export.Kind)
	}
	return names
}

// everything is a file of every kind, of one world, as inputs of a check.
func everything(t testing.TB, seed uint64, profiles int64) []check.Input {
	t.Helper()
	var inputs []check.Input
	for _, kind := range kinds(t) {
		inputs = append(inputs, input(kind, render(t, request{kind: kind, campaign: "welcome", seed: seed, profiles: profiles})))
	}
	return inputs
}

func input(name string, data []byte) check.Input {
	return check.Input{Name: name, Reader: bytes.NewReader(data)}
}

// run checks files and returns what was found.
func run(t testing.TB, inputs []check.Input, options check.Options) ([]check.Finding, check.Summary) {
	t.Helper()
	if options.Now.IsZero() {
		options.Now = noon
	}
	if options.Directory == "" {
		options.Directory = t.TempDir()
	}
	var findings []check.Finding
	summary := must.Get(check.Files(t.Context(), library(t), inputs, options, func(f check.Finding) bool {
		findings = append(findings, f)
		return true
	}))(t)
	return findings, summary
}

// clean fails a test that found anything.
func clean(t testing.TB, findings []check.Finding, about string) {
	t.Helper()
	for i, found := range findings {
		if i == 5 {
			t.Errorf("%s: and %d more", about, len(findings)-i)
			return
		}
		t.Errorf("%s: %s", about, found)
	}
}

// outcomes lists what became of the rules, by outcome.
func outcomes(summary check.Summary, outcome string) (rules []string) {
	for _, verdict := range summary.Rules {
		if verdict.Outcome == outcome {
			rules = append(rules, verdict.Rule)
		}
	}
	return rules
}

// TestGoodFiles checks that files of one world, of every kind, break no rule, and that every rule is really checked on them.
func TestGoodFiles(t *testing.T) {
	for _, world := range []struct {
		seed     uint64
		profiles int64
	}{{0, 300}, {18446744073709551615, 100}, {7, 1}, {8, 13}} {
		t.Run(fmt.Sprintf("seed %d of %d", world.seed, world.profiles), func(t *testing.T) {
			inputs := everything(t, world.seed, world.profiles)
			findings, summary := run(t, inputs, check.Options{})
			clean(t, findings, "good files")
			if world.profiles < 300 {
				return
			}
			got := outcomes(summary, check.NotCheckable)
			if want := []string{"window", "tiling"}; !slices.Equal(got, want) {
				t.Errorf("not checkable are %s, want %s", strings.Join(got, ", "), strings.Join(want, ", "))
			}
		})
	}
}
