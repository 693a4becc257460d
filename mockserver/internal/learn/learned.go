package learn

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
)

// Learned is a world that resembles a base.
type Learned struct {
	// Least is how many people share at least whatever is in it.
	Least int64
	// Left says, by name, why something was not learned.
	Left map[string]string

	base, shown *base
	draft       *draft
	bench       *amend.Bench
	comparisons []Comparison
}

func (l *Learned) leave(name, why string, arguments ...any) {
	if l.Left == nil {
		l.Left = map[string]string{}
	}
	l.Left[name] = fmt.Sprintf(why, arguments...)
}

// Schemas are the schema files that the world needs, by name: an overlay.
func (l *Learned) Schemas() map[string][]byte { return l.bench.Files() }

// Comparison is a number of the base beside that of the learned world.
type Comparison struct {
	Name string `json:"name"`
	// Measure is share, or the distance: ks (Kolmogorov and Smirnov) or tvd (total variation).
	Measure string  `json:"measure"`
	Base    float64 `json:"base,omitempty"`
	World   float64 `json:"world,omitempty"`
	Low     float64 `json:"low,omitempty"` // of a share in the base: its interval
	High    float64 `json:"high,omitempty"`
	// Distance is that between the base and the world; Floor what two samples of one world of these sizes have, and Bound what is
	// accepted.
	Distance float64 `json:"distance"`
	Floor    float64 `json:"floor"`
	Bound    float64 `json:"bound"`
	People   int64   `json:"people"` // of the base, rounded
	// Set tells whether a setting determines it. What no setting does is shown, and not judged.
	Set    bool `json:"set"`
	Within bool `json:"within"`
}

// judge compares the base with the world that was learned.
func (l *Learned) judge() {
	l.comparisons = compare(l.base, l.shown, l.Least, func(name string) bool {
		_, share := l.draft.shares[name]
		_, duration := l.draft.durations[name]
		return share || duration
	})
}

// Comparisons are those of what at least so many people contribute to.
func (l *Learned) Comparisons() []Comparison { return slices.Clone(l.comparisons) }

// tolerance is by how many times a distance may be larger than chance alone makes it on average.
const tolerance = 3

