package learn

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Learned is a world that resembles a base.
type Learned struct {
	// Least is how many people share at least whatever is in it.
	Least int64
	// Left says, by name, why something was not learned.
	Left map[string]string

	base, shown *base
	draft       *draft
	schemas     map[string][]byte
	comparisons []report.Comparison
}

func (l *Learned) leave(name, why string, arguments ...any) {
	if l.Left == nil {
		l.Left = map[string]string{}
	}
	l.Left[name] = fmt.Sprintf(why, arguments...)
}

// Schemas are the schema files that the world needs, by name: an overlay, with what was in the one that was given.
func (l *Learned) Schemas() map[string][]byte { return maps.Clone(l.schemas) }

// judge compares the base with the world that was learned.
func (l *Learned) judge() {
	l.comparisons = compare(l.base, l.shown, l.Least, func(name string) bool {
		_, share := l.draft.shares[name]
		_, duration := l.draft.durations[name]
		return share || duration || l.draft.unlike.sets(name) || (name == lateRows || name == lateAge) && l.draft.timing.late.Share > 0 || name == localSending && l.draft.timing.local != nil ||
			l.draft.values[columnOf(name)] != nil || l.draft.weights[name] != nil && (name == appHours || name == appWeekdays) ||
			name == createdCells && l.draft.growth != nil || name == messagesCells && l.draft.weekly != nil
	})
}

// Comparisons are those of what at least so many people contribute to.
func (l *Learned) Comparisons() []report.Comparison { return slices.Clone(l.comparisons) }

// compare compares what was counted of two bases.
func compare(a, b *base, least int64, set func(name string) bool) []report.Comparison {
	shares := slices.DeleteFunc(slices.Sorted(maps.Keys(a.shares)), func(name string) bool {
		s, other := a.share(name), b.share(name)
		return s.with < least || s.without < least || other.n == 0
	})
	durations := slices.DeleteFunc(slices.Sorted(maps.Keys(a.durations)), func(name string) bool {
		of, other := a.durations[name], b.durations[name]
		return other == nil || of.contributing < manyDurations*least || other.contributing == 0
	})
	kept := slices.DeleteFunc(slices.Sorted(maps.Keys(a.cells)), func(name string) bool {
		of, other := a.cells[name], b.cells[name]
		return other == nil || of.contributing < least || other.contributing == 0 || of.covered(least) < mostCovered
	})
	drawn := slices.DeleteFunc(slices.Sorted(maps.Keys(a.said.values)), func(name string) bool {
		other := b.said.values[name]
		return other == nil || other.contributing == 0 || len(a.said.values[name].shared(least)) < 2
	})
	spreads := slices.DeleteFunc(world.QualityChannels(), func(channel string) bool {
		return min(len(a.spreadOf(channel, least).logs), len(b.spreadOf(channel, least).logs)) < fewestSenders
	})
	level := report.FamilyLevel / float64(max(len(shares)+len(durations)+len(kept)+len(drawn)+len(spreads)+1, 1))
	var list []report.Comparison
	for _, name := range shares {
		list = append(list, compareShares(name, a.share(name), b.share(name), report.Deviations(level), set(name)))
	}
	for _, name := range durations {
		list = append(list, compareDurations(name, a.durations[name], b.durations[name], level, set(name)))
	}
	for _, name := range kept {
		list = append(list, compareCells(name, a.cells[name], b.cells[name], least, set(name)))
	}
	list = append(list, compareClocks(a, b, least, report.Deviations(level), set(localSending))...)
	for _, channel := range spreads {
		list = append(list, compareSpreads(channel, a.spreadOf(channel, least), b.spreadOf(channel, least), report.Deviations(level), set(qualityOf+channel)))
	}
	for _, name := range drawn {
		list = append(list, compareValues(name, a.said.values[name], b.said.values[name], least, report.Deviations(level), set(name)))
	}
	for _, name := range slices.Sorted(maps.Keys(a.said.attributes)) {
		if c, is := compareAttributes(name, a.said.attributes[name], b.said.attributes[name], least); is {
			list = append(list, c)
		}
	}
	return list
}

// compareShares: the difference of two shares is within the sum of their intervals, in the manner of Newcombe.
func compareShares(name string, a, b *share, z float64, set bool) report.Comparison {
	p, q := a.rate(), b.rate()
	low, high := report.Interval(p, a.effective(), z)
	lowest, highest := report.Interval(q, b.effective(), z)
	made := report.Comparison{Name: name, Measure: report.MeasureShare, Base: report.Rounded(p), World: report.Rounded(q), Low: report.Rounded(low), High: report.Rounded(high), People: report.Roughly(a.people), Set: set}
	bound := math.Hypot(p-low, highest-q)
	if q > p {
		bound = math.Hypot(high-p, q-lowest)
	}
	return made.Judged(math.Abs(p-q), bound/z*math.Sqrt(2/math.Pi), bound)
}

// compareDurations: Kolmogorov and Smirnov. What one person does is alike, so people count, and not rows.
func compareDurations(name string, a, b *cells, level float64, set bool) report.Comparison {
	size := math.Sqrt(1/float64(a.contributing) + 1/float64(b.contributing))
	made := report.Comparison{Name: name, Measure: report.KolmogorovSmirnov, Base: report.Rounded(a.quantile(0.5)), World: report.Rounded(b.quantile(0.5)), People: report.Roughly(a.contributing), Set: set}
	distance, upA, upB := 0.0, 0.0, 0.0
	for cell := range a.counts {
		upA, upB = upA+float64(a.counts[cell])/a.all(), upB+float64(b.counts[cell])/b.all()
		distance = max(distance, math.Abs(upA-upB))
	}
	const average = 0.8687 // of the distribution of Kolmogorov
	return made.Judged(distance, average*size, math.Sqrt(-math.Log(level/2)/2)*size)
}

