package learn

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// Report is what was learned, for people and for programs. It has nothing in it that fewer than Least people share.
type Report struct {
	Least       int64             `json:"least_people"`
	People      int64             `json:"people"` // roughly
	Files       []ReportedFiles   `json:"files"`
	Settings    []Setting         `json:"settings"`
	Left        map[string]string `json:"not_learned"`
	Comparisons []Comparison      `json:"comparisons"`
	Plots       []Plot            `json:"plots"`
}

// ReportedFiles are the files of a kind. Their names may be those of campaigns, and are not told.
type ReportedFiles struct {
	Kind  string `json:"kind"`
	Files int    `json:"files"`
	Rows  int64  `json:"rows"` // roughly
}

// Setting is one that was learned.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Plot compares parts of a whole in the base and in the world. A cell that too few people share is null.
type Plot struct {
	Name   string     `json:"name"`
	Labels []string   `json:"labels"`
	Base   []*float64 `json:"base"`
	World  []*float64 `json:"world"`
}

// Report is what was learned.
func (l *Learned) Report() Report {
	made := Report{Least: l.Least, People: roughly(l.base.people), Left: l.Left, Comparisons: l.Comparisons()}
	for _, kind := range l.base.kinds() {
		its := ReportedFiles{Kind: kind}
		for _, file := range l.base.files {
			if file.Kind == kind && file.Rows > 0 {
				its.Files, its.Rows = its.Files+1, its.Rows+file.Rows
			}
		}
		its.Rows = roughly(its.Rows)
		made.Files = append(made.Files, its)
	}
	made.Settings = l.settings()
	for _, name := range slices.Sorted(maps.Keys(l.base.cells)) {
		made.plot(name, labelsOf(name), l.base.cells[name], l.shown.cells[name])
	}
	for _, name := range slices.Sorted(maps.Keys(l.base.said.values)) {
		if list := l.base.said.values[name].shared(l.Least); len(list) > 1 {
			world := &cells{counts: make([]int64, len(list)), people: make([]int64, len(list))}
			if l.shown.said.values[name] != nil {
				world = l.shown.said.values[name].among(list)
			}
			made.plot(name, list, l.base.said.values[name].among(list), world)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.base.octaves)) {
		made.plot(name, octaveLabels(), l.base.octaves[name], l.shown.octaves[name])
	}
	for _, channel := range l.base.channels() {
		made.plotSenders(channel, l.base, l.shown)
	}
	return made
}

// settings are those that were learned, and what the schema files say instead.
func (l *Learned) settings() (list []Setting) {
	section := ""
	for line := range strings.Lines(string(l.YAML(""))) {
		name, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		if !strings.HasPrefix(name, " ") {
			section = name
		}
		if name, is := strings.CutPrefix(name, "  "); is && section == "serve" {
			list = append(list, Setting{name, strings.Trim(value, ` "`)})
		} else if is {
			list = append(list, Setting{section + " of " + name, strings.Trim(value, ` "`)})
		} else if found && !strings.HasPrefix(name, "#") && value != "" {
			list = append(list, Setting{name, strings.TrimSpace(value)})
		}
	}
	for _, change := range l.draft.schemaChanges() {
		value := fmt.Sprint(change.number)
		if change.duration {
			value = (time.Duration(change.number) * time.Second).String()
		}
		list = append(list, Setting{strings.TrimSpace(change.event + " " + strings.TrimSpace(change.part+" "+change.member)), value})
	}
	for _, name := range l.base.attributeNames(l.Least) {
		says, _ := l.base.said.attributes[name].schema(l.Least, l.base.profiles)
		list = append(list, Setting{"attribute " + name, says})
	}
	return list
}

// plot adds a plot if there is something to be seen: from the first to the last cell that enough people share.
func (r *Report) plot(name string, labels []string, base, world *cells) {
	if world == nil {
		world = &cells{counts: make([]int64, len(labels)), people: make([]int64, len(labels))}
	}
	made := Plot{Name: name, Labels: labels, Base: shown(base, r.Least), World: shown(world, r.Least)}
	isShown := func(i int) bool { return made.Base[i] != nil || made.World[i] != nil }
	first, last := 0, len(labels)
	for first < last && !isShown(first) {
		first++
	}
	for last > first && !isShown(last-1) {
		last--
	}
	if last == first {
		return
	}
	made.Labels, made.Base, made.World = made.Labels[first:last], made.Base[first:last], made.World[first:last]
	r.Plots = append(r.Plots, made)
}

func shown(c *cells, least int64) []*float64 {
	made := make([]*float64, len(c.counts))
	for i, part := range c.shares(least) {
		if c.people[i] >= least {
			value := rounded(part)
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
			list = append(list, rounded(its.rate()))
		}
	}
	slices.Sort(list)
	return list
}

// plotSenders compares how well orchestrations do, by rank: they have no names here.
func (r *Report) plotSenders(channel string, base, world *base) {
	a, b := base.answered(channel, r.Least), world.answered(channel, r.Least)
	if len(a) == 0 {
		return
	}
	made := Plot{Name: channel + ": messages that people answered, by orchestration"}
	at := func(list []float64, i, of int) *float64 { // the same rank among fewer or more
		if len(list) == 0 {
			return nil
		}
		return &list[i*len(list)/of]
	}
	for i := range a {
		made.Labels = append(made.Labels, fmt.Sprint(i+1))
		made.Base, made.World = append(made.Base, &a[i]), append(made.World, at(b, i, len(a)))
	}
	r.Plots = append(r.Plots, made)
}

func labelsOf(name string) (labels []string) {
	switch {
	case name == sendHours, name == appHours, name == sendHours+onTheSpot:
		for hour := range 24 {
			labels = append(labels, fmt.Sprint(hour))
		}
	case name == sendWeekdays, name == appWeekdays, name == sendWeekdays+onTheSpot:
		labels = []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
	case name == createdCells:
		for year := range createdYears {
			labels = append(labels, fmt.Sprint(firstYear+year))
		}
	default:
		labels = []string{"0", "1"}
		for power := 1; power < mostMessages-1; power++ {
			labels = append(labels, fmt.Sprint("≥", 1<<power))
		}
	}
	return labels
}

func octaveLabels() (labels []string) {
	for i := range octaves {
		labels = append(labels, "≤"+about(float64(int64(1)<<i)))
	}
	return labels
}

// about is a duration in seconds as a short text.
func about(seconds float64) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%.0fs", seconds)
	case seconds < 90*60:
		return fmt.Sprintf("%.0fm", seconds/60)
	case seconds < 36*3600:
		return fmt.Sprintf("%.0fh", seconds/3600)
	}
	return fmt.Sprintf("%.0fd", seconds/daySeconds)
}

// JSON writes the report for programs.
func (r *Report) JSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
