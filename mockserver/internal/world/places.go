package world

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"

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
	linesOfPart = places.Lines / blockSize
	usedLines   = linesOfPart * blockSize
)

// partsMask gives member n of a block the part n^mask of the lines.
func (w *World) partsMask(block int64) int64 {
	return int64(draw(^w.keys.person, uint64(block)) % blockSize)
}

// linesBetween are the members of a block whose lines are from one up to, not including,
// another.
func (w *World) linesBetween(block, from, to int64) memberSet {
	line := w.phones.at(block % linesOfPart)
	parts := func(end int64) int64 { return (end - line + linesOfPart - 1) / linesOfPart } // whose line is before an end
	return (firstMembers(parts(to)) &^ firstMembers(parts(from))).permuted(uint64(w.partsMask(block)))
}

// inZone are the members of a block in a time zone.
func (w *World) inZone(block int64, zone int) memberSet {
	return w.linesBetween(block, w.drawn.homes.zoneBegin(zone), w.drawn.homes.zoneEnds[zone])
}

// takingSMS are the members of a block whose number may be that of a mobile telephone.
func (w *World) takingSMS(block int64) (members memberSet) {
	for zone, end := range w.drawn.homes.mobileEnds {
		members |= w.linesBetween(block, w.drawn.homes.zoneBegin(zone), end)
	}
	return members
}

func (w *World) placeOf(profile int64) *places.Place {
	home, _, _ := w.drawn.homes.of(w.lineOf(profile))
	return home
}

func (w *World) languageOf(profile int64) string {
	home, _, minority := w.drawn.homes.of(w.lineOf(profile))
	if minority {
		return home.Minority
	}
	return home.Language
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
