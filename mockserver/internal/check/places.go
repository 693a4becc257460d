package check

import (
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/regions"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
)

// checkPlaces checks that what a row says of where a profile lives fits together.
func (e *engine) checkPlaces(r *row) {
	home := strings.ToUpper(r.value(region))
	facts, known := regions.All()[home]
	if zone := r.value(timezone); known && regions.KnownZones()[zone] && len(facts.Zones) > 0 {
		e.assert(rules.Places, slices.Contains(facts.Zones, zone), r.place, nil, "the time zone %s is none of the region %s", zone, home)
	}
	if spoken := r.value(spokenLanguage); known && spoken != "" {
		if said, judged := regions.Speaks(home, spoken); judged {
			e.assert(rules.Places, said, r.place, nil, "the language %q is not one of the region %s", spoken, home)
		}
	}
	number := r.value(phoneNumber)
	if !strings.HasPrefix(number, "+") {
		return
	}
	if known && facts.CallingCode != "" {
		e.assert(rules.Places, strings.HasPrefix(number[1:], facts.CallingCode), r.place, nil,
			"the telephone number %q does not begin with +%s, as those of the region %s do", number, facts.CallingCode, home)
	}
	country := strings.ToUpper(r.value(phoneCountry))
	if facts := regions.All()[country]; facts.CallingCode != "" {
		e.assert(rules.Places, strings.HasPrefix(number[1:], facts.CallingCode), r.place, nil,
			"the telephone number %q does not begin with +%s, as those of %s do", number, facts.CallingCode, country)
	}
}
