package check

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// regionsTable has a line for every region: its code, the calling code of its telephone numbers, and its
// time zones. It is made of libphonenumber's metadata and of tzdb's zone.tab and zone1970.tab, which is in the
// public domain; a test holds it against both.
//
//go:embed regions.txt
var regionsTable string

// regionFacts is what is known of a region.
type regionFacts struct {
	calling string
	zones   []string
}

// regionsOf reads the table.
var regionsOf = sync.OnceValue(func() (regions map[string]regionFacts) {
	regions = map[string]regionFacts{}
	for line := range strings.Lines(regionsTable) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] == "#" {
			continue
		}
		regions[fields[0]] = regionFacts{strings.Trim(fields[1], "-"), fields[2:]}
	}
	return regions
})

// knownZones are the time zones of the table: others, such as old names, say nothing of a region.
var knownZones = sync.OnceValue(func() map[string]bool {
	zones := map[string]bool{}
	for _, facts := range regionsOf() {
		for _, zone := range facts.zones {
			zones[zone] = true
		}
	}
	return zones
})

// checkPlaces checks that what a row says of where a profile lives fits together.
func (e *engine) checkPlaces(r *row) {
	home := strings.ToUpper(r.value(region))
	facts, known := regionsOf()[home]
	if zone := r.value(timezone); known && knownZones()[zone] && len(facts.zones) > 0 {
		e.assert(rulePlaces, slices.Contains(facts.zones, zone), r.place, nil, "the time zone %s is none of the region %s", zone, home)
	}
	if spoken := r.value(spokenLanguage); known && spoken != "" {
		if said, judged := speaks(home, spoken); judged {
			e.assert(rulePlaces, said, r.place, nil, "the language %q is not one of the region %s", spoken, home)
		}
	}
	number := r.value(phoneNumber)
	if !strings.HasPrefix(number, "+") {
		return
	}
	if known && facts.calling != "" {
		e.assert(rulePlaces, strings.HasPrefix(number[1:], facts.calling), r.place, nil, "the telephone number %q does not begin with +%s, as those of the region %s do", number, facts.calling, home)
	}
	country := strings.ToUpper(r.value(phoneCountry))
	if facts := regionsOf()[country]; facts.calling != "" {
		e.assert(rulePlaces, strings.HasPrefix(number[1:], facts.calling), r.place, nil, "the telephone number %q does not begin with +%s, as those of %s do", number, facts.calling, country)
	}
}

// speaks tells whether CLDR knows a language as one of a region, and whether it knows the language at all.
func speaks(home, spoken string) (said, judged bool) {
	tag, err := language.Parse(strings.ReplaceAll(spoken, "_", "-"))
	if err != nil {
		return false, false
	}
	base, _ := tag.Base()
	_, exact := language.CompactIndex(language.Make(base.String() + "-" + home))
	return exact, true
}
