package world

import "time"

// What a person tells of the day of birth: nine in ten do, and those who do were
// between these ages, in days, when their profile was made.
const (
	youngest    = 16*366 + 1
	ageSpread   = 64 * 365
	tellsBirth  = 90
	secondsADay = 86_400
)

func (f profileFacts) BirthDate() Fact {
	born := f.born()
	return Fact{
		Absent: func(r *Row) bool { _, tells := born(r); return !tells },
		Text: func(dst []byte, r *Row) []byte {
			date, _ := born(r)
			return date.AppendFormat(dst, time.DateOnly)
		},
		Width: len(time.DateOnly),
	}
}

// Age follows from the birth date, at the time of the row.
func (f profileFacts) Age() Fact {
	born := f.born()
	return Fact{
		Absent: func(r *Row) bool { _, tells := born(r); return !tells },
		Number: func(r *Row) int64 {
			date, _ := born(r)
			return AgeAt(date, r.Time)
		},
	}
}

func (f profileFacts) born() func(*Row) (date time.Time, tells bool) {
	key := keyOf(f.w.seed, "birth")
	return func(r *Row) (time.Time, bool) {
		random := draw(key, uint64(r.Profile))
		day := floorDivide(f.w.creation(r), secondsADay) - youngest - below(random, ageSpread)
		return time.Unix(day*secondsADay, 0).UTC(), mix(random)%100 < tellsBirth
	}
}

// AgeAt is how many whole years somebody has at an instant, in seconds since
// 1970. Who was born on a leap day turns a year older on the first of March when
// there is none.
func AgeAt(born time.Time, instant int64) int64 {
	year, month, day := time.Unix(instant, 0).UTC().Date()
	bornYear, bornMonth, bornDay := born.Date()
	age := year - bornYear
	if month < bornMonth || month == bornMonth && day < bornDay {
		age--
	}
	return int64(age)
}
