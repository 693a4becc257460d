package world

import (
	"math"
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

// homes divides the lines so that every region is as frequent as its weight says, and otherwise as alike to what is usual as can be.
func (s Settings) homes() homes {
	if s.Regions == nil {
		return homes{zoneEnds: places.ZoneEnds, mobileEnds: places.MobileEnds}
	}
	all := 0
	for _, weight := range s.Regions {
		all += weight
	}
	parts, sums := usualParts(), map[string]float64{}
	for i, part := range parts {
		sums[places.All[i/2].Region] += part
	}
	for i := range parts {
		region := places.All[i/2].Region
		parts[i] *= float64(s.Regions[region]) / float64(all) / sums[region]
	}
	return divided(parts)
}

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
