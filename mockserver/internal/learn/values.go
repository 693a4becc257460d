package learn

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// values are those of a column that the world draws from a list: how often each comes, and how many people have it.
type values struct {
	places map[string]int
	more   int64 // how often values came that are beyond the most that are looked at
	cells
}

// add counts a value of a person.
func (v *values) add(value string, person int64) {
	at, known := v.places[value]
	if !known {
		if len(v.places) >= mostValues {
			v.more++
			return
		}
		at = len(v.places)
		v.places[value] = at
		v.counts, v.people, v.last = append(v.counts, 0), append(v.people, 0), append(v.last, 0)
	}
	v.cells.add(at, person)
}

// all is how often there was any value.
func (v *values) all() float64 { return v.cells.all() + float64(v.more) }

// shared are the values that at least so many people have, in order.
func (v *values) shared(least int64) (list []string) {
	for _, value := range slices.Sorted(maps.Keys(v.places)) {
		if v.people[v.places[value]] >= least {
			list = append(list, value)
		}
	}
	return list
}

// among are the cells of some values, in their order.
func (v *values) among(list []string) *cells {
	made := newCells(len(list))
	made.contributing = v.contributing
	for i, value := range list {
		if at, known := v.places[value]; known {
			made.counts[i], made.people[i] = v.counts[at], v.people[at]
		}
	}
	return &made
}

// homes is the share of the people who live where the world has places, among those of whom files tell where they live.
const homes = "people who live where the world has places"

// kindSeparator is between a column and what its values stand beside each other for: the codes of a channel and a kind of bounces.
const kindSeparator = " of "

// columnOf is the column of a name of values.
func columnOf(name string) string {
	column, _, _ := strings.Cut(name, kindSeparator)
	return column
}

// addValue counts a value of a column; "" is none.
func (b *base) addValue(name, value string, p *person) {
	if value == "" {
		return
	}
	if b.said.values[name] == nil {
		b.said.values[name] = &values{places: map[string]int{}}
	}
	b.said.values[name].add(value, p.number)
}

// orOther is a value, or what stands for all others.
func orOther(value, drawn string) string {
	if value == "" || value == drawn {
		return value
	}
	return world.OtherWeight
}

// countValues counts the values of a person that the world draws from a list.
func (b *base) countValues(p *person) {
	for _, each := range p.installations {
		b.addValue(world.WeightPlatform, each.Platform, p)
		b.addValue(world.WeightSmartSegment, orOther(each.SmartSegment, "migrated"), p)
	}
	if its := p.profile; its != nil {
		b.addValue(world.WeightMailboxProvider, its.MailboxProvider, p)
		if its.Region+its.Timezone+its.Language != "" {
			lives := world.Lives(its.Region, its.Timezone, its.Language)
			if b.share(homes).add(flag(lives), 1); lives { // of others, nobody can live in the world
				b.addValue(world.WeightRegion, its.Region, p)
				b.addValue(world.WeightTimezone, its.Timezone, p)
				b.addValue(world.WeightLanguage, its.Language, p)
			}
		}
	}
	for _, e := range p.events {
		b.addValue(world.WeightCTA, e.drawn.CTA, p)
		b.addValue(world.WeightMessageLanguage, orOther(e.drawn.MessageLanguage, "default"), p)
		if e.drawn.BounceCode != "" {
			channel, _, _ := strings.Cut(e.Type, "_")
			b.addValue(strings.TrimSpace(world.WeightBounceCode+kindSeparator+e.drawn.BounceType+" "+channel), e.drawn.BounceCode, p)
		}
		for name, number := range map[string]*int64{world.WeightCTAPosition: e.drawn.CTAPosition, world.WeightSMSParts: e.drawn.SMSParts} {
			if number != nil {
				b.addValue(name, strconv.FormatInt(*number, 10), p)
			}
		}
	}
}

// beginValues takes what was counted of values for their weights: each is drawn by itself, so nothing biases it.
func (l *Learned) beginValues(d *draft) {
	b := l.base
	for _, column := range world.WeightColumns() {
		counts, all, people := map[string]int64{}, 0.0, int64(0)
		for name, v := range b.said.values {
			if columnOf(name) != column {
				continue
			}
			all, people = all+v.all(), max(people, v.contributing)
			for _, value := range v.shared(l.Least) {
				if world.CheckWeighted(column, value) == "" {
					counts[value] += v.counts[v.places[value]]
				}
			}
		}
		weights, some := thousandths(counts)
		switch {
		case len(weights) == 0:
			l.leave(column, "the files do not show a value that %d people share and the world can have", l.Least)
		case some < mostCovered*all, some < all && people < manyPeople*l.Least:
			l.leave(column, "too many of its values are shared by fewer than %d people, or are none that the world can have", l.Least)
		default:
			d.values[column] = weights
		}
	}
	l.agree(d)
	if s := b.share(homes); s.without >= l.Least && s.with >= l.Least {
		l.leave("other regions, time zones and languages", "%.0f %% of the people live where the world has no places, since no telephone numbers are reserved there; it has the others alone", 100*(1-s.rate()))
	}
}

// thousandths are weights of values, in thousandths of that of the most frequent one, and how often those come.
func thousandths(counts map[string]int64) (weights map[string]int, some float64) {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return int(min(max(counts[b]-counts[a], -1), 1))
		}
		return strings.Compare(a, b)
	})
	weights = map[string]int{}
	for _, name := range names[:min(len(names), world.MaxWeighted)] {
		weights[name] = max(int(math.Round(float64(counts[name])/float64(counts[names[0]])*world.MaxWeight)), 1)
		some += float64(counts[name])
	}
	return weights, some
}

// agree leaves what weights of places cannot say beside each other: of many people not everything is known.
func (l *Learned) agree(d *draft) {
	for _, column := range []string{world.WeightLanguage, world.WeightTimezone} {
		if (world.Settings{Weights: d.values}).Check() == nil {
			return
		}
		if d.values[column] != nil {
			delete(d.values, column)
			l.leave(column, "with that of the regions it cannot be true in the world")
		}
	}
}

// compareValues compares the values that enough people share: total variation. Few values vary as a share does: the bound is so many
// deviations of the least certain of the sums of values above what chance makes on average.
func compareValues(name string, a, b *values, least int64, z float64, set bool) report.Comparison {
	list := a.shared(least)
	of, other := a.among(list), b.among(list)
	distance, floor := variation(of, other, 0)
	size, variance := 1/float64(max(a.contributing, 1))+1/float64(max(b.contributing, 1)), 0.0
	for _, part := range of.shares(0) {
		variance += part * (1 - part) / 2
	}
	made := report.Comparison{Name: name, Measure: report.TotalVariation, People: report.Roughly(a.contributing), Set: set}
	return made.Judged(distance, floor, floor+z*math.Sqrt(min(variance, 0.25)*size))
}
