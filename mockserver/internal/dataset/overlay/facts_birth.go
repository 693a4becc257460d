package overlay

import (
	"encoding/json"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// BirthDate is what a profile has under one of the names that mean it.
func (f profileFacts) BirthDate() loadedFact {
	return textFact(func(r *world.Row) string {
		if date, known := f.born(r); known {
			return date.Format(time.DateOnly)
		}
		return ""
	}, nil)
}

// Age is the one that a profile has, and else follows from its birth date.
func (f profileFacts) Age() loadedFact {
	return loadedFact{number: func(r *world.Row) (int64, bool) {
		if held, _ := f.s.Attribute(r, "age"); held != nil {
			number, _ := held.(json.Number)
			age, err := number.Int64()
			return age, err == nil
		}
		date, known := f.born(r)
		return world.AgeAt(date, r.Time), known
	}}
}

func (f profileFacts) born(r *world.Row) (date time.Time, known bool) {
	for _, name := range [...]string{"birth_date", "birthdate", "birthday", "date_of_birth"} {
		held, _ := f.s.Attribute(r, name)
		if text, is := held.(string); is {
			if date, err := time.Parse(time.DateOnly, text); err == nil {
				return date, true
			}
		}
	}
	return time.Time{}, false
}
