package world

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// What a dataset needs to know of the synthetic world: the inverse of identifiers,
// and the unit of a view in which an instant lies.

// RowAt is a row about a profile and an installation, -1 for none, at an
// instant, as a snapshot shows them.
func (w *World) RowAt(profile, installation, at int64) Row {
	row := Row{Profile: profile, Installation: installation, Time: at, Event: -1, changed: allChanged}
	row.ties.borrowed = installation >= 0 && w.ownerOf(installation) != profile
	return row
}

// Fingerprint is the same for worlds with the same people.
func (w *World) Fingerprint() string {
	settings, err := json.Marshal(w.settings)
	if err != nil { // none has a value that JSON lacks
		panic(err)
	}
	return fmt.Sprint(w.seed, " ", w.profiles, " ", string(settings))
}

// OwnerOf is the profile of an installation.
func (w *World) OwnerOf(installation int64) int64 { return w.ownerOf(installation) }

// InstallationByID is the installation with an identifier, if there is one.
func (w *World) InstallationByID(id string) (int64, bool) {
	plain := strings.ReplaceAll(id, "-", "")
	bytes, err := hex.DecodeString(plain)
	if err != nil || len(bytes) != 16 {
		return 0, false
	}
	high := binary.BigEndian.Uint64(bytes)
	// Four of the bits say the version of the UUID: what they were is tried.
	for bits := range uint64(16) {
		n := invertDraw(w.keys.installation, high&^(15<<12)|bits<<12)
		if n < uint64(w.Installations()) && string(appendUUID(nil, w.keys.installation, n)) == id {
			return int64(n), true
		}
	}
	return 0, false
}

// ProfileByID is the profile with an identifier, if there is one.
func (w *World) ProfileByID(id string) (int64, bool) {
	opaque, is := strings.CutPrefix(id, "profile_")
	bytes, err := hex.DecodeString(opaque)
	if !is || err != nil || len(bytes) != 16 {
		return 0, false
	}
	n := invertDraw(w.keys.profile, binary.BigEndian.Uint64(bytes))
	if n >= uint64(w.profiles) || string(appendOpaque(nil, w.keys.profile, n)) != opaque {
		return 0, false
	}
	return int64(n), true
}

// ProfileByCustomID is the profile with a custom identifier, if there is one, however awkward it is.
func (w *World) ProfileByCustomID(id string) (int64, bool) {
	column := w.columnOf(w.texturedAs(vocabulary.CustomID))
	number, found := column.Literal(id)
	if !found {
		plain, _ := texture.Plain(id, customPrefix)
		number, found = w.numberByPlainCustomID(plain)
	}
	shows := func(number uint64) bool {
		text := w.appendCustomID(nil, int64(number))
		return number < uint64(w.profiles) && w.customBy(saltOf(number)) && string(column.Apply(text, 0, number)) == id
	}
	if found && shows(number) {
		return int64(number), true
	}
	other, alike := column.LookAlike(number)
	return int64(other), found && alike && shows(other)
}

// numberByPlainCustomID is the number whose custom identifier it would be, whether there is such a profile or not.
func (w *World) numberByPlainCustomID(id string) (uint64, bool) {
	digits, is := strings.CutPrefix(id, customPrefix)
	bytes, err := hex.DecodeString(digits)
	if !is || err != nil || len(bytes) != 8 || strings.ToLower(digits) != digits {
		return 0, false
	}
	return invertDraw(w.keys.custom, binary.BigEndian.Uint64(bytes)), true
}

// invertDraw is the number that draw turned into a random one under a key.
func invertDraw(key, random uint64) uint64 {
	return (invertMix(invertMix(random)^key) - golden) * oddInverse(golden)
}

// invertMix is the inverse of mix.
func invertMix(x uint64) uint64 {
	x = invertXorShift(x, 31)
	x *= oddInverse(0x94d049bb133111eb)
	x = invertXorShift(x, 27)
	x *= oddInverse(0xbf58476d1ce4e5b9)
	return invertXorShift(x, 30)
}

// invertXorShift is the inverse of x ^ x>>by.
func invertXorShift(x uint64, by uint) uint64 {
	for shift := by; shift < 64; shift *= 2 {
		x ^= x >> shift
	}
	return x
}

// TimeOrdered is a view whose rows are in order of time. The unit of an
// instant never falls as the instant rises.
type TimeOrdered interface {
	UnitAt(second int64) int64
}

// UnitAt implements TimeOrdered.
func (v *messages) UnitAt(second int64) int64 {
	// There may be none for a slot in which nothing is sent: then the one before.
	slot := floorDivide(second, v.stream.slot)
	after := sort.Search(int(v.units.count), func(unit int) bool { return v.units.slotOf(int64(unit)) > slot })
	return clampUnit(int64(after)-1, v.units.count)
}

// UnitAt implements TimeOrdered.
func (c *changes) UnitAt(second int64) int64 {
	return clampUnit(floorDivide(second, c.slot)-c.first, c.count)
}

func clampUnit(unit, count int64) int64 { return max(min(unit, count-1), 0) }

// InSegment reports whether a profile belongs to a segment; the empty code is
// that of everybody.
func (w *World) InSegment(code string, profile int64) bool {
	if code == "" {
		return true
	}
	members, size := w.segment(code)
	return members.indexOf(profile) < size
}

// RecipientLister is a view of recipients that can tell whether it has a row
// about an installation and an event of it.
type RecipientLister interface {
	Lists(row *Row) bool
}

// Lists implements RecipientLister.
func (v *recipients) Lists(row *Row) bool {
	if row.Installation < 0 || v.span.to <= v.span.from {
		return false
	}
	member := v.world.ownerOf(row.Installation)
	if member >= v.members() {
		return false
	}
	block, bit := member>>blockBits, setOf(member)
	for _, listed := range v.appendBlock(nil, block, bit) {
		if v.sameRecipient(row, &listed) {
			return true
		}
	}
	return false
}
