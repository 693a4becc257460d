package world

import "time"

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
	standard int64 // seconds ahead of UTC
	years    []summer
	southern bool // it is summer around the new year
}

// summer is when the clocks of a year go forward and back.
type summer struct{ begin, end int64 }

// The years of which it is known when clocks change; others have those of the nearest.
const firstYear, lastYear = 2018, 2099

// newZone makes the clocks of a zone by the rule for its summer: europe, america, australia or none.
func newZone(name string, minutes int64, rule string) *zone {
	made := &zone{name: name, standard: minutes * minute, southern: rule == "australia"}
	sunday := func(year int, month time.Month, nth int) int64 { // the nth; 0: the last
		if nth == 0 {
			end := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
			return end.AddDate(0, 0, -int(end.Weekday())).Unix()
		}
		first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
		return first.AddDate(0, 0, (7-int(first.Weekday()))%7+7*(nth-1)).Unix()
	}
	for year := firstYear; year <= lastYear; year++ {
		switch rule {
		case "europe":
			made.years = append(made.years, summer{sunday(year, time.March, 0) + hour, sunday(year, time.October, 0) + hour})
		case "america":
			begin, end := sunday(year, time.March, 2)+2*hour, sunday(year, time.November, 1)+hour
			made.years = append(made.years, summer{begin - made.standard, end - made.standard})
		case "australia":
			begin, end := sunday(year, time.October, 1)+2*hour, sunday(year, time.April, 1)+2*hour
			made.years = append(made.years, summer{begin - made.standard, end - made.standard})
		}
	}
	return made
}

// offset is by how many seconds clocks are ahead of UTC at an instant.
func (z *zone) offset(at int64) int64 {
	if z.years == nil {
		return z.standard
	}
	of := &z.years[min(max(at/31_556_952+1970-firstYear, 0), lastYear-firstYear)]
	if at >= of.begin && at < of.end || z.southern && (at < of.end || at >= of.begin) {
		return z.standard + hour
	}
	return z.standard
}

// utc is the instant at which clocks show a time, given as seconds since 1970 on that clock.
func (z *zone) utc(shown int64) int64 {
	return shown - z.offset(shown-z.standard)
}

// rhythm is at which hours things happen, by how often, in 256ths.
type rhythm [256]uint8

func newRhythm(weights ...float64) *rhythm {
	made := &rhythm{}
	spread(made[:], weights)
	return made
}

// second is a second of a day at the hours of a rhythm.
func (r *rhythm) second(random uint64) int64 {
	return int64(r[random>>56])*hour + below(random<<8, hour)
}

func (r *rhythm) pick(random uint64) int64 { return int64(r[random>>56]) }

// rhythms are those of people, by their clocks, and the days of their week from Monday on.
type rhythms struct{ joining, using, buying, writing, days *rhythm }

func newRhythms() rhythms {
	return rhythms{
		joining: newRhythm(1.2, .7, .4, .3, .3, .5, 1.2, 2.6, 4, 5.2, 6, 6.2, 6.4, 6, 5.6, 5.4, 5.6, 6, 6.4, 6.8, 7.2, 6.6, 4.4, 2.4),
		using:   newRhythm(2, 1, .6, .4, .4, .8, 2.4, 5, 6.2, 5.6, 5, 5, 6.2, 6, 5, 4.8, 5, 6, 7, 7.6, 8, 7.6, 6, 4),
		buying:  newRhythm(1, .5, .3, .2, .2, .4, 1.4, 3, 4.6, 6, 6.6, 6.4, 6.4, 6.2, 6, 5.8, 5.6, 5.6, 6, 6.6, 7.2, 6.6, 4.6, 2.2),
		writing: newRhythm(0, 0, 0, 0, 0, 0, 0, 0, 5, 12, 14, 10, 8, 7, 7, 8, 8, 9, 8, 5, 2, 0, 0, 0),
		days:    newRhythm(14, 15, 15, 15, 14, 14, 13),
	}
}

// begins is when the world begins, 2024-01-01: before that there are people, and nothing happens to them.
const begins = 1_704_067_200
