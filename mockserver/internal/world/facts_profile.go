package world

// profileFacts are those of synthetic profiles.
type profileFacts struct {
	w     *World
	scope Scope
}

var _ ProfileFacts[Fact] = profileFacts{}

func (f profileFacts) noEmail(r *Row) bool { return !f.w.state(changeEmailPresent, r.Profile, r) }
func (f profileFacts) noPhone(r *Row) bool { return !f.w.state(changePhonePresent, r.Profile, r) }

func (f profileFacts) ProfileID() Fact {
	return Fact{Width: len("profile_") + opaqueWidth, Text: func(dst []byte, r *Row) []byte {
		return appendOpaque(append(dst, "profile_"...), f.w.keys.profile, uint64(r.Profile))
	}}
}

func (f profileFacts) CustomID() Fact {
	return Fact{
		Absent: func(r *Row) bool {
			return !f.w.hasCustomID(r.Profile) || r.ties.linkedID && !f.w.state(changeLinked, r.Installation, r)
		},
		Text: func(dst []byte, r *Row) []byte { return f.w.appendCustomID(dst, r.Profile) },
		Hints: Hints{DependsOn: OnRecipient, Optional: func(dst []byte, r *Row) []byte {
			salt := saltOf(uint64(r.Profile))
			if !f.w.customBy(salt) || r.ties.linkedID && !f.w.state(changeLinked, r.Installation, r) {
				return dst
			}
			return appendHex(append(dst, customPrefix...), drawSalted(f.w.keys.custom, salt))
		}},
		Width: len(customPrefix) + hexWidth,
	}
}

// customPrefix begins custom identifiers, before any texture.
const customPrefix = "user-"

func (w *World) appendCustomID(dst []byte, profile int64) []byte {
	return appendHex(append(dst, customPrefix...), draw(w.keys.custom, uint64(profile)))
}

func (f profileFacts) CreationDate() Fact {
	return Fact{Time: f.w.creation}
}

func (f profileFacts) EmailAddress() Fact {
	return Fact{Absent: f.noEmail, Text: f.w.appendEmail, Length: f.w.emailLength}
}

func (f profileFacts) MailboxProvider() Fact {
	fact := textFact(func(r *Row) string {
		if provider := f.w.mailboxOf(r); provider != nil {
			return provider.name
		}
		return otherProvider
	})
	fact.Absent = f.noEmail
	return fact
}

func (f profileFacts) PhoneNumber() Fact {
	return Fact{Absent: f.noPhone, Text: f.w.appendPhone, Length: f.w.phoneLength}
}

func (f profileFacts) PhoneCountry() Fact {
	fact := textFact(func(r *Row) string { return f.w.placeOf(r.Profile).Region })
	fact.Absent = f.noPhone
	return fact
}

var consentNames = []string{"unsubscribed", "subscribed"}

func (f profileFacts) EmailMarketing() Fact { return f.consent(changeEmailConsent, f.noEmail) }

func (f profileFacts) SMSMarketing() Fact { return f.consent(changeSMSConsent, f.noPhone) }

func (f profileFacts) consent(kind changeKind, absent func(*Row) bool) Fact {
	return Fact{Absent: absent, Names: consentNames, Choice: func(r *Row) int {
		if f.w.state(kind, r.Profile, r) {
			return 1
		}
		return 0
	}}
}

func (f profileFacts) HasEmailAddress() Fact {
	return Fact{Flag: func(r *Row) bool { return !f.noEmail(r) }}
}

func (f profileFacts) HasPhoneNumber() Fact {
	return Fact{Flag: func(r *Row) bool { return !f.noPhone(r) }}
}

func (f profileFacts) Language() Fact {
	return textFact(func(r *Row) string { return f.w.languageOf(r.Profile) })
}

func (f profileFacts) Region() Fact {
	return textFact(func(r *Row) string { return f.w.placeOf(r.Profile).Region })
}

