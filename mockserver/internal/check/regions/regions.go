// Package regions knows the calling code, the time zones and the languages of the regions of the world.
package regions

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// regionsTable has a line for every region: its code, the calling code of its telephone numbers, and its time zones. It is made of
// libphonenumber's metadata and of tzdb's zone.tab and zone1970.tab, which is in the public domain; a test holds it against both.
//
//go:embed regions.txt
var regionsTable string

// Region is what is known of a region.
// See docs/how-to/validate-real-files.md#how-are-region-language-time-zone-and-telephone-number-compared
type Region struct {
	CallingCode string   // without its plus sign; "" for none
	Zones       []string // names of the time zone database
}

// All returns the table, by region. Callers must not change it.
func All() map[string]Region { return table() }

var table = sync.OnceValue(func() (regions map[string]Region) {
	regions = map[string]Region{}
	for line := range strings.Lines(regionsTable) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] == "#" {
			continue
		}
		regions[fields[0]] = Region{strings.Trim(fields[1], "-"), fields[2:]}
	}
	return regions
})

// KnownZones returns the time zones of the table: others, such as old names, say nothing of a region.
func KnownZones() map[string]bool { return zones() }

var zones = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, facts := range All() {
		for _, zone := range facts.Zones {
			known[zone] = true
		}
	}
	return known
})

// Speaks tells whether CLDR knows a language as one of a region, and whether it knows the language at all.
func Speaks(home, spoken string) (said, judged bool) {
	tag, err := language.Parse(strings.ReplaceAll(spoken, "_", "-"))
	if err != nil {
		return false, false
	}
	base, _ := tag.Base()
	_, exact := language.CompactIndex(language.Make(base.String() + "-" + home))
	return exact, true
}
