package check_test

import (
	"slices"
	"time"
)

const csvDate = "2006-01-02T15:04:05"

var plantedInLedger = []planted{
	{"an in-app message after the last start", "starts", func(b *book) []*line {
		return b.startedBefore("in-app-campaign.events", "inapp_closed")
	}, nil, nil},
	{"an opened push message after the last start", "starts", func(b *book) []*line {
		return b.startedBefore("campaign.events", "push_opened")
	}, nil, nil},
	{"an opened push message after the last visit", "starts", func(b *book) []*line {
		var visitor *line
		l := b.find("profiles.events", func(l *line) bool {
			found := b.all("profiles.attributes", profileOf, l.get(profileOf))
			if l.get("event_type") != "push_open" || len(found) != 1 || found[0].get("attributes/$creation_date") >= l.time().Format(time.RFC3339) {
				return false
			}
			opened := b.all("profiles.events", profileOf, l.get(profileOf))
			visitor = found[0]
			return !slices.ContainsFunc(opened, func(other *line) bool {
				return other.get("event_type") == "push_open" &&
					other.time().After(l.time())
			})
		})
		visitor.set("attributes/$last_visit_date", l.time().Add(-time.Second).Format(time.RFC3339))
		return []*line{l}
	}, nil, nil},
	{"mail to an address from which it bounced for good", "ended", func(b *book) []*line {
		var later []*line
		l := b.find("profiles.events", func(l *line) bool {
			later = nil
			if l.get("event_type") != "email_bounced" || l.get("bounce_type") != "soft" {
				return false
			}
			for _, other := range b.all("profiles.events", "email_address", l.get("email_address")) {
				if other.get("event_type") == "email_sent" && other.time().After(l.time()) {
					later = append(later, other)
				}
			}
			return len(later) > 0
		})
		l.set("bounce_type", "hard")
		return later
	}, nil, nil},
	{"mail after a complaint", "unsubscribed", func(b *book) []*line {
		l := b.find("profiles.events", func(l *line) bool {
			all := b.all("profiles.events", profileOf, l.get(profileOf))
			last := slices.IndexFunc(all, func(other *line) bool { return other == l })
			return l.get("event_type") == "email_spam_complaint" && last > 0 && slices.ContainsFunc(all[:last], func(other *line) bool {
				return other.get("event_type") == "email_sent" && other.get("sent_id") != l.get("sent_id")
			})
		})
		all := b.all("profiles.events", profileOf, l.get(profileOf))
		at := slices.IndexFunc(all, eventIs("email_sent"))
		return []*line{all[at].copy().set("sent_id", "sent_00000000000000000000000000000000").at(l.time().Add(time.Second)).insert()}
	}, nil, nil},
	{"a push message that its profile never got", "sendings", func(b *book) []*line {
		all := b.all("profiles.events", "event_type", "push_sent")
		l := b.find("campaign.events", func(l *line) bool { // within the time that the other file covers
			return l.get("event_type") == "push_sent" && l.get("custom_id") != "" && len(all) > 0 && all[0].time().Before(l.time()) &&
				all[len(all)-1].time().After(l.time())
		})
		for _, told := range b.all("profiles.events", "identifiers/custom_id", l.get("custom_id")) {
			if told.get("event_type") == "push_sent" && told.time().Equal(l.time()) {
				told.remove()
			}
		}
		return []*line{l}
	}, []string{"journey"}, nil},
	{"a push message that one interface tells a second later", "sendings", func(b *book) []*line {
		l := b.find("transactional.events", func(l *line) bool { return l.get("event_type") == "push_opened" && l.get("custom_id") != "" })
		l.remove()
		return []*line{l.at(l.time().Add(time.Second)).insert()}
	}, []string{"starts"}, nil},
}

// startedBefore makes the last start of an installation a second earlier than the
// last event of a type on it, which is the last thing that happens there.
func (b *book) startedBefore(name, event string) []*line {
	var started *line
	l := b.find(name, func(l *line) bool {
		found := b.all("userbase", "install_id", l.get("install_id"))
		if l.get("event_type") != event || len(found) != 1 {
			return false
		}
		started = found[0]
		for _, sheet := range []string{"in-app-campaign.events", "campaign.events", "transactional.events"} {
			for _, other := range b.all(sheet, "install_id", l.get("install_id")) {
				if other != l && !other.time().Before(l.time()) {
					return false
				}
			}
		}
		return started.get("install_date") < l.time().Add(-time.Second).Format(csvDate)
	})
	started.set("last_start_date", l.time().Add(-time.Second).Format(csvDate))
	return []*line{l, started}
}
