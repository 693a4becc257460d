package world

import (
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

func (w *World) hasCustomID(profile int64) bool { return w.customBy(saltOf(uint64(profile))) }

// customBy is hasCustomID by the salt of a profile.
func (w *World) customBy(salt uint64) bool { return drawSalted(w.keys.customAbsent, salt)%100 < 89 }

// createdAt is when a profile was created.
func (w *World) createdAt(profile int64) int64 { return w.arrivals.at(profile) }

// createdBefore reports whether a profile was created before an instant.
func (w *World) createdBefore(profile, instant int64) bool {
	switch {
	case profile < w.created.lowerBound(instant):
		return true
	case profile >= w.created.lowerBound(instant+week):
		return false
	}
	return w.createdAt(profile) < instant
}

// lastVisit is when the profile of a row last visited a page or an app. The row
// caches it.
func (s *starts) lastVisit(r *Row) int64 {
	if r.cache.visited == 0 {
		r.cache.visited = s.computeLastVisit(r)
	}
	return r.cache.visited
}

func (s *starts) computeLastVisit(r *Row) int64 {
	w, found := s.world, s.around(r.Profile, r.Time)
	at := lastOccurrence(draw(w.keys.visit, uint64(r.Profile)), everyVisit(levelIn(&found.words, r.Profile)), r.Time)
	r.cache.created = found.home.createdAt(r.Profile)
	at = max(at, r.cache.created)
	owned := &found.home.owned[r.Profile%blockSize]
	for nth := int64(owned.before); nth < int64(owned.before+owned.count); nth++ {
		if installed := found.home.at(nth); installed <= r.Time {
			at = max(at, s.ofIn(found, found.home.first+nth, installed))
		}
	}
	return at
}

// creation is when the profile of a row was created. The row caches it.
func (w *World) creation(r *Row) int64 {
	if r.cache.created != 0 {
		return r.cache.created
	}
	if r.ties.snapshot {
		if kept := w.installTimesAround(r.Profile); kept != nil {
			r.cache.created = kept.createdAt(r.Profile)
			return r.cache.created
		}
	}
	r.cache.created = w.createdAt(r.Profile)
	return r.cache.created
}

func (w *World) namesOf(profile int64) (given, family string) {
	person := draw(w.keys.person, uint64(profile))
	return givenNames[below(person, int64(len(givenNames)))], familyNames[below(mix(person), int64(len(familyNames)))]
}

// emailBase is the base in which an e-mail address has the number of its
// profile.
const emailBase = 36

func (w *World) appendEmail(dst []byte, r *Row) []byte {
	first, second := w.namesOf(r.Profile)
	if w.state(changeEmailUpdated, r.Profile, r) {
		first, second = second, first // another address, whoever has the mailbox
	}
	dst = append(append(append(append(dst, first...), '.'), second...), '.')
	dst = appendProfile(dst, uint64(r.Profile))
	if nth := w.addressOf(r); nth > 0 {
		dst = strconv.AppendInt(append(dst, '.'), nth, 10)
	}
	return w.appendMailDomain(append(dst, '@'), r)
}

func (w *World) emailLength(r *Row) int {
	given, family := w.namesOf(r.Profile)
	number := 0
	if nth := w.addressOf(r); nth > 0 {
		number = len(".") + digits(nth, 10)
	}
	return number + len(given) + len(".") + len(family) + len(".") + digits(r.Profile, emailBase) + len("@") + w.mailDomainLength(r)
}

// appendProfile is strconv.AppendUint in emailBase, which it divides by faster.
func appendProfile(dst []byte, profile uint64) []byte {
	var text [13]byte // of any number
	at := len(text) - 1
	for ; profile >= emailBase && at > 0; at-- {
		text[at] = emailDigits[profile%emailBase]
		profile /= emailBase
	}
	text[at] = emailDigits[profile%emailBase]
	return append(dst, text[at:]...)
}

const emailDigits = "0123456789abcdefghijklmnopqrstuvwxyz"

// addressOf tells the addresses apart that a profile has one after the other: one
// that was removed, since mail to it bounced, does not come back. The first is 0.
func (w *World) addressOf(r *Row) int64 {
	at := r.Time
	if changeEmailPresent >= r.changed {
		at--
	}
	line := w.timelineOf(changeEmailPresent)
	if !r.ties.snapshot && !line.moves.alone(r.Profile, r.Profile) {
		return 0
	}
	return line.lastReturn(r.Profile, at)
}

func (w *World) appendPhone(dst []byte, r *Row) []byte {
	place, line, _ := w.drawn.homes.of(w.lineOf(r.Profile))
	home := &places.All[place]
	number := home.FirstNumber + 2*line
	if w.state(changePhoneUpdated, r.Profile, r) {
		number += home.Apart
	}
	dst = append(dst, home.Prefix...)
	for digit, unit := home.Digits, pow10(home.Digits-1); digit > 0; digit, unit = digit-1, unit/10 {
		dst = append(dst, '0'+byte(number/unit%10))
	}
	return dst
}

func (w *World) phoneLength(r *Row) int {
	home := w.placeOf(r.Profile)
	return len(home.Prefix) + home.Digits
}

// digits is how many digits a number, from zero, has in a base.
func digits(n, base int64) int {
	count := 1
	for ; n >= base; n /= base {
		count++
	}
	return count
}

func pow10(n int) int64 {
	power := int64(1)
	for range n {
		power *= 10
	}
	return power
}
