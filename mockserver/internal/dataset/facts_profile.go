package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// profileFacts are those of loaded profiles.
type profileFacts struct{ s *Overlay }

var _ world.ProfileFacts[loadedFact] = profileFacts{}

func (f profileFacts) of(r *world.Row) *profile { return f.s.detailed(r) }

func (f profileFacts) text(value func(*profileRow) string) loadedFact {
	return textFact(func(r *world.Row) string { return value(f.of(r).given()) }, nil)
}

// latest is the later one of a loaded date and the last event of some types.
func (f profileFacts) latest(value func(*profileRow) timestamp, counts func(eventType string) bool) loadedFact {
	return loadedFact{latest: true, time: func(r *world.Row) (int64, bool) {
		at := max(value(f.of(r).given()).upTo(r.Time), latest(f.s.tracesOf(r), r, counts))
		return at, at != 0
	}}
}

func (f profileFacts) ProfileID() loadedFact {
	return textFact(func(r *world.Row) string { return loadedOf(r).of.id }, nil)
}

func (f profileFacts) CustomID() loadedFact { return loadedFact{text: f.s.customID} }

func (f profileFacts) CreationDate() loadedFact {
	return loadedFact{time: func(r *world.Row) (int64, bool) {
		date := f.of(r).given().CreationDate
		return date.second, date.given
	}}
}

func (f profileFacts) EmailAddress() loadedFact { return f.s.addressFact(flagEmail, "email") }

func (f profileFacts) PhoneNumber() loadedFact { return f.s.addressFact(flagPhone, "sms") }

func (f profileFacts) HasEmailAddress() loadedFact { return f.hasAddress(flagEmail) }

func (f profileFacts) HasPhoneNumber() loadedFact { return f.hasAddress(flagPhone) }

func (f profileFacts) hasAddress(which flag) loadedFact {
	return loadedFact{flag: func(r *world.Row) (bool, bool) {
		_, has := f.of(r).address(limitOf(r), which)
		return has, true
	}}
}

func (f profileFacts) MailboxProvider() loadedFact {
	return f.text(func(p *profileRow) string { return p.MailboxProvider })
}

func (f profileFacts) PhoneCountry() loadedFact {
	return f.text(func(p *profileRow) string { return p.PhoneCountry })
}

func (f profileFacts) EmailMarketing() loadedFact {
	return f.s.consentFact(flagEmailConsent, func(p *profileRow) string { return p.EmailMarketing })
}

func (f profileFacts) SMSMarketing() loadedFact {
	return f.s.consentFact(flagSMSConsent, func(p *profileRow) string { return p.SMSMarketing })
}

func (f profileFacts) Language() loadedFact {
	return f.text(func(p *profileRow) string { return p.Language })
}

func (f profileFacts) Region() loadedFact {
	return f.text(func(p *profileRow) string { return p.Region })
}

func (f profileFacts) Timezone() loadedFact {
	return f.text(func(p *profileRow) string { return p.Timezone })
}

func (f profileFacts) LastVisitDate() loadedFact {
	return f.latest(func(p *profileRow) timestamp { return p.LastVisitDate }, startsApp)
}

func (f profileFacts) LastActivity() loadedFact {
	visit := f.latest(func(p *profileRow) timestamp { return p.LastVisitDate }, isActivity)
	activity := f.latest(func(p *profileRow) timestamp { return p.LastActivity }, isActivity)
	return loadedFact{latest: true, time: func(r *world.Row) (int64, bool) {
		first, _ := visit.time(r)
		second, _ := activity.time(r)
		return max(first, second), max(first, second) != 0
	}}
}

func (f profileFacts) LastEmailMarketingOpen() loadedFact {
	return f.latest(func(p *profileRow) timestamp { return p.LastEmailMarketingOpen }, isType("email_open"))
}

func (f profileFacts) LastEmailMarketingClick() loadedFact {
	return f.latest(func(p *profileRow) timestamp { return p.LastEmailMarketingClick }, isType("email_click"))
}

