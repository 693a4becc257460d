package world

import (
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// Lengths of the weights in [Settings], and how large one is at most.
const (
	HoursOfDay = 24
	DaysOfWeek = 7
	MaxWeight  = 1_000
)

// rhythmOf is the intensity of a week by weights of hours and of days, from Monday on, hours ahead of UTC; what is not set is
// usual. Usual days begin with a Thursday, as 1970 did.
func rhythmOf(hours, days []int, usualHours [HoursOfDay]int64, usualDays [DaysOfWeek]int64, ahead int) *intensity {
	for i, weight := range hours {
		usualHours[i] = int64(weight)
	}
	for i, weight := range days {
		usualDays[(i+DaysOfWeek-thursday)%DaysOfWeek] = int64(weight)
	}
	return newIntensity(weekBuckets, func(i int) int64 {
		local := (i/4 + ahead + DaysOfWeek*HoursOfDay) % (DaysOfWeek * HoursOfDay)
		return usualHours[local%HoursOfDay] * usualDays[local/HoursOfDay]
	})
}

// thursday is its place in a week that begins with Monday.
const thursday = 3

// sending is when messages go out that are sent all the time.
func (s Settings) sending() *intensity {
	if s.SendHours == nil && s.SendWeekdays == nil {
		return weeklyIntensity
	}
	return rhythmOf(s.SendHours, s.SendWeekdays, hourWeights, dayWeights, 0)
}

// inApp is when people use the app, by time zone.
func (s Settings) inApp() [places.Zones]*intensity {
	if s.AppHours == nil && s.AppWeekdays == nil {
		return appIntensities
	}
	var made [places.Zones]*intensity
	for zone, ahead := range places.HoursAhead {
		made[zone] = rhythmOf(s.AppHours, s.AppWeekdays, appHourWeights, appDayWeights, ahead)
	}
	return made
}

// weighted is a place among weights, by chance.
func weighted(weights []int, random uint64) int64 {
	all := int64(0)
	for _, weight := range weights {
		all += int64(weight)
	}
	at := below(random, all)
	for i, weight := range weights {
		if at -= int64(weight); at < 0 {
			return int64(i)
		}
	}
	return 0
}

// checkWeights finds weights that are not as many as there are hours or days, out of range, or all zero.
func (s Settings) checkWeights() error {
	for _, each := range []struct {
		field   string
		weights []int
		count   int
	}{
		{"SendHours", s.SendHours, HoursOfDay}, {"SendWeekdays", s.SendWeekdays, DaysOfWeek}, {"AppHours", s.AppHours, HoursOfDay}, {"AppWeekdays", s.AppWeekdays, DaysOfWeek},
	} {
		all := 0
		for _, weight := range each.weights {
			if weight < 0 || weight > MaxWeight {
				return &SettingsError{Field: each.field, Reason: fmt.Sprintf("has the weight %d; each is from 0 to %d", weight, MaxWeight)}
			}
			all += weight
		}
		if each.weights != nil && (len(each.weights) != each.count || all == 0) {
			return &SettingsError{Field: each.field, Reason: fmt.Sprintf("is %v; it must be %d weights, not all of them 0", each.weights, each.count)}
		}
	}
	return nil
}
