package clock

import "time"

// Change is what somebody asks of a clock. Fields that are nil were not given.
type Change struct {
	Advance *time.Duration
	Set     *time.Time
	Freeze  *bool
	Rate    *float64
}

// Apply makes a change as a whole or not at all. Set and Rate must be in order: then only Advance can fail, when it leads beyond the last
// instant a clock shows, and nothing is changed before it. The clock is frozen before it is set, so that Set together with Freeze shows
// exactly that instant.
func (change Change) Apply(virtual *Clock) error {
	if change.Freeze != nil && *change.Freeze && change.Advance == nil {
		virtual.Freeze(true)
	}
	if change.Set != nil {
		if err := virtual.Set(*change.Set); err != nil {
			return err
		}
	}
	if change.Advance != nil {
		if err := virtual.Advance(*change.Advance); err != nil {
			return err
		}
	}
	if change.Freeze != nil {
		virtual.Freeze(*change.Freeze)
	}
	if change.Rate != nil {
		return virtual.Rate(*change.Rate)
	}
	return nil
}
