package dataset

import (
	"encoding/hex"
	"strings"

	"crypto/sha256"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// loaded is what was loaded of a profile; an empty row when nothing was.
func (p *profile) loaded() *profileRow {
	if p.row == nil {
		return &profileRow{}
	}
	return p.row
}

func (s *Overlay) profileFact(name string) (given, bool) {
	of := func(r *world.Row) *profile { return &s.profiles[r.Profile] }
	text := func(value func(*profileRow) string) given {
		return given{text: fixed(func(r *world.Row) string { return value(of(r).loaded()) })}
	}
	date := func(value func(*profileRow) moment, counts func(string) bool) given {
		return given{time: func(r *world.Row) (int64, bool) {
			at := max(value(of(r).loaded()).upTo(r.Time), s.latest(s.eventsOf(int32(r.Profile)), r, counts))
			return at, at != 0
		}}
	}
	none := func(string) bool { return false }
	is := func(eventType string) func(string) bool { return func(other string) bool { return other == eventType } }
	switch name {
	case "profile.id":
		return given{text: fixed(func(r *world.Row) string { return of(r).id })}, true
	case "profile.custom_id":
		return given{text: func(r *world.Row) (string, bool) { return s.customID(r) }}, true
	case "profile.creation_date":
		return given{time: func(r *world.Row) (int64, bool) { date := of(r).loaded().CreationDate; return date.second, date.given }}, true
	case "profile.email_address":
		return s.addressFact(flagEmail, "email_sent"), true
	case "profile.mailbox_provider":
		return text(func(p *profileRow) string { return p.MailboxProvider }), true
	case "profile.phone_number":
		return s.addressFact(flagPhone, "sms_sent"), true
	case "profile.phone_country":
		return text(func(p *profileRow) string { return p.PhoneCountry }), true
	case "profile.has_email_address", "profile.has_phone_number":
		which := flagEmail
		if name == "profile.has_phone_number" {
			which = flagPhone
		}
		return given{flag: func(r *world.Row) (bool, bool) {
			_, has := s.address(int32(r.Profile), s.limitOf(r), which)
			return has, true
		}}, true
	case "profile.email_marketing":
		return s.consentFact(flagEmailConsent, func(p *profileRow) string { return p.EmailMarketing }), true
	case "profile.sms_marketing":
		return s.consentFact(flagSMSConsent, func(p *profileRow) string { return p.SMSMarketing }), true
	case "profile.language":
		return text(func(p *profileRow) string { return p.Language }), true
	case "profile.region":
		return text(func(p *profileRow) string { return p.Region }), true
	case "profile.timezone":
		return text(func(p *profileRow) string { return p.Timezone }), true
	case "profile.last_visit_date":
		return date(func(p *profileRow) moment { return p.LastVisitDate }, startsApp), true
	case "profile.last_activity":
		visit := date(func(p *profileRow) moment { return p.LastVisitDate }, isActivity)
		activity := date(func(p *profileRow) moment { return p.LastActivity }, isActivity)
		return given{time: func(r *world.Row) (int64, bool) {
			first, _ := visit.time(r)
			second, _ := activity.time(r)
			return max(first, second), max(first, second) != 0
		}}, true
	case "profile.last_email_marketing_open":
		return date(func(p *profileRow) moment { return p.LastEmailMarketingOpen }, is("email_open")), true
	case "profile.last_email_marketing_click":
		return date(func(p *profileRow) moment { return p.LastEmailMarketingClick }, is("email_click")), true
	case "profile.last_email_transactional_open":
		return date(func(p *profileRow) moment { return p.LastEmailTransactionalOpen }, none), true
	case "profile.last_email_transactional_click":
		return date(func(p *profileRow) moment { return p.LastEmailTransactionalClick }, none), true
	case "profile.installations":
		return given{each: s.installationsOf}, true
	}
	return given{}, false
}

// customID is the custom identifier that a row shows: an installation that is
// not linked shows none.
func (s *Overlay) customID(r *world.Row) (string, bool) {
	id := s.profiles[r.Profile].customID
	switch s.query.World.View {
	case world.ViewInstallations, world.ViewInstallationChanges, world.ViewInstallationMessages, world.ViewInstallationRecipients:
		if r.Installation >= 0 && !s.isLinked(int32(r.Installation), s.limitOf(r)) {
			return "", false
		}
	}
	return id, id != ""
}

// addressFact is an address or a number: what the event itself says it was sent
// to, or that of the profile.
func (s *Overlay) addressFact(which flag, like string) given {
	family, _, _ := strings.Cut(like, "_")
	return given{
		text: func(r *world.Row) (string, bool) {
			if s.events {
				e := &s.Snapshot.events[r.Loaded-1]
				if which == flagEmail && e.EmailAddress != "" && strings.HasPrefix(e.Type, family) {
					return e.EmailAddress, true
				}
				if which == flagPhone && e.PhoneNumber != "" && strings.HasPrefix(e.Type, family) {
					return e.PhoneNumber, true
				}
			}
			text, has := s.address(int32(r.Profile), s.limitOf(r), which)
			if has && text == "" {
				text = s.madeAddress(int32(r.Profile), which)
			}
			return text, has
		},
		instead: func(r *world.Row) string { return s.madeAddress(int32(r.Profile), which) },
	}
}

// madeAddress is an address under a domain that is reserved for examples, or a
// number that is reserved for fiction: nobody has it.
func (s *Overlay) madeAddress(profile int32, which flag) string {
	sum := sha256.Sum256([]byte(s.profiles[profile].id))
	if which == flagEmail {
		return "profile-" + hex.EncodeToString(sum[:8]) + "@example.com"
	}
	return "+120255501" + string([]byte{'0' + sum[0]%10, '0' + sum[1]%10})
}

func (s *Overlay) consentFact(which flag, of func(*profileRow) string) given {
	return given{text: func(r *world.Row) (string, bool) {
		p := &s.profiles[r.Profile]
		if state, known := p.history.state(which, s.limitOf(r)); known {
			if state {
				return subscribed, true
			}
			return "unsubscribed", true
		}
		text := of(p.loaded())
		return text, text != ""
	}, instead: always("unsubscribed")}
}

// installationsOf are the installations of a profile, synthetic ones first.
func (s *Overlay) installationsOf(r *world.Row, items []world.Row) []world.Row {
	if s.inheritsProfile(r) {
		if synthetic, found := s.world.Fact("profile.installations", world.Scope{}); found {
			base, _ := s.base(r)
			begin := len(items)
			items = synthetic.Each(&base, items)
			kept := begin
			for _, item := range items[begin:] {
				if own, is := s.bases.ownInstallation[item.Installation]; is && s.installations[own].row != nil {
					continue // it was loaded, and belongs to somebody now
				}
				items[kept] = item
				kept++
			}
			items = items[:kept]
		}
	}
	for _, i := range s.profiles[r.Profile].installations {
		in := &s.installations[i]
		if in.row == nil && s.bases.installations[i] >= 0 {
			continue // a synthetic one
		}
		if date := in.loaded().InstallDate; date.given && date.second > r.Time {
			continue
		}
		item := *r
		item.Installation = int64(i)
		items = append(items, item)
	}
	return items
}
