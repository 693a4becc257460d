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

func (w *World) mailDomainOf(profile, at int64) int64 {
	domain := below(draw(w.keys.emailDomain, uint64(profile)), int64(len(mailDomains)))
	if w.emailUpdated.at(profile, at) {
		domain = (domain + 1) % int64(len(mailDomains))
	}
	return domain
}

func (w *World) appendEmail(dst []byte, profile, at int64) []byte {
	person := draw(w.keys.person, uint64(profile))
	dst = append(dst, givenNames[below(person, int64(len(givenNames)))]...)
	dst = append(dst, '.')
	dst = append(dst, familyNames[below(mix(person), int64(len(familyNames)))]...)
	dst = append(dst, '.')
	dst = strconv.AppendInt(dst, profile, 36)
	dst = append(dst, '@')
	return append(dst, mailDomains[w.mailDomainOf(profile, at)].domain...)
}

func (w *World) appendPhone(dst []byte, profile, at int64) []byte {
	home := w.placeOf(profile)
	number := below(draw(w.keys.phone, uint64(profile)), home.phoneCount)
	if w.phoneUpdated.at(profile, at) {
		number = (number + 1) % home.phoneCount
	}
	dst = append(dst, home.phonePrefix...)
	number += home.phoneFirst
	for digit, unit := home.phoneDigits, pow10(home.phoneDigits-1); digit > 0; digit, unit = digit-1, unit/10 {
		dst = append(dst, '0'+byte(number/unit%10))
	}
	return dst
}

func pow10(n int) int64 {
	power := int64(1)
	for range n {
		power *= 10
	}
	return power
}
