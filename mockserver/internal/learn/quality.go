package learn

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// How campaigns differ is learned from those that enough people answered, and enough did not: by how much the logarithms of their rates
// vary beyond what the number of their messages makes by chance, and beyond what new designs and tests of variants make in any world.

// The name of the quality of the campaigns of a channel, and how many campaigns it is learned of at least.
const (
	qualityOf     = "campaign-quality of "
	fewestSenders = 3
)

// designVariance is that of the logarithms of the rates of campaigns of the world that have the same quality. Push messages, which people
// open in the app, have tests of variants alone.
func designVariance(channel string) float64 {
	if channel == "push" {
		return 0.01
	}
	return 0.02
}

// spread is how the campaigns of a channel differ.
type spread struct {
	logs   []float64 // of their rates against the mean, rising
	mean   float64
	chance float64 // what the variance of the logarithms would be by chance
	design float64 // and by designs
	people int64
}

func (b *base) spreadOf(channel string, least int64) (made spread) {
	for _, name := range slices.Sorted(maps.Keys(b.senders)) { // chance is a sum of fractions
		its := b.senders[name]
		if !strings.HasPrefix(name, channel+" ") || its.with < least || its.without < least {
			continue
		}
		made.logs = append(made.logs, math.Log(its.rate()))
		made.chance += (1 - its.rate()) / (its.rate() * its.effective())
		made.people = max(made.people, its.people)
	}
	slices.Sort(made.logs)
	made.design = designVariance(channel)
	count := float64(max(len(made.logs), 1))
	made.chance /= count
	for _, each := range made.logs {
		made.mean += each / count
	}
	return made
}

// variance is that of the logarithms, beyond chance.
func (s *spread) variance() (beyond float64) {
	for _, each := range s.logs {
		beyond += (each - s.mean) * (each - s.mean) / float64(max(len(s.logs)-1, 1))
	}
	return max(beyond-s.chance, 0)
}

// uncertainty is the variance of the square root of the variance: campaigns keep their quality, and vary by chance and by their designs.
func (s *spread) uncertainty() float64 {
	noise, count := s.chance+s.design, float64(max(len(s.logs), 1))
	return noise/count + noise*noise/(2*count*max(s.variance(), noise))
}

// beginQuality takes the rates of campaigns for their quality.
func (l *Learned) beginQuality(d *draft) {
	for _, channel := range world.QualityChannels() {
		s := l.base.spreadOf(channel, l.Least)
		if len(s.logs) < fewestSenders {
			l.leave(qualityOf+channel, "the files do not show %d orchestrations that %d people answered, and as many did not", fewestSenders, l.Least)
			continue
		}
		part := math.Sqrt(max(s.variance()-s.design, 0) / max(s.variance()+s.chance, 1e-9))
		d.unlike.quality[channel] = fitting(channel, s.factors(part))
	}
}

// factors are the rates, with a part of their differences.
func (s *spread) factors(part float64) (list []float64) {
	for i := range min(len(s.logs), world.MaxQualities) {
		at := s.logs[i*len(s.logs)/min(len(s.logs), world.MaxQualities)]
		list = append(list, math.Exp((at-s.mean)*part))
	}
	return list
}

// correctQuality moves the factors apart, or together, by a quarter of what those of the world on trial showed: its designs move them
// by chance as well, the same ones in each trial.
func (d *draft) correctQuality(wanted, shown *base, least int64) {
	for channel, factors := range d.unlike.quality {
		aim, got := wanted.spreadOf(channel, least), shown.spreadOf(channel, least)
		beyond := max(aim.variance()-aim.design, 0)
		if len(got.logs) < fewestSenders || beyond == 0 {
			continue
		}
		power := math.Pow(beyond/max(got.variance()-got.design, beyond/16), 1.0/8)
		for i, factor := range factors {
			factors[i] = math.Pow(factor, power)
		}
		d.unlike.quality[channel] = fitting(channel, factors)
	}
}

// roundQuality leaves three digits, of factors that the world can have.
func (d *draft) roundQuality() {
	for channel, factors := range d.unlike.quality {
		d.unlike.quality[channel] = fitting(channel, factors)
	}
}

// fitting are factors with three digits, as far apart as those of a world can be.
func fitting(channel string, factors []float64) []float64 {
	for part := 1.0; ; part -= 0.05 {
		made := make([]float64, len(factors))
		for i, factor := range factors {
			made[i] = report.Rounded(math.Pow(factor, max(part, 0)))
		}
		if part <= 0 || (world.Settings{CampaignQuality: map[string][]float64{channel: made}}).Check() == nil {
			return made
		}
	}
}

// compareSpreads: the difference of the standard deviations of the logarithms of the rates of campaigns, beyond chance.
func compareSpreads(channel string, a, b spread, z float64, set bool) report.Comparison {
	of, other := math.Sqrt(a.variance()), math.Sqrt(b.variance())
	deviation := math.Sqrt(a.uncertainty() + b.uncertainty())
	made := report.Comparison{Name: qualityOf + channel, Measure: report.MeasureSpread, Base: report.Rounded(of), World: report.Rounded(other), People: report.Roughly(a.people), Set: set}
	return made.Judged(math.Abs(of-other), deviation*math.Sqrt(2/math.Pi), z*deviation)
}

// yamlOfUnlike is what settings say of how campaigns differ, and of what changes.
func (d *draft) yamlOfUnlike() string {
	var out strings.Builder
	section := func(name string, keys []string, value func(key string) string) {
		for i, key := range keys {
			if i == 0 {
				fmt.Fprintf(&out, "%s:\n", name)
			}
			fmt.Fprintf(&out, "  %s: %s\n", key, value(key))
		}
	}
	section("campaign-quality", slices.Sorted(maps.Keys(d.unlike.quality)), func(channel string) string {
		return quoted(world.FormatQuality(d.unlike.quality[channel]))
	})
	section("change", slices.Sorted(maps.Keys(d.unlike.changes)), func(what string) string { return fmt.Sprint(d.unlike.changes[what]) })
	if d.unlike.byMessage != nil {
		fmt.Fprintf(&out, "ends-by-message: %v\n", *d.unlike.byMessage)
	}
	return out.String()
}