// compare compares what was counted of two bases.
func compare(a, b *base, least int64, set func(name string) bool) []Comparison {
	var list []Comparison
	names := slices.Sorted(maps.Keys(a.shares))
	names = slices.DeleteFunc(names, func(name string) bool {
		s, other := a.share(name), b.share(name)
		return s.with < least || s.without < least || other.n == 0
	})
	z := deviations(len(names))
	for _, name := range names {
		list = append(list, compareShares(name, a.share(name), b.share(name), z, set(name)))
	}
	for _, name := range slices.Sorted(maps.Keys(a.durations)) {
		if of, other := a.durations[name], b.durations[name]; other != nil && of.contributing >= 2*least && other.contributing > 0 {
			list = append(list, compareDurations(name, of, other, least, set(name)))
		}
	}
	for what, each := range map[string][2]map[string]*cells{"hour": {a.times.byHour, b.times.byHour}, "weekday": {a.times.byWeekday, b.times.byWeekday}} {
		for _, name := range slices.Sorted(maps.Keys(each[0])) {
			if of, other := each[0][name], each[1][name]; other != nil && of.contributing >= least {
				list = append(list, compareCells(what+" "+name, of, other, least, set(what+" "+name)))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Comparison) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// compareShares: the difference of two shares is within the sum of their intervals, in the manner of Newcombe.
func compareShares(name string, a, b *share, z float64, set bool) Comparison {
	p, q := a.rate(), b.rate()
	low, high := interval(p, a.effective(), z)
	lowest, highest := interval(q, b.effective(), z)
	made := Comparison{Name: name, Measure: "share", Base: rounded(p), World: rounded(q), Low: rounded(low), High: rounded(high), People: int64(significant(float64(a.people), 2)), Set: set}
	made.Distance = rounded(math.Abs(p - q))
	bound := math.Hypot(p-low, highest-q)
	if q > p {
		bound = math.Hypot(high-p, q-lowest)
	}
	made.Bound, made.Floor = rounded(bound), rounded(bound/z)
	made.Within = math.Abs(p-q) <= bound
	return made
}

// compareDurations: Kolmogorov and Smirnov.
func compareDurations(name string, a, b *cells, least int64, set bool) Comparison {
	n, m := float64(a.contributing), float64(b.contributing)
	made := Comparison{Name: name, Measure: "ks", Base: rounded(a.quantile(0.5)), World: rounded(b.quantile(0.5)), People: int64(significant(n, 2)), Set: set}
	distance := 0.0
	upA, upB := 0.0, 0.0
	of, other := a.all(), b.all()
	for cell := range a.counts {
		upA, upB = upA+float64(a.counts[cell])/of, upB+float64(b.counts[cell])/other
		distance = max(distance, math.Abs(upA-upB))
	}
	floor := 1.358 * math.Sqrt((n+m)/(n*m))
	made.Distance, made.Floor, made.Bound = rounded(distance), rounded(floor), rounded(min(tolerance*floor, 1))
	made.Within = distance <= tolerance*floor
	return made
}

// compareCells: total variation.
func compareCells(name string, a, b *cells, least int64, set bool) Comparison {
	n, m := float64(a.contributing), float64(b.contributing)
	made := Comparison{Name: name, Measure: "tvd", People: int64(significant(n, 2)), Set: set}
	distance, floor := 0.0, 0.0
	p, q := a.shares(least), b.shares(least)
	for cell := range p {
		distance += math.Abs(p[cell]-q[cell]) / 2
		floor += math.Sqrt(p[cell] * (1 - p[cell]) / (2 * math.Pi) * (1/n + 1/m))
	}
	made.Distance, made.Floor, made.Bound = rounded(distance), rounded(floor), rounded(min(tolerance*floor, 1))
	made.Within = distance <= tolerance*floor
	return made
}

func (c *cells) all() float64 {
	sum := int64(0)
	for _, count := range c.counts {
		sum += count
	}
	return float64(max(sum, 1))
}

// YAML is the file of settings; schemas is the name of the directory in which the schema files of the world are, "" for none.
func (l *Learned) YAML(schemas string) []byte {
	var out bytes.Buffer
	d := l.draft
	fmt.Fprintf(&out, "# A world that resembles what export files told of; nothing in it is shared by fewer than %d people.\n", l.Least)
	fmt.Fprintf(&out, "# mockserver serve --config FILE, generate --config FILE; --profiles on the command line makes it larger or smaller.\n")
	fmt.Fprintf(&out, "profiles: %d\n", d.profiles)
	if schemas != "" {
		fmt.Fprintf(&out, "schemas: %s # delays, and what comes again; the path begins where the program is started\n", quoted(schemas))
	}
	s := d.settings()
	for _, each := range []struct {
		name  string
		value *float64
	}{
		{pushOnly, s.PushOnly}, {emailOnly, s.EmailOnly}, {sms, s.SMS}, {pushOptIn, s.PushOptIn}, {emailOptIn, s.EmailOptIn}, {smsOptIn, s.SMSOptIn}, {"growth", s.Growth},
	} {
		if each.value != nil {
			fmt.Fprintf(&out, "%s: %v\n", each.name, *each.value)
		}
	}
	if s.Campaigns != nil {
		fmt.Fprintf(&out, "campaigns: %d\n", *s.Campaigns)
	}
	if s.WeeklyMessages != nil {
		fmt.Fprintf(&out, "weekly-messages: %d\n", *s.WeeklyMessages)
	}
	if s.Texture != "" {
		fmt.Fprintf(&out, "texture: %s\n", s.Texture)
	}
	if len(s.Rates) > 0 {
		fmt.Fprintln(&out, "rate:")
		for _, event := range slices.Sorted(maps.Keys(s.Rates)) {
			fmt.Fprintf(&out, "  %s: %v\n", event, s.Rates[event])
		}
	}
	if len(l.Left) > 0 {
		fmt.Fprintln(&out, "# Not learned, so as usual:")
		for _, name := range slices.Sorted(maps.Keys(l.Left)) {
			fmt.Fprintf(&out, "#   %s: %s\n", name, l.Left[name])
		}
	}
	return out.Bytes()
}

// quoted is a text as YAML, of which JSON is a part.
func quoted(text string) string { return fmt.Sprintf("%q", text) }

// Print says what was read and learned, in lines.
func (l *Learned) Print(out io.Writer) error {
	outside := 0
	for _, c := range l.comparisons {
		if c.Set && !c.Within {
			outside++
			fmt.Fprintf(out, "%s: the world shows %v, the base %v\n", c.Name, c.World, c.Base)
		}
	}
	_, err := fmt.Fprintf(out, "learned %d settings of %v people; %d left as usual; %d of %d comparisons outside of their bounds\n",
		len(l.draft.shares)+len(l.draft.durations)+len(l.draft.single()), significant(float64(l.base.people), 2), len(l.Left), outside, len(l.comparisons))
	return err
}