// compareCells: total variation, of the cells that enough people share. The bound is three times what chance makes on average.
func compareCells(name string, a, b *cells, least int64, set bool) report.Comparison {
	made := report.Comparison{Name: name, Measure: report.TotalVariation, People: report.Roughly(a.contributing), Set: set}
	distance, floor := variation(a, b, least)
	return made.Judged(distance, floor, 3*floor)
}

// variation is the total variation of cells, of those that enough people share, and what it is on average by chance.
func variation(a, b *cells, least int64) (distance, floor float64) {
	size, all := 1/float64(a.contributing)+1/float64(b.contributing), 0.0
	p := a.shares(least)
	for cell := range p {
		if p[cell] > 0 {
			all += float64(b.counts[cell])
		}
	}
	for cell := range p {
		if p[cell] > 0 {
			distance += math.Abs(p[cell]-float64(b.counts[cell])/max(all, 1)) / 2
			floor += math.Sqrt(p[cell] * (1 - p[cell]) / (2 * math.Pi) * size)
		}
	}
	return distance, floor
}

func (c *cells) all() float64 {
	sum := int64(0)
	for _, count := range c.counts {
		sum += count
	}
	return float64(max(sum, 1))
}

// YAML is the file of settings; schemas is the path from it to the directory of the schema files of the world, "" for none.
func (l *Learned) YAML(schemas string) []byte {
	var out bytes.Buffer
	d := l.draft
	fmt.Fprintf(&out, report.Header+"; nothing in it is shared by fewer than %d people.\n", l.Least)
	fmt.Fprintf(&out, "# mockserver serve --config FILE, generate --config FILE; --profiles on the command line makes it larger or smaller.\n")
	fmt.Fprintf(&out, "profiles: %d\n", d.profiles)
	s := d.settings()
	for _, each := range []struct {
		name  string
		value *float64
	}{
		{pushOnly, s.PushOnly}, {emailOnly, s.EmailOnly}, {sms, s.SMS}, {pushOptIn, s.PushOptIn}, {emailOptIn, s.EmailOptIn}, {smsOptIn, s.SMSOptIn}, {"growth", s.Growth},
		{localSending, s.LocalSending},
	} {
		if each.value != nil {
			fmt.Fprintf(&out, "%s: %v\n", each.name, *each.value)
		}
	}
	if s.Campaigns != nil {
		fmt.Fprintf(&out, "campaigns: %d\n", *s.Campaigns)
	}
	if s.WeeklyMessages != nil {
		fmt.Fprintf(&out, "weekly-messages: %v\n", *s.WeeklyMessages)
	}
	for _, name := range slices.Sorted(maps.Keys(d.weights)) {
		fmt.Fprintf(&out, "%s: %s\n", name, quoted(strings.Trim(strings.ReplaceAll(fmt.Sprint(d.weights[name]), " ", ", "), "[]")))
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
	fmt.Fprint(&out, d.yamlOfUnlike())
	if len(s.Weights) > 0 {
		fmt.Fprintln(&out, "weight:")
		for _, column := range slices.Sorted(maps.Keys(s.Weights)) {
			fmt.Fprintf(&out, "  %s: %s\n", column, quoted(world.FormatWeights(s.Weights[column])))
		}
	}
	l.yamlOfCommands(&out, schemas)
	if len(l.Left) > 0 {
		fmt.Fprintln(&out, "# Not learned, so as usual:")
		alike := map[string][]string{} // by reason
		for _, name := range slices.Sorted(maps.Keys(l.Left)) {
			alike[l.Left[name]] = append(alike[l.Left[name]], name)
		}
		for _, why := range slices.Sorted(maps.Keys(alike)) {
			fmt.Fprintf(&out, "#   %s: %s\n", strings.Join(alike[why], ", "), why)
		}
	}
	return out.Bytes()
}

// yamlOfCommands is what settings of single commands say.
func (l *Learned) yamlOfCommands(out io.Writer, schemas string) {
	if schemas != "" {
		fmt.Fprintf(out, "# Schema files that say what no setting does; the path begins where this file is.\n")
	}
	scenario := ""
	if arrives := l.draft.arrival(); !arrives.IsZero() {
		scenario = arrives.String()
	}
	for _, command := range []string{"serve", "generate"} {
		var lines []string
		if schemas != "" {
			lines = append(lines, "schemas: "+quoted(schemas))
		}
		if scenario != "" && command == "serve" { // the other has no flag for all of it
			lines = append(lines, "scenario: "+quoted(scenario))
		} else if late := l.draft.timing.late; late.Share > 0 {
			lines = append(lines, "arrival: "+quoted("late:"+late.String()))
		}
		if len(lines) > 0 {
			fmt.Fprintf(out, "%s:\n  %s\n", command, strings.Join(lines, "\n  "))
		}
	}
}

// quoted is a text as YAML, of which JSON is a part.
func quoted(text string) string { return fmt.Sprintf("%q", text) }

// Print says what was read and learned, in lines.
func (l *Learned) Print(out io.Writer) error {
	outside := 0
	for _, c := range l.comparisons {
		if c.Set && !c.Within {
			outside++
			fmt.Fprintf(out, "%s: the world is %v from the base (%s), at most %v was expected\n", c.Name, c.Distance, c.Measure, c.Bound)
		}
	}
	_, err := fmt.Fprintf(out, "learned %d settings of %v people; %d left as usual; %d of %d comparisons outside of their bounds\n",
		len(l.draft.shares)+len(l.draft.durations)+len(l.draft.timing.spreads)+len(l.draft.single()), report.Significant(float64(l.base.people), 2), len(l.Left), outside, len(l.comparisons))
	return err
}
