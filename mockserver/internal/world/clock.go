package world

import (
	"sync"
	"time"
)

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	week   = 7 * day
	// mondays is a Monday: weeks begin there, and week numbers count from 1970-01-05.
	mondays = 4 * day
)

func weekOf(at int64) int64   { return floorDivide(at-mondays, week) }
func weekStart(n int64) int64 { return n*week + mondays }

func floorDivide(a, b int64) int64 {
	quotient := a / b
	if a%b < 0 {
		quotient--
	}
	return quotient
}

// zone is how clocks go somewhere.
type zone struct {
	name     string
	standard int64 // seconds ahead of UTC in winter
	summers  *summers
}

// summers are the times of each year at which clocks go forward and back: of UTC, or else of clocks in winter.
type summers struct {
	years [lastYear - firstYear + 1]struct{ begin, end int64 }
	utc   bool
}

// The years of which it is known when clocks change; others have those of the nearest.
const firstYear, lastYear = 2018, 2099

// rules are those of summer time: clocks change on the first Sunday from a day on.
var rules = sync.OnceValue(func() map[string]*summers {
	sunday := func(year int, month time.Month, day int) int64 {
		date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		return date.AddDate(0, 0, (7-int(date.Weekday()))%7).Unix()
	}
	all := map[string]*summers{"europe": {utc: true}, "america": {}, "australia": {}}
	for i := range all["europe"].years {
		year, europe, america, australia := firstYear+i, &all["europe"].years[i], &all["america"].years[i], &all["australia"].years[i]
		europe.begin, europe.end = sunday(year, time.March, 25)+hour, sunday(year, time.October, 25)+hour
		america.begin, america.end = sunday(year, time.March, 8)+2*hour, sunday(year, time.November, 1)+hour
		australia.begin, australia.end = sunday(year, time.October, 1)+2*hour, sunday(year, time.April, 1)+2*hour
	}
	return all
})

// offset returns by how many seconds clocks are ahead of UTC at an instant.
func (z *zone) offset(at int64) int64 {
	if z.summers == nil {
		return z.standard
	}
	if !z.summers.utc {
		at += z.standard
	}
	of := &z.summers.years[min(max(at/31_556_952+1970-firstYear, 0), lastYear-firstYear)]
	summer := at >= of.begin && at < of.end
	if of.end < of.begin { // in the south it is summer around the new year
		summer = at >= of.begin || at < of.end
	}
	if summer {
		return z.standard + hour
	}
	return z.standard
}

// utc is the instant at which clocks show a time, given as seconds since 1970 on that clock.
func (z *zone) utc(shown int64) int64 {
	return shown - z.offset(shown-z.standard)
}

// second picks a second of a day, at the hours of a rhythm.
func (p picker) second(random uint64) int64 {
	return int64(p.pick(random))*hour + below(random<<8, hour)
}

// rhythms are those of people, by their clocks, and the days of their week from Monday on.
type rhythms struct{ joining, using, buying, writing, days picker }

func newRhythms() rhythms {
	return rhythms{
		joining: newPicker(256, 1.2, .7, .4, .3, .3, .5, 1.2, 2.6, 4, 5.2, 6, 6.2, 6.4, 6, 5.6, 5.4, 5.6, 6, 6.4, 6.8, 7.2, 6.6, 4.4, 2.4),
		using:   newPicker(256, 2, 1, .6, .4, .4, .8, 2.4, 5, 6.2, 5.6, 5, 5, 6.2, 6, 5, 4.8, 5, 6, 7, 7.6, 8, 7.6, 6, 4),
		buying:  newPicker(256, 1, .5, .3, .2, .2, .4, 1.4, 3, 4.6, 6, 6.6, 6.4, 6.4, 6.2, 6, 5.8, 5.6, 5.6, 6, 6.6, 7.2, 6.6, 4.6, 2.2),
		writing: newPicker(256, 0, 0, 0, 0, 0, 0, 0, 0, 5, 12, 14, 10, 8, 7, 7, 8, 8, 9, 8, 5, 2, 0, 0, 0),
		days:    newPicker(256, 14, 15, 15, 15, 14, 14, 13),
	}
}

// begins is when the world begins, 2024-01-01: before that there are people, and nothing happens to them.
const begins = 1_704_067_200