func (f profileFacts) Timezone() Fact {
	return textFact(func(r *Row) string { return f.w.placeOf(r.Profile).TimeZone })
}

func (f profileFacts) LastVisitDate() Fact {
	return Fact{Time: f.w.startsIn(f.scope).lastVisit}
}

func (f profileFacts) LastActivity() Fact {
	last, started := f.w.latestIn(f.scope), f.w.startsIn(f.scope)
	opened, clicked := f.LastEmailTransactionalOpen(), f.LastEmailTransactionalClick()
	return Fact{Time: func(r *Row) int64 {
		at := max(started.lastVisit(r), last.of(r, latestEmailOpen), last.of(r, latestEmailClick))
		for _, fact := range [...]*Fact{&opened, &clicked} {
			if !fact.Absent(r) {
				at = max(at, fact.Time(r))
			}
		}
		return at
	}}
}

func (f profileFacts) LastEmailMarketingOpen() Fact {
	return f.w.latestIn(f.scope).fact(latestEmailOpen)
}

func (f profileFacts) LastEmailMarketingClick() Fact {
	return f.w.latestIn(f.scope).fact(latestEmailClick)
}

func (l *latest) fact(event int) Fact {
	return Fact{
		Time:   func(r *Row) int64 { return l.of(r, event) },
		Absent: func(r *Row) bool { return l.of(r, event) == 0 },
	}
}

func (f profileFacts) LastEmailTransactionalOpen() Fact { return f.w.transactional(0) }

func (f profileFacts) LastEmailTransactionalClick() Fact { return f.w.transactional(1) }

// transactional is the latest open or click of a transactional e-mail, which no
// export lists as an event. Some people click each one that they open, within
// an hour; an open shows after that hour.
func (w *World) transactional(clicks int64) Fact {
	return Fact{
		Absent: func(r *Row) bool {
			opened, pick := w.transactionalOpen(r)
			return opened < 0 || pick >= transactionalOpens-25*clicks
		},
		Time: func(r *Row) int64 {
			opened, _ := w.transactionalOpen(r)
			if clicks > 0 {
				opened += 1 + below(mix(draw(w.keys.transactional, uint64(r.Profile))), 3599)
			}
			return opened
		},
	}
}

// transactionalOpens is how many of a hundred people open transactional e-mails.
const transactionalOpens = 45

// transactionalOpen is when the profile of a row last opened a transactional e-mail, if it
// ever opens any, and which of a hundred people it is; below 0: it had no address then. The row caches both.
func (w *World) transactionalOpen(r *Row) (opened, pick int64) {
	if r.cache.transactional == 0 {
		key, at := draw(w.keys.transactional, uint64(r.Profile)), int64(-1)
		pick = int64(key >> 8 % 100)
		if pick < transactionalOpens && w.usuallyHasEmail(r.Profile) {
			at = lastOccurrence(key, everyVisit(w.activityOf(r.Profile)), r.Time-3600)
			if !w.createdBefore(r.Profile, at) || !w.timelineOf(changeEmailPresent).holdsThroughout(true, r.Profile, at, at+3600) {
				at = -1
			}
		}
		r.cache.transactional = at<<pickBits | pick
	}
	return r.cache.transactional >> pickBits, r.cache.transactional & (1<<pickBits - 1)
}

// pickBits are the bits of one of a hundred people.
const pickBits = 7

func (f profileFacts) ProfileInstallations() Fact {
	return Fact{
		Absent: func(r *Row) bool {
			none := true
			f.w.installed(r.Profile, r.Time, func(int64) { none = false })
			return none
		},
		Each: f.w.AppendInstallations,
	}
}

// AppendInstallations adds a row for every installation that the profile of a
// row has at its time.
func (w *World) AppendInstallations(r *Row, items []Row) []Row {
	item := *r
	item.cache, item.ties.borrowed = rowCache{}, false
	w.installed(r.Profile, r.Time, func(installation int64) {
		item.Installation = installation
		items = append(items, item)
	})
	return items
}
