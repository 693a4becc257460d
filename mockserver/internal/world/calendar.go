package world

// A year is thirteen periods of four weeks, in which people join and messages go out
// more or less often: few in the middle of summer, most from November on. The first
// begins with January, give or take the days by which such years are shorter.
const (
	periodWeeks   = 4
	periodsOfYear = 13
	yearWeeks     = periodWeeks * periodsOfYear
)

var (
	// signUpWeights are how many people join in a period, against the others.
	signUpWeights = [periodsOfYear]int64{105, 95, 97, 97, 95, 92, 88, 84, 90, 104, 108, 132, 128}
	// sentEighths are the share of messages that go out, of those of the busiest weeks.
	sentEighths = [periodsOfYear]float64{6, 6, 7, 7, 7, 7, 6, 5, 6, 7, 7, 8, 8}
)

// firstWeek is the week in which the world begins, counted since 1970.
const firstWeek = worldStart / week

// sentIn is which share of the messages that are meant for a week goes out in it, of those of which a part does in the busiest weeks.
func sentIn(inWeek int64, part float64) chance {
	weeks := inWeek - firstWeek
	return chanceOf(sentEighths[(weeks-floorDivide(weeks, yearWeeks)*yearWeeks)/periodWeeks] / 8 * part)
}
