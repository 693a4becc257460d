package isoduration_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/isoduration"
)

// TestPeriodReplacesItsDefault: a period that is read has nothing of the value before.
func TestPeriodReplacesItsDefault(t *testing.T) {
	for text, want := range map[string]string{"P1D": "1 day", "P3D": "3 days", "PT5M": "5 minutes", "P2M": "2 months", "P1M": "one month"} {
		for _, before := range []isoduration.Period{{}, {Months: 1}, {Duration: isoduration.Duration(1)}} {
			period := before
			if err := period.UnmarshalText([]byte(text)); err != nil || period.String() != want || period.Months > 0 && period.Duration > 0 {
				t.Errorf("%s over %+v: %+v, %v; want %s", text, before, period, err, want)
			}
		}
	}
}
