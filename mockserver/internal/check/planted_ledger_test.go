package check_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

const csvDate = "2006-01-02T15:04:05"

var plantedInLedger = []planted{
	{"an in-app message after the last start", "starts", func(b *book) []*line {
		return b.startedBefore("in-app-campaign.events", "inapp_closed")
	}, []string{"segment"}, nil},
	{"an opened push message after the last start", "starts", func(b *book) []*line {
		return b.startedBefore("campaign.events", "push_opened")
	}, []string{"segment"}, nil},
	{"an opened push message after the last visit", "starts", func(b *book) []*line {
		var visitor *line
		l := b.find("profiles.events", func(l *line) bool {
			found := b.all("profiles.attributes", profileOf, l.get(profileOf))
			if l.get("event_type") != "push_open" || len(found) != 1 || found[0].get("attributes/$creation_date") >= l.time().Format(time.RFC3339) {
				return false
			}
			opened := b.all("profiles.events", profileOf, l.get(profileOf))
			visitor = found[0]
			return !slices.ContainsFunc(opened, func(other *line) bool { return other.get("event_type") == "push_open" && other.time().After(l.time()) })
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
	{"a push message to a token from which one bounced for good", "ended", func(b *book) []*line {
		bounce, later := b.deadToken()
		bounce.set("bounce_type", "hard").set("bounce_code", "unregistered")
		return later
	}, nil, nil},
	{"an active installation that was not started for months", "segment", func(b *book) []*line {
		return []*line{b.find("userbase", hasSegment("inactive")).set("smart_segment", "active")}
	}, nil, nil},
	{"an inactive installation that was started this week", "segment", func(b *book) []*line {
		return []*line{b.find("userbase", hasSegment("active")).set("smart_segment", "inactive")}
	}, nil, nil},
	{"an old installation that is new", "segment", func(b *book) []*line {
		return []*line{b.find("userbase", hasSegment("occasional")).set("smart_segment", "new")}
	}, nil, nil},
	{"a new installation that is active", "segment", func(b *book) []*line {
		return []*line{b.find("userbase", hasSegment("new")).set("smart_segment", "active")}
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
			return l.get("event_type") == "push_sent" && l.get("custom_id") != "" && len(all) > 0 && all[0].time().Before(l.time()) && all[len(all)-1].time().After(l.time())
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

// deadToken is a push message that bounced from the only installation of a profile, with those that were sent there later; no flag of
// the installation changes after it.
func (b *book) deadToken() (bounce *line, later []*line) {
	single := func(l *line) bool {
		found := b.all("profiles.attributes", profileOf, l.get(profileOf))
		if len(found) != 1 {
			return false
		}
		items, _ := found[0].value("attributes/$push_subscriptions").([]any)
		return len(items) == 1
	}
	bounce = b.find("profiles.events", func(l *line) bool {
		later = nil
		if l.get("event_type") != "push_bounced" || l.get("bounce_type") != "soft" || !single(l) {
			return false
		}
		for _, other := range b.all("profiles.events", profileOf, l.get(profileOf)) {
			if other.get("event_type") == "push_sent" && other.time().After(l.time()) {
				later = append(later, other)
			}
		}
		for _, other := range b.all("reachability.events", "custom_id", l.get("identifiers/custom_id")) {
			if other.time().After(l.time()) {
				return false
			}
		}
		told := b.file("reachability.events").rows // and their time is covered
		return len(later) > 0 && told[0].time().Before(l.time()) && told[len(told)-1].time().After(later[0].time())
	})
	return bounce, later
}

func hasSegment(label string) func(*line) bool {
	return func(l *line) bool { return l.get("smart_segment") == label }
}

// TestAnotherToken: an installation that has a token again may be sent push messages; without the rows that would say so, nothing is
// proven.
func TestAnotherToken(t *testing.T) {
	for seed := range uint64(60) {
		files := map[string][]byte{}
		for _, kind := range []string{"profiles.events", "profiles.attributes", "reachability.events"} {
			files[kind] = render(t, request{kind: kind, campaign: "welcome", seed: seed, profiles: 60, texture: texture.Tidy})
		}
		plant := func(again time.Duration, without ...string) func(b *book) []*line {
			return func(b *book) []*line {
				bounce, later := b.deadToken()
				bounce.set("bounce_type", "hard")
				if again != 0 {
					installation := b.find("profiles.attributes", func(l *line) bool { return l.get(profileOf) == bounce.get(profileOf) }).
						value("identifiers/installation_ids").([]any)[0].(string)
					made := b.file("reachability.events").at(0).copy().set("install_id", installation).set("custom_id", bounce.get("identifiers/custom_id"))
					for _, flag := range []string{"is_reachable", "is_optin", "has_custom_id"} {
						made.set(flag, "true")
					}
					made.set("advertising_id", "").at(bounce.time().Add(again)).insert()
				}
				for _, name := range without {
					b.names = slices.DeleteFunc(slices.Clone(b.names), func(other string) bool { return other == name })
				}
				return later
			}
		}
		enough := false
		for _, c := range []struct {
			about string
			plant func(*book) []*line
			found bool
		}{
			{"no other token", plant(0), true},
			{"a token from before", plant(-time.Second), true},
			{"a token in the same second", plant(time.Nanosecond), false},
			{"no files of tokens", plant(0, "reachability.events"), false},
			{"no list of installations", plant(0, "profiles.attributes"), false},
		} {
			b, rows := planted{plant: c.plant, only: []string{"profiles.events", "profiles.attributes", "reachability.events"}}.in(t, files)
			if rows == nil {
				continue
			}
			enough = true
			findings, _ := run(t, b.inputs(), check.Options{Rules: []string{"ended"}})
			if (len(findings) > 0) != c.found {
				t.Errorf("%s: %v", c.about, findings)
			}
		}
		if enough {
			return
		}
	}
	t.Error(errNoRow)
}
