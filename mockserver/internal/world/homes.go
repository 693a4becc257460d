package world

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// homes are where people live: the telephone lines of the places, or, where weights say how many live where, as many lines
// in all, which are divided anew.
type homes struct {
	zoneEnds, mobileEnds [places.Zones]int64
	// begins are the first lines of those who speak the language of a minority in a place, and of the others; nil: lines are those of
	// the places.
	begins []int32
	lines  phoneLines // of the parts that blocks have
}

// placeColumns are the columns that say where somebody lives, and what they speak.
var placeColumns = [...]string{WeightRegion, WeightTimezone, WeightLanguage}

// livesIn is the value of such a column for those in a place who speak the language of a minority, and for the others; "": there are
// none.
func livesIn(place *places.Place, column string, minority bool) string {
	switch {
	case minority && place.Minority == "":
		return ""
	case column == WeightRegion:
		return place.Region
	case column == WeightTimezone:
		return place.TimeZone
	case minority:
		return place.Minority
	}
	return place.Language
}

// homes divides the lines so that every value of a column is as frequent as its weight says, and otherwise as alike to what is usual
// as can be: the parts are scaled to one column after the other, until all are true (iterative proportional fitting).
// See docs/explanation/world.md#where-do-people-live-when-weights-say-how-many
func (s Settings) homes() (homes, error) {
	var columns []margin
	for _, column := range placeColumns {
		if s.Weights[column] != nil {
			columns = append(columns, s.marginOf(column))
		}
	}
	if columns == nil {
		return homes{zoneEnds: places.ZoneEnds, mobileEnds: places.MobileEnds}, nil
	}
	parts := usualParts()
	last := math.Inf(1)
	for fitting := range mostFittings {
		worst, _, _ := worstOf(columns, parts)
		if worst < fitted || fitting >= leastFittings && worst > 0.99*last {
			break // weights are whole numbers, and need not agree to the last digit
		}
		last = worst
		for i := range columns {
			columns[i].scale(parts)
		}
	}
	if worst, column, value := worstOf(columns, parts); worst > tolerated {
		got := column.sums(parts)[slices.Index(column.values, value)]
		return homes{}, &SettingsError{Field: "Weights", Event: column.name, Reason: fmt.Sprintf(
			"cannot be true: it gives %q %.3g %% of all people, and by the other weights of where people live and what they speak it is %.3g %%; "+
				"give weights that agree, or only one of region, timezone and language",
			value, 100*column.wanted[slices.Index(column.values, value)], 100*got)}
	}
	return divided(parts), nil
}

// How often parts are scaled, when they are taken as true, and from which part of all on they are refused.
const (
	leastFittings, mostFittings = 10, 500

	fitted    = 1e-4
	tolerated = 0.02
)

// usualParts are, by place, which parts of all people live there and speak the language of a minority, and the others.
func usualParts() []float64 {
	parts := make([]float64, 2*len(places.All))
	for i := range places.All {
		lines := float64(linesAt(i)) / places.Lines
		if places.All[i].Minority != "" {
			parts[2*i] = lines / 8
		}
		parts[2*i+1] = lines - parts[2*i]
	}
	return parts
}

// linesAt is how many lines a place has.
func linesAt(place int) int64 {
	end := int64(places.Lines)
	if place+1 < len(places.All) {
		end = int64(places.All[place+1].FirstLine)
	}
	return end - int64(places.All[place].FirstLine)
}

// linesIn is how many lines a place has, as weights say.
func (h *homes) linesIn(place int) int64 {
	if h.begins == nil {
		return linesAt(place)
	}
	end := int64(usedLines)
	if 2*place+2 < len(h.begins) {
		end = int64(h.begins[2*place+2])
	}
	return max(end-int64(h.begins[2*place]), 0)
}

// margin is which part of all people each value of a column has to have.
type margin struct {
	name   string
	values []string
	wanted []float64
	of     []int // by part, the place of its value; -1: none
}

