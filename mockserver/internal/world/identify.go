package world

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

// Fingerprint names the world: two with the same one have the same people.
func (w *World) Fingerprint() string {
	settings, err := json.Marshal(w.settings)
	if err != nil { // none has a value that JSON lacks
		panic(err)
	}
	return fmt.Sprint(w.seed, " ", w.people, " ", string(settings))
}

// ProfileByID is the person with an identifier, if there is one.
func (w *World) ProfileByID(id string) (int64, bool) {
	opaque, is := strings.CutPrefix(id, "profile_")
	key, err := hex.DecodeString(opaque)
	if !is || err != nil || len(key) != 16 {
		return 0, false
	}
	n := unkeyed(w.keys.people, binary.BigEndian.Uint64(key))
	return int64(n), n < uint64(w.people) && string(appendOpaque(nil, keyed(w.keys.people, n))) == opaque
}

// ProfileByCustomID is the person with an identifier of the customer, however awkward it is.
func (w *World) ProfileByCustomID(id string) (int64, bool) {
	column := w.customs
	number, found := column.Literal(id)
	if !found {
		plain, _ := texture.Plain(id, customPrefix)
		number, found = w.numberOfCustomID(plain)
	}
	shows := func(number uint64) bool {
		if number >= uint64(w.people) || !w.hasCustomID(int64(number)) {
			return false
		}
		return string(column.Apply(w.appendCustomID(nil, int64(number)), 0, number)) == id
	}
	if found && shows(number) {
		return int64(number), true
	}
	other, alike := column.LookAlike(number)
	return int64(other), found && alike && shows(other)
}

// numberOfCustomID is whose identifier it would be, whether there is such a person or not.
func (w *World) numberOfCustomID(id string) (uint64, bool) {
	digits, is := strings.CutPrefix(id, customPrefix)
	key, err := hex.DecodeString(digits)
	if !is || err != nil || len(key) != 8 || strings.ToLower(digits) != digits {
		return 0, false
	}
	return unkeyed(w.keys.customs+1, binary.BigEndian.Uint64(key)), true
}

// everybody is after everybody of any world has all installations.
const everybody = begins + 100*year

// InstallationByID is the installation with an identifier, if there is one: the person, and which of theirs it is.
func (w *World) InstallationByID(id string) (person int64, device int, is bool) {
	digits, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	if err != nil || len(digits) != 16 {
		return 0, 0, false
	}
	key := keyOfUUID(binary.BigEndian.Uint64(digits), binary.BigEndian.Uint64(digits[8:]))
	n := unkeyed(w.keys.devices, key)
	p := Person{w: w}
	person, device = int64(n/mostDevices), int(n%mostDevices)
	is = n/mostDevices < uint64(w.people) && string(appendUUID(nil, key)) == id && p.become(person, everybody) && device < len(p.installations)
	return person, device, is
}

// unkeyed is the number that keyed made a random one of.
func unkeyed(key, random uint64) uint64 {
	return (unmix(unmix(random)^key) - golden) * inverse(golden)
}

func unmix(x uint64) uint64 {
	x = unshift(x, 31) * inverse(0x94d049bb133111eb)
	x = unshift(x, 27) * inverse(0xbf58476d1ce4e5b9)
	return unshift(x, 30)
}

func unshift(x uint64, by uint) uint64 {
	for shift := by; shift < 64; shift *= 2 {
		x ^= x >> shift
	}
	return x
}

// inverse is by what to multiply to undo a multiplication with an odd number.
func inverse(odd uint64) uint64 {
	made := odd
	for range 5 {
		made *= 2 - odd*made
	}
	return made
}
