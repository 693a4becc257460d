package world

import (
	"math/bits"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// A line is a pair of numbers, most of them neighbours: the first one of a person, and one
// for after a change. Every profile has a line, whether or not its number is
// known, and a line has a place; so no two profiles share a number while there
// are no more profiles than lines.
//
// The lines are cut in 64 parts, of which each member of a block has one: so who lives
// where is known for a whole block at once.
func (w *World) lineOf(profile int64) int64 {
	block := profile >> blockBits
	return (profile^w.partsMask(block))%blockSize*linesOfPart + w.drawn.homes.lines.of(block)
}

// linesOfPart is how many lines a part has, and usedLines how many are used.
const (
	linesOfPart = places.Lines / blockSize
	usedLines   = linesOfPart * blockSize
)

// phoneLines are, by block, which line of each part its members have.
type phoneLines [linesOfPart]int16

func newPhoneLines(key uint64) (made phoneLines) {
	order := newPermutation(key, linesOfPart)
	for i := range made {
		made[i] = int16(order.at(int64(i)))
	}
	return made
}

func (p *phoneLines) of(block int64) int64 { return int64(p[uint64(block)%linesOfPart]) }

// partsMask gives member n of a block the part n^mask of the lines.
func (w *World) partsMask(block int64) int64 {
	return int64(draw(^w.keys.person, uint64(block)) % blockSize)
}

// partsBefore are the parts of which a line is before an end.
func partsBefore(end, line int64) memberSet {
	return firstMembers((end - line + linesOfPart - 1) / linesOfPart)
}

// inZone are the members of a block in a time zone.
func (w *World) inZone(block int64, zone int) memberSet {
	line := w.drawn.homes.lines.of(block)
	parts := partsBefore(w.drawn.homes.zoneEnds[zone], line) &^ partsBefore(w.drawn.homes.zoneBegin(zone), line)
	return parts.permuted(uint64(w.partsMask(block)))
}

// zonesOf are the members of a block by time zone, each moved as a mask says.
func (w *World) zonesOf(block int64, mask uint64) (zones [places.Zones]memberSet) {
	mask ^= uint64(w.partsMask(block))
	line, before := w.drawn.homes.lines.of(block), memberSet(0)
	for zone, end := range w.drawn.homes.zoneEnds {
		parts := partsBefore(end, line)
		zones[zone], before = (parts &^ before).permuted(mask), parts
	}
	return zones
}

// takingSMS are those of some members of a block whose number may be that of a mobile telephone.
func (w *World) takingSMS(block int64, members memberSet) memberSet {
	if bits.OnesCount64(uint64(members)) <= fewMembers {
		for rest := members; rest != 0; {
			if bit := rest.pop(); !w.takesSMS(block<<blockBits + int64(bit)) {
				members.remove(bit)
			}
		}
		return members
	}
	line, parts := w.drawn.homes.lines.of(block), memberSet(0)
	for zone, end := range w.drawn.homes.mobileEnds {
		parts |= partsBefore(end, line) &^ partsBefore(w.drawn.homes.zoneBegin(zone), line)
	}
	return parts.permuted(uint64(w.partsMask(block))) & members
}

// takesSMS is takingSMS of one.
func (w *World) takesSMS(profile int64) bool {
	line, zone := w.lineOf(profile), 0
	for zone < places.Zones-1 && line >= w.drawn.homes.zoneEnds[zone] {
		zone++
	}
	return line < w.drawn.homes.mobileEnds[zone]
}

func (w *World) placeOf(profile int64) *places.Place {
	place, _, _ := w.drawn.homes.of(w.lineOf(profile))
	return &places.All[place]
}

func (w *World) languageOf(profile int64) string {
	place, _, minority := w.drawn.homes.of(w.lineOf(profile))
	if minority {
		return places.All[place].Minority
	}
	return places.All[place].Language
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
