package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Files of the simulated world, of every kind, break no rule, whatever its settings are, and nearly every rule is checked on them.
func TestSimulatedFilesAreCoherent(t *testing.T) {
	draws := rand.New(rand.NewPCG(testlevel.Seed(t), 1))
	share := func() *float64 { value := draws.Float64(); return &value }
	low := func() *float64 { value := draws.Float64() / 4; return &value }
	checked, textures := map[string]bool{}, texture.Levels()
	worlds := testlevel.Count(2, 6, 60)
	for nth := range worlds {
		r := request{
			campaign: "spring", seed: draws.Uint64(), profiles: 200 + draws.Int64N(400),
			texture: textures[draws.IntN(len(textures))], now: noon.AddDate(0, draws.IntN(24)-12, draws.IntN(30)),
		}
		r.from, r.to = r.now.AddDate(0, 0, -90), r.now
		if nth > 0 {
			messages := draws.Float64() * 12
			r.settings = world.Settings{
				Growth: share(), PushOnly: low(), EmailOnly: low(), SMS: low(), PushOptIn: share(), EmailOptIn: share(), SMSOptIn: share(),
				WeeklyMessages: &messages, Regions: map[string]float64{"GB": 1 + float64(draws.IntN(9)), "AU": 1, "US": float64(draws.IntN(3))},
			}
			r.orchestrations = 1 + draws.IntN(50)
		}
		about := fmt.Sprintf("seed %d of %d on %s, settings %d", r.seed, r.profiles, r.now, nth)
		var inputs []check.Input
		for _, kind := range kinds(t) {
			r.kind = kind
			inputs = append(inputs, input(kind, render(t, r)))
		}
		// A second window of each kind of events, exported earlier, tells the same.
		r.to, r.now = r.to.AddDate(0, 0, -9).Add(time.Duration(draws.IntN(86400))*time.Second), r.now.AddDate(0, 0, -8)
		for _, kind := range []string{"profiles.events", "profiles.reachability", "reachability.events"} {
			r.kind = kind
			inputs = append(inputs, input("earlier "+kind, render(t, r)))
		}
		findings, summary := run(t, inputs, check.Options{Now: noon.AddDate(2, 0, 0)})
		clean(t, findings, about)
		for _, verdict := range summary.Rules {
			checked[verdict.Rule] = checked[verdict.Rule] || verdict.Outcome != check.NotCheckable
		}
	}
	for _, rule := range []string{
		"tiling", "latest", "unsubscribed", "ended", "sendings", "starts", "consent", "change", "projection", "link", "contact",
	} {
		if !checked[rule] && worlds > 2 { // two worlds may have nobody whom a rule is about
			t.Errorf("rule %s was not checked", rule)
		}
	}
	must.Hold(t, len(checked) != 0 && !slices.Contains(kinds(t), ""), "nothing was checked")
}
