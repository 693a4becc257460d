package overlay

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/record"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// profileFacts are those of loaded profiles.
type profileFacts struct{ s *Overlay }

var _ world.ProfileFacts[loadedFact] = profileFacts{}

func (f profileFacts) of(r *world.Row) *record.Profile { return f.s.detailed(r) }

func (f profileFacts) text(value func(*input.Profile) string) loadedFact {
	return textFact(func(r *world.Row) string { return value(f.of(r).Given()) }, nil)
}

// latest is the later one of a loaded date and the last event of some types.
func (f profileFacts) latest(value func(*input.Profile) input.Timestamp, counts func(eventType string) bool) loadedFact {
	return loadedFact{latest: true, time: func(r *world.Row) (int64, bool) {
		at := max(value(f.of(r).Given()).UpTo(r.Time), latest(f.s.tracesOf(r), r, counts))
		return at, at != 0
	}}
}

func (f profileFacts) ProfileID() loadedFact {
	return textFact(func(r *world.Row) string { return loadedOf(r).of.ID }, nil)
}

func (f profileFacts) CustomID() loadedFact { return loadedFact{text: f.s.customID} }

func (f profileFacts) CreationDate() loadedFact {
	return loadedFact{time: func(r *world.Row) (int64, bool) {
		date := f.of(r).Given().CreationDate
		return date.Second, date.Given
	}}
}

func (f profileFacts) EmailAddress() loadedFact { return f.s.addressFact(input.FlagEmail, "email") }

func (f profileFacts) PhoneNumber() loadedFact { return f.s.addressFact(input.FlagPhone, "sms") }

func (f profileFacts) HasEmailAddress() loadedFact { return f.hasAddress(input.FlagEmail) }

func (f profileFacts) HasPhoneNumber() loadedFact { return f.hasAddress(input.FlagPhone) }

func (f profileFacts) hasAddress(which input.Flag) loadedFact {
	return loadedFact{flag: func(r *world.Row) (bool, bool) {
		_, has := f.of(r).Address(limitOf(r), which)
		return has, true
	}}
}

func (f profileFacts) MailboxProvider() loadedFact {
	return f.text(func(p *input.Profile) string { return p.MailboxProvider })
}

func (f profileFacts) PhoneCountry() loadedFact {
	return f.text(func(p *input.Profile) string { return p.PhoneCountry })
}

func (f profileFacts) EmailMarketing() loadedFact {
	return f.s.consentFact(input.FlagEmailConsent, func(p *input.Profile) string { return p.EmailMarketing })
}

func (f profileFacts) SMSMarketing() loadedFact {
	return f.s.consentFact(input.FlagSMSConsent, func(p *input.Profile) string { return p.SMSMarketing })
}

func (f profileFacts) Language() loadedFact {
	return f.text(func(p *input.Profile) string { return p.Language })
}

func (f profileFacts) Region() loadedFact {
	return f.text(func(p *input.Profile) string { return p.Region })
}

func (f profileFacts) Timezone() loadedFact {
	return f.text(func(p *input.Profile) string { return p.Timezone })
}

func (f profileFacts) LastVisitDate() loadedFact {
	return f.latest(func(p *input.Profile) input.Timestamp { return p.LastVisitDate }, startsApp)
}

func (f profileFacts) LastActivity() loadedFact {
	visit := f.latest(func(p *input.Profile) input.Timestamp { return p.LastVisitDate }, isActivity)
	activity := f.latest(func(p *input.Profile) input.Timestamp { return p.LastActivity }, isActivity)
	return loadedFact{latest: true, time: func(r *world.Row) (int64, bool) {
		first, _ := visit.time(r)
		second, _ := activity.time(r)
		return max(first, second), max(first, second) != 0
	}}
}

func (f profileFacts) LastEmailMarketingOpen() loadedFact {
	return f.latest(func(p *input.Profile) input.Timestamp { return p.LastEmailMarketingOpen }, isType("email_open"))
}

func (f profileFacts) LastEmailMarketingClick() loadedFact {
	return f.latest(func(p *input.Profile) input.Timestamp { return p.LastEmailMarketingClick }, isType("email_click"))
}

func (f profileFacts) LastEmailTransactionalOpen() loadedFact {
	return f.latest(func(p *input.Profile) input.Timestamp { return p.LastEmailTransactionalOpen }, noType)
}

func (f profileFacts) LastEmailTransactionalClick() loadedFact {
	return f.latest(func(p *input.Profile) input.Timestamp { return p.LastEmailTransactionalClick }, noType)
}

func isType(wanted string) func(string) bool {
	return func(eventType string) bool { return eventType == wanted }
}

func noType(string) bool { return false }

func (f profileFacts) ProfileInstallations() loadedFact { return loadedFact{each: f.s.installationsOf} }

// customID is the custom identifier that a row shows: an installation that is
// not linked shows none.
func (s *Overlay) customID(r *world.Row) (string, bool) {
	id := loadedOf(r).of.CustomID
	switch s.query.World.View {
	case vocabulary.ViewInstallations, vocabulary.ViewInstallationChanges, vocabulary.ViewInstallationMessages, vocabulary.ViewInstallationRecipients:
		if r.Installation >= 0 && !s.isLinked(r) {
			return "", false
		}
	}
	return id, id != ""
}

// addressFact is an address or a number: what the event itself says it was sent
// to, if its type has the prefix of the channel, or that of the profile.
func (s *Overlay) addressFact(which input.Flag, eventPrefix string) loadedFact {
	return loadedFact{
		text: func(r *world.Row) (string, bool) {
			if e := s.eventOf(r); e.EmailAddress+e.PhoneNumber != "" {
				if which == input.FlagEmail && e.EmailAddress != "" && strings.HasPrefix(e.Type, eventPrefix) {
					return e.EmailAddress, true
				}
				if which == input.FlagPhone && e.PhoneNumber != "" && strings.HasPrefix(e.Type, eventPrefix) {
					return e.PhoneNumber, true
				}
			}
			text, has := s.detailed(r).Address(limitOf(r), which)
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
func placeholderAddress(r *world.Row, which input.Flag) string {
	sum := sha256.Sum256([]byte(loadedOf(r).of.ID))
	if which == input.FlagEmail {
		return "profile-" + hex.EncodeToString(sum[:8]) + "@example.com"
	}
	return "+120255501" + string([]byte{'0' + sum[0]%10, '0' + sum[1]%10})
}

func (s *Overlay) consentFact(which input.Flag, of func(*input.Profile) string) loadedFact {
	return loadedFact{text: func(r *world.Row) (string, bool) {
		p := s.detailed(r)
		if state, known := p.History.State(which, limitOf(r)); known {
			if state {
				return input.Subscribed, true
			}
			return "unsubscribed", true
		}
		text := of(p.Given())
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
	for i := range of.Installations {
		in := &of.Installations[i]
		if _, synthetic := s.counterparts.installations[in.Number]; synthetic && in.Encoded == "" {
			continue
		}
		if date := in.Given().InstallDate; date.Given && date.Second > r.Time {
			continue
		}
		item := *r
		item.Installation = int64(in.Number)
		item.Loaded = &loadedRow{of: of, on: in, event: l.event, limit: l.limit}
		items = append(items, item)
	}
	return items
}
