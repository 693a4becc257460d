package world

const (
	hoursOfDay = 24
	daysOfWeek = 7
)

// rhythmOf is the intensity of a week by weights of hours and of days, hours ahead of UTC. Days begin with a Thursday, as 1970 did.
func rhythmOf(hours [hoursOfDay]int64, days [daysOfWeek]int64, ahead int) *intensity {
	return newIntensity(weekBuckets, func(i int) int64 {
		local := (i/4 + ahead + daysOfWeek*hoursOfDay) % (daysOfWeek * hoursOfDay)
		return hours[local%hoursOfDay] * days[local/hoursOfDay]
	})
}
