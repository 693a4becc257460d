package world

import "sort"

// place is a region with what agrees with it: languages, a time zone, and a
// range of telephone numbers that its regulator reserves for fiction and
// tests, so that no number of the world belongs to anyone. The table is
// generated from testdata/ranges.csv and public metadata; a test keeps it up
// to date.
// See docs/explanation/world.md#where-do-regions-languages-and-telephone-numbers-come-from
type place struct {
	region, timezone string
	language         string
	minority         string // the language of one person in eight; empty: there is none
	prefix           string
	digits           int   // of the number after the prefix
	firstNumber      int64 // after the prefix
	firstLine        int32 // the first telephone line of the place
}

// A line is a pair of neighbouring numbers: the first one of a person, and one
// for after a change. Every profile has a line, whether or not its number is
// known, and a line has a place; so no two profiles share a number while there
// are no more profiles than lines.
//
// The lines are cut in 64 parts, of which each member of a block has one: so who lives
// where is known for a whole block at once.
func (w *World) lineOf(profile int64) int64 {
	block := profile >> blockBits
	return (profile^w.partsMask(block))%blockSize*linesOfPart + w.phones.at(block%linesOfPart)
}

// linesOfPart is how many lines a part has, and usedLines how many are used.
const (
	linesOfPart = phoneLines / blockSize
	usedLines   = linesOfPart * blockSize
)

// partsMask gives member n of a block the part n^mask of the lines.
func (w *World) partsMask(block int64) int64 {
	return int64(draw(^w.keys.person, uint64(block)) % blockSize)
}

// timeZones are how many zones the app is used in: places whose clocks differ by two
// hours at most count as one.
const timeZones = len(hoursAhead)

// linesBetween are the members of a block whose lines are from one up to, not including,
// another.
func (w *World) linesBetween(block, from, to int64) memberSet {
	line := w.phones.at(block % linesOfPart)
	parts := func(end int64) int64 { return (end - line + linesOfPart - 1) / linesOfPart } // whose line is before an end
	return (firstMembers(parts(to)) &^ firstMembers(parts(from))).permuted(uint64(w.partsMask(block)))
}

// inZone are the members of a block in a time zone.
func (w *World) inZone(block int64, zone int) memberSet {
	return w.linesBetween(block, zoneBegin(zone), zoneEnds[zone])
}

func zoneBegin(zone int) int64 {
	if zone == 0 {
		return 0
	}
	return zoneEnds[zone-1]
}

// takingSMS are the members of a block whose number may be that of a mobile telephone.
func (w *World) takingSMS(block int64) (members memberSet) {
	for zone, end := range mobileEnds {
		members |= w.linesBetween(block, zoneBegin(zone), end)
	}
	return members
}

// mobileShare is the share of people with such a number.
func mobileShare() float64 {
	lines := int64(0)
	for zone, end := range mobileEnds {
		lines += end - zoneBegin(zone)
	}
	return float64(lines) / phoneLines
}

func placeOfLine(line int64) *place {
	return &places[sort.Search(len(places)-1, func(i int) bool { return int64(places[i+1].firstLine) > line })]
}

func (w *World) placeOf(profile int64) *place { return placeOfLine(w.lineOf(profile)) }

func (w *World) languageOf(profile int64) string {
	line := w.lineOf(profile)
	home := placeOfLine(line)
	if home.minority != "" && line%8 == 0 {
		return home.minority
	}
	return home.language
}

var givenNames = [...]string{
	"ada", "alma", "amir", "ben", "bianca", "carl", "chloe", "david", "elena", "emil", "farah", "felix",
	"grace", "hugo", "ines", "ivan", "jade", "jonas", "karim", "laura", "leo", "lina", "louis", "maria",
	"mats", "mina", "nina", "noah", "olga", "omar", "paul", "rosa", "sami", "sara", "theo", "vera",
}

var familyNames = [...]string{
	"adler", "andersson", "baker", "bernard", "carter", "dubois", "evans", "fischer", "garcia", "hughes",
	"jansson", "keller", "lambert", "lindberg", "martin", "meyer", "moreau", "murphy", "nilsson", "obrien",
	"parker", "petit", "roux", "schmidt", "taylor", "walsh", "weber", "young",
}