func (s Settings) marginOf(column string) margin {
	made := margin{name: column, values: weightedValues(column), of: make([]int, 2*len(places.All))}
	for _, value := range made.values {
		made.wanted = append(made.wanted, s.weightedPart(column, value))
	}
	for i := range made.of {
		made.of[i] = slices.Index(made.values, livesIn(&places.All[i/2], column, i%2 == 0))
	}
	return made
}

// sums are the parts that the values of the column have.
func (m *margin) sums(parts []float64) []float64 {
	sums := make([]float64, len(m.values))
	for i, part := range parts {
		if m.of[i] >= 0 {
			sums[m.of[i]] += part
		}
	}
	return sums
}

// scale makes the column true.
func (m *margin) scale(parts []float64) {
	sums := m.sums(parts)
	for i := range parts {
		if at := m.of[i]; at >= 0 && sums[at] > 0 {
			parts[i] *= m.wanted[at] / sums[at]
		}
	}
}

// worstOf is the value whose part is the furthest from what it has to be.
func worstOf(columns []margin, parts []float64) (worst float64, of *margin, value string) {
	for i := range columns {
		column := &columns[i]
		for at, sum := range column.sums(parts) {
			if off := math.Abs(sum - column.wanted[at]); off > worst {
				worst, of, value = off, column, column.values[at]
			}
		}
	}
	return worst, of, value
}

// divided gives every part its lines.
func divided(parts []float64) (made homes) {
	all, sum := 0.0, 0.0
	for _, part := range parts {
		all += part
	}
	for _, part := range parts {
		made.begins = append(made.begins, int32(math.Round(sum/all*usedLines)))
		sum += part
	}
	first := func(line int64) int64 { // of the place that has a line, or of the first one behind it
		at := sort.Search(len(places.All), func(i int) bool { return int64(places.All[i].FirstLine) >= line })
		if at == len(places.All) {
			return places.Lines
		}
		return int64(made.begins[2*at])
	}
	for zone := range places.Zones {
		made.zoneEnds[zone], made.mobileEnds[zone] = first(places.ZoneEnds[zone]), first(places.MobileEnds[zone])
	}
	return made
}

// zoneBegin is the first line of a time zone.
func (h *homes) zoneBegin(zone int) int64 {
	if zone == 0 {
		return 0
	}
	return h.zoneEnds[zone-1]
}

// mobileShare is the share of people whose number is that of a mobile telephone.
func (h *homes) mobileShare() float64 {
	lines := int64(0)
	for zone, end := range h.mobileEnds {
		lines += end - h.zoneBegin(zone)
	}
	return float64(lines) / places.Lines
}

// of is the number of the place where somebody with a line lives, which line of the place it is, and whether they speak the language of
// a minority. More people than a place has lines share them.
func (h *homes) of(line int64) (place int, at int64, minority bool) {
	if h.begins == nil {
		place = places.OfLine(line)
		home := &places.All[place]
		return place, line - int64(home.FirstLine), home.Minority != "" && line%8 == 0
	}
	place, at, minority = h.divided(line)
	return place, at % linesAt(place), minority
}

// divided is the place of a line that was divided anew, which of its lines it is, and whether it is one of a minority.
func (h *homes) divided(line int64) (place int, at int64, minority bool) {
	part := sort.Search(len(h.begins)-1, func(i int) bool { return int64(h.begins[i+1]) > line })
	return part / 2, line - int64(h.begins[part&^1]), part%2 == 0
}

// sharing are those of some members of a block who live where there are fewer telephone lines than people.
func (w *World) sharing(block int64, members memberSet) (sharing memberSet) {
	if w.drawn.homes.begins == nil {
		return 0
	}
	for rest := members; rest != 0; {
		bit := rest.pop()
		if place, at, _ := w.drawn.homes.divided(w.lineOf(block<<blockBits + int64(bit))); at >= linesAt(place) {
			sharing.add(bit)
		}
	}
	return sharing
}
