package world

import "strconv"

func (w *World) placeOf(profile int64) *place {
	return &places[below(draw(w.keys.place, uint64(profile)), int64(len(places)))]
}

// A profile has an e-mail address, a telephone number, both, or, when an
// installation makes it known, neither.
func (w *World) usuallyHasEmail(profile int64) bool {
	if draw(w.keys.channels, uint64(profile))%100 < 82 {
		return true
	}
	_, installations := w.installationsOf(profile)
	return installations == 0 && !w.usuallyHasPhone(profile)
}

func (w *World) usuallyHasPhone(profile int64) bool {
	return draw(w.keys.channels, uint64(profile))>>32%100 < 56
}

func (w *World) hasCustomID(profile int64) bool {
	return draw(w.keys.customAbsent, uint64(profile))%100 < 89
}

// createdAt is when a profile was created: in the five years before the world
// begins.
func (w *World) createdAt(profile int64) int64 {
	return birth - day - below(draw(w.keys.created, uint64(profile)), 5*365*day)
}

func (w *World) visitedAt(profile, now int64) int64 {
	return max(lastOccurrence(draw(w.keys.visit, uint64(profile)), now), w.createdAt(profile))
}

// mailDomainOf is the domain of the e-mail address that a row shows.
func (w *World) mailDomainOf(r *Row) int64 {
	domain := below(draw(w.keys.emailDomain, uint64(r.Profile)), int64(len(mailDomains)))
	if w.state(changeEmailUpdated, r.Profile, r) {
		domain = (domain + 1) % int64(len(mailDomains))
	}
	return domain
}

func (w *World) namesOf(profile int64) (given, family string) {
	person := draw(w.keys.person, uint64(profile))
	return givenNames[below(person, int64(len(givenNames)))], familyNames[below(mix(person), int64(len(familyNames)))]
}

// emailBase is the base in which an e-mail address has the number of its
// profile.
const emailBase = 36

func (w *World) appendEmail(dst []byte, r *Row) []byte {
	given, family := w.namesOf(r.Profile)
	dst = append(append(append(append(dst, given...), '.'), family...), '.')
	dst = append(strconv.AppendInt(dst, r.Profile, emailBase), '@')
	return append(dst, mailDomains[w.mailDomainOf(r)].domain...)
}

func (w *World) emailLength(r *Row) int {
	given, family := w.namesOf(r.Profile)
	return len(given) + len(".") + len(family) + len(".") + digits(r.Profile, emailBase) + len("@") + len(mailDomains[w.mailDomainOf(r)].domain)
}

func (w *World) appendPhone(dst []byte, r *Row) []byte {
	home := w.placeOf(r.Profile)
	number := below(draw(w.keys.phone, uint64(r.Profile)), home.phoneCount)
	if w.state(changePhoneUpdated, r.Profile, r) {
		number = (number + 1) % home.phoneCount
	}
	dst = append(dst, home.phonePrefix...)
	number += home.phoneFirst
	for digit, unit := home.phoneDigits, pow10(home.phoneDigits-1); digit > 0; digit, unit = digit-1, unit/10 {
		dst = append(dst, '0'+byte(number/unit%10))
	}
	return dst
}

func (w *World) phoneLength(r *Row) int {
	home := w.placeOf(r.Profile)
	return len(home.phonePrefix) + home.phoneDigits
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
