// Package places says where people of the world live: regions with the languages, time zones and telephone numbers that belong to
// them. It is a table of public facts and knows no person.
package places

// A Place is a region with what agrees with it: languages, a time zone, and a
// range of telephone numbers that its regulator reserves for fiction and
// tests, so that no number of the world belongs to anyone. The table is
// generated from ranges.csv and public metadata; tests of package publicdata
// keep it up to date.
// See docs/explanation/world.md#where-do-regions-languages-and-telephone-numbers-come-from
type Place struct {
	Region, TimeZone string
	Language         string
	Minority         string // the language of one person in eight; empty: there is none
	Prefix           string
	Digits           int   // of the number after the prefix
	FirstNumber      int64 // after the prefix
	FirstLine        int32 // the first telephone line of the place
	Apart            int64 // how far the second number of a line is from the first
}

// HoursAhead are by how many hours the clocks of the time zones are ahead of UTC: of
// western Europe, of the east and the middle of America, of its west, and of Australia.
var HoursAhead = [...]int{1, -5, -8, 10}

// Zones are how many zones the app is used in: places whose clocks differ by two
// hours at most count as one.
const Zones = len(HoursAhead)

// OfLine is the number of the place of a telephone line.
func OfLine(line int64) int {
	at := int(near[line>>NearBits])
	for at+1 < len(All) && int64(All[at+1].FirstLine) <= line {
		at++
	}
	return at
}

// NearBits says for how many lines, in bits, the table has an entry where their places begin: nearly all have fifty lines and more.
const NearBits = 6
