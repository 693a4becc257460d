package world

import (
	"encoding/hex"
	"sort"
	"strings"
)

// What own data needs to know of the synthetic world: whom an identifier names,
// and where among the rows of a view a moment lies.

// RowAt is a row about a profile and an installation of the world, -1 for
// none, at a moment, as a snapshot shows them.
func (w *World) RowAt(profile, installation, at int64) Row {
	return Row{Profile: profile, Installation: installation, Time: at, Event: -1, after: changeKinds}
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
	high := bigEndian(bytes)
	// Four of the bits say the version of the UUID: what they were is tried.
	for bits := range uint64(16) {
		n := undraw(w.keys.installation, high&^(15<<12)|bits<<12)
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
	n := undraw(w.keys.profile, bigEndian(bytes))
	if n >= uint64(w.profiles) || string(appendOpaque(nil, w.keys.profile, n)) != opaque {
		return 0, false
	}
	return int64(n), true
}

// ProfileByCustomID is the profile with a custom identifier, if there is one.
func (w *World) ProfileByCustomID(id string) (int64, bool) {
	digits, is := strings.CutPrefix(id, "user-")
	bytes, err := hex.DecodeString(digits)
	if !is || err != nil || len(bytes) != 8 || strings.ToLower(digits) != digits {
		return 0, false
	}
	n := undraw(w.keys.custom, bigEndian(bytes))
	if n >= uint64(w.profiles) || !w.hasCustomID(int64(n)) {
		return 0, false
	}
	return int64(n), true
}

func bigEndian(bytes []byte) (number uint64) {
	for _, b := range bytes[:8] {
		number = number<<8 | uint64(b)
	}
	return number
}

// undraw is the number that draw turned into a random one under a key.
func undraw(key, random uint64) uint64 {
	return (unmix(unmix(random)^key) - golden) * oddInverse(golden)
}

// unmix is the inverse of mix.
func unmix(x uint64) uint64 {
	x = unshift(x, 31)
	x *= oddInverse(0x94d049bb133111eb)
	x = unshift(x, 27)
	x *= oddInverse(0xbf58476d1ce4e5b9)
	return unshift(x, 30)
}

// unshift is the inverse of x ^ x>>by.
func unshift(x uint64, by uint) uint64 {
	for shift := by; shift < 64; shift *= 2 {
		x ^= x >> shift
	}
	return x
}

// TimeOrdered is a view whose rows are in order of time. The unit of a moment never
// falls as the moment rises.
type TimeOrdered interface {
	UnitAt(second int64) int64
}

// UnitAt implements Timed.
func (v *messages) UnitAt(second int64) int64 {
	// There may be none for a slot in which nothing is sent: then the one before.
	slot := floorDivide(second, v.stream.slot)
	after := sort.Search(int(v.units.count), func(unit int) bool { return v.units.slotOf(int64(unit)) > slot })
	return clampUnit(int64(after)-1, v.units.count)
}

// UnitAt implements Timed.
func (c *changes) UnitAt(second int64) int64 {
	return clampUnit(floorDivide(second, c.slot)-c.first, c.count)
}

func clampUnit(unit, count int64) int64 { return max(min(unit, count-1), 0) }

// InSegment says whether a profile belongs to a segment; the empty code is that
// of everybody.
func (w *World) InSegment(code string, profile int64) bool {
	if code == "" {
		return true
	}
	members, size := w.segment(code)
	return members.indexOf(profile) < size
}

// RecipientLister says whether a view of recipients has a row about an installation and
// an event of it.
type RecipientLister interface {
	Lists(row *Row) bool
}

// Lists implements Lists.
func (v *recipients) Lists(row *Row) bool {
	if row.Installation < 0 || !v.audience.installations || v.span.to <= v.span.from {
		return false
	}
	block, bit := row.Installation>>blockBits, placeIn(row.Installation)
	if row.Installation >= v.members() || v.audience.of(block)&bit == 0 {
		return false
	}
	for _, listed := range v.appendBlock(nil, block, bit) {
		if v.equal(row, &listed) {
			return true
		}
	}
	return false
}
