package learn

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Report is what was learned.
func (l *Learned) Report() report.Report {
	made := report.Report{Least: l.Least, People: report.Roughly(l.base.people), Left: l.Left, Comparisons: l.Comparisons()}
	for _, kind := range l.base.kinds() {
		its := report.Files{Kind: kind}
		for _, file := range l.base.files {
			if file.Kind == kind && file.Rows > 0 {
				its.Files, its.Rows = its.Files+1, its.Rows+file.Rows
			}
		}
		its.Rows = report.Roughly(its.Rows)
		made.Files = append(made.Files, its)
	}
	made.Settings = l.settings()
	for _, name := range slices.Sorted(maps.Keys(l.base.cells)) {
		plot(&made, name, labelsOf(name), l.base.cells[name], l.shown.cells[name])
	}
	for _, name := range slices.Sorted(maps.Keys(l.base.said.values)) {
		if list := l.base.said.values[name].shared(l.Least); len(list) > 1 {
			world := &cells{counts: make([]int64, len(list)), people: make([]int64, len(list))}
			if l.shown.said.values[name] != nil {
				world = l.shown.said.values[name].among(list)
			}
			plot(&made, name, list, l.base.said.values[name].among(list), world)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.base.octaves)) {
		plot(&made, name, report.Octaves(octaves), l.base.octaves[name], l.shown.octaves[name])
	}
	for _, channel := range l.base.channels() {
		made.AddRanks(channel+": messages that people answered, by orchestration", l.base.answered(channel, l.Least), l.shown.answered(channel, l.Least))
	}
	return made
}

// settings are those that were learned, and what the schema files say instead.
func (l *Learned) settings() (list []report.Setting) {
	section := ""
	for line := range strings.Lines(string(l.YAML(""))) {
		name, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		if !strings.HasPrefix(name, " ") {
			section = name
		}
		if name, is := strings.CutPrefix(name, "  "); is && section == "serve" {
			list = append(list, report.Setting{Name: name, Value: strings.Trim(value, ` "`)})
		} else if is {
			list = append(list, report.Setting{Name: section + " of " + name, Value: strings.Trim(value, ` "`)})
		} else if found && !strings.HasPrefix(name, "#") && value != "" {
			list = append(list, report.Setting{Name: name, Value: strings.TrimSpace(value)})
		}
	}
	for _, change := range l.draft.schemaChanges() {
		value := fmt.Sprint(change.number)
		if change.duration {
			value = (time.Duration(change.number) * time.Second).String()
		}
		list = append(list, report.Setting{Name: strings.TrimSpace(change.event + " " + strings.TrimSpace(change.part+" "+change.member)), Value: value})
	}
	for _, name := range l.base.attributeNames(l.Least) {
		says, _ := l.base.said.attributes[name].schema(l.Least, l.base.profiles)
		list = append(list, report.Setting{Name: "attribute " + name, Value: says})
	}
	return list
}

// plot adds a plot of cells.
func plot(r *report.Report, name string, labels []string, base, world *cells) {
	if world == nil {
		world = &cells{counts: make([]int64, len(labels)), people: make([]int64, len(labels))}
	}
	r.AddPlot(report.Plot{Name: name, Labels: labels, Base: shown(base, r.Least), World: shown(world, r.Least)})
}

func shown(c *cells, least int64) []*float64 {
	made := make([]*float64, len(c.counts))
	for i, part := range c.shares(least) {
		if c.people[i] >= least {
			value := report.Rounded(part)
			made[i] = &value
		}
	}
	return made
}

// channels are those of which orchestrations are told.
func (b *base) channels() (list []string) {
	for name := range b.senders {
		if channel, _, _ := strings.Cut(name, " "); !slices.Contains(list, channel) {
			list = append(list, channel)
		}
	}
	slices.Sort(list)
	return list
}

// answered are the parts of the messages of orchestrations that people answered, from the lowest on.
func (b *base) answered(channel string, least int64) (list []float64) {
	for name, its := range b.senders {
		if strings.HasPrefix(name, channel+" ") && its.with >= least && its.without >= least {
			list = append(list, report.Rounded(its.rate()))
		}
	}
	slices.Sort(list)
	return list
}

func labelsOf(name string) []string {
	switch {
	case name == sendHours, name == appHours, name == sendHours+onTheSpot:
		return report.Numbers(0, world.HoursOfDay)
	case name == sendWeekdays, name == appWeekdays, name == sendWeekdays+onTheSpot:
		return []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
	case name == createdCells:
		return report.Numbers(firstYear, createdYears)
	}
	return report.Powers(mostMessages)
}