func (f profileFacts) LastEmailTransactionalOpen() loadedFact {
	return f.latest(func(p *profileRow) timestamp { return p.LastEmailTransactionalOpen }, noType)
}

func (f profileFacts) LastEmailTransactionalClick() loadedFact {
	return f.latest(func(p *profileRow) timestamp { return p.LastEmailTransactionalClick }, noType)
}

func isType(wanted string) func(string) bool {
	return func(eventType string) bool { return eventType == wanted }
}

func noType(string) bool { return false }

func (f profileFacts) ProfileInstallations() loadedFact { return loadedFact{each: f.s.installationsOf} }

// customID is the custom identifier that a row shows: an installation that is
// not linked shows none.
func (s *Overlay) customID(r *world.Row) (string, bool) {
	id := loadedOf(r).of.customID
	switch s.query.World.View {
	case world.ViewInstallations, world.ViewInstallationChanges, world.ViewInstallationMessages, world.ViewInstallationRecipients:
		if r.Installation >= 0 && !s.isLinked(r) {
			return "", false
		}
	}
	return id, id != ""
}

// addressFact is an address or a number: what the event itself says it was sent
// to, if its type has the prefix of the channel, or that of the profile.
func (s *Overlay) addressFact(which flag, eventPrefix string) loadedFact {
	return loadedFact{
		text: func(r *world.Row) (string, bool) {
			if e := s.eventOf(r); e.EmailAddress+e.PhoneNumber != "" {
				if which == flagEmail && e.EmailAddress != "" && strings.HasPrefix(e.Type, eventPrefix) {
					return e.EmailAddress, true
				}
				if which == flagPhone && e.PhoneNumber != "" && strings.HasPrefix(e.Type, eventPrefix) {
					return e.PhoneNumber, true
				}
			}
			text, has := s.detailed(r).address(limitOf(r), which)
			if has && text == "" {
				text = placeholderAddress(r, which)
			}
			return text, has
		},
		fallback: func(r *world.Row) string { return placeholderAddress(r, which) },
	}
}

// placeholderAddress is an address under a domain that is reserved for examples, or a
// number that is reserved for fiction: nobody has it.
func placeholderAddress(r *world.Row, which flag) string {
	sum := sha256.Sum256([]byte(loadedOf(r).of.id))
	if which == flagEmail {
		return "profile-" + hex.EncodeToString(sum[:8]) + "@example.com"
	}
	return "+120255501" + string([]byte{'0' + sum[0]%10, '0' + sum[1]%10})
}

func (s *Overlay) consentFact(which flag, of func(*profileRow) string) loadedFact {
	return loadedFact{text: func(r *world.Row) (string, bool) {
		p := s.detailed(r)
		if state, known := p.history.state(which, limitOf(r)); known {
			if state {
				return subscribed, true
			}
			return "unsubscribed", true
		}
		text := of(p.given())
		return text, text != ""
	}, fallback: constantText("unsubscribed")}
}

// installationsOf are the installations of a profile, synthetic ones first.
func (s *Overlay) installationsOf(r *world.Row, items []world.Row) []world.Row {
	if s.inheritsProfile(r) {
		base, _ := s.syntheticRow(r)
		begin := len(items)
		items = s.world.AppendInstallations(&base, items)
		kept := begin
		for _, item := range items[begin:] {
			if loaded, is := s.counterparts.loadedInstallation[item.Installation]; is && s.counterparts.installations[loaded].loaded {
				continue // a loaded row replaces it, with an owner of its own
			}
			items[kept] = item
			kept++
		}
		items = items[:kept]
	}
	l := loadedOf(r)
	of := s.wholeOf(l.of)
	for i := range of.installations {
		in := &of.installations[i]
		if _, synthetic := s.counterparts.installations[in.number]; synthetic && in.encoded == "" {
			continue
		}
		if date := in.loaded().InstallDate; date.given && date.second > r.Time {
			continue
		}
		item := *r
		item.Installation = int64(in.number)
		item.Loaded = &loadedRow{of: of, on: in, event: l.event, limit: l.limit}
		items = append(items, item)
	}
	return items
}
