package learn

import "testing"

// TestClocks: an orchestration sends by the clock that shows its messages at fewer hours, if so many people of two zones got them.
func TestClocks(t *testing.T) {
	for name, c := range map[string]struct {
		near, far    int64 // people in either zone, six hours apart
		utc, local   func(far bool) int
		people, know bool
	}{
		"by the sender":        {100, 60, func(bool) int { return 9 }, func(far bool) int { return 9 + 6*int(flag(far)) }, false, true},
		"by people":            {100, 60, func(far bool) int { return 9 + 6*int(flag(far)) }, func(bool) int { return 9 }, true, true},
		"20 of another zone":   {100, 20, func(far bool) int { return 9 + 6*int(flag(far)) }, func(bool) int { return 9 }, true, true},
		"19 of another zone":   {100, 19, func(far bool) int { return 9 + 6*int(flag(far)) }, func(bool) int { return 9 }, true, false},
		"no hours of its own":  {100, 60, func(far bool) int { return 9 + 6*int(flag(far)) }, func(far bool) int { return 10 + 6*int(flag(far)) }, false, false},
		"everybody in one":     {100, 0, func(bool) int { return 9 }, func(bool) int { return 10 }, false, false},
		"nobody with any zone": {0, 0, nil, nil, false, false},
	} {
		counted := newClocks(20)
		for person := int64(1); person <= c.near+c.far; person++ {
			far := person > c.near
			counted.zones.add(mostBehind+6*int(flag(far)), person)
			counted.by[senderClock].hours.add(c.utc(far), person)
			counted.by[peopleClock].hours.add(c.local(far), person)
			counted.by[roughClock].hours.add(c.local(far)+int(person%2), person)
		}
		if best, known := counted.best(20); known != c.know || known && (best == peopleClock) != c.people {
			t.Errorf("%s: the clock %d, known: %v", name, best, known)
		}
	}
}
