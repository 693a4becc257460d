package check_test

import (
	"slices"
	"time"
)

// sendWith is the event of a send that has all of some events, after the first forty days.
func (b *book) sendWith(event string, others ...string) *line {
	return b.find("profiles.events", func(l *line) bool {
		if l.get("event_type") != event || l.time().Before(noon.AddDate(0, 0, -50)) {
			return false
		}
		send := b.all("profiles.events", "sent_id", l.get("sent_id"))
		for _, other := range others {
			if !slices.ContainsFunc(send, eventIs(other)) {
				return false
			}
		}
		return true
	})
}

// tell adds events, a minute apart, of a message to an installation that had none before.
func (b *book) tell(name string, events ...string) (told []*line) {
	for i, event := range events {
		l := b.find(name, eventIs(event)).copy().set("event_type", event).at(noon.AddDate(0, 0, -10).Add(time.Duration(i) * time.Minute))
		told = append(told, l.set("install_id", "planted").set("custom_id", "").set("advertising_id", "").insert())
	}
	if name == "transactional.events" {
		for _, l := range told {
			l.set("transactional_token", "planted")
		}
	}
	return told
}

// lastChange is a reachability row that accepts, and after which nothing changes for its profile or installation.
func (b *book) lastChange(name, id string, accepts func(*line) bool) *line {
	return b.find(name, func(l *line) bool {
		all := b.all(name, id, l.get(id))
		return accepts(l) && all[len(all)-1] == l && l.time().Before(noon.AddDate(0, 0, -1))
	})
}

func hasReason(reason string) func(*line) bool {
	return func(l *line) bool {
		reasons, _ := l.value("event/reasons").([]any)
		return slices.Contains(reasons, any(reason))
	}
}

var plantedInMessages = []planted{
	{"opened before delivered", "journey", func(b *book) []*line {
		l := b.sendWith("email_open", "email_sent", "email_delivered")
		if all := b.all("profiles.events", profileOf, l.get(profileOf)); !slices.ContainsFunc(all, func(later *line) bool {
			return eventIs("email_open")(later) && later.time().After(l.time())
		}) {
			panic(errNoRow) // the latest open stands in the attributes
		}
		delivered := b.all("profiles.events", "sent_id", l.get("sent_id"))
		at := delivered[slices.IndexFunc(delivered, eventIs("email_delivered"))].time()
		l.remove()
		return []*line{l.at(at.Add(-time.Second)).insert()}
	}, []string{"latest"}, nil},
	{"opened and never delivered", "journey", func(b *book) []*line {
		l := b.sendWith("email_open", "email_sent", "email_delivered")
		send := b.all("profiles.events", "sent_id", l.get("sent_id"))
		send[slices.IndexFunc(send, eventIs("email_delivered"))].remove()
		return slices.DeleteFunc(send, func(l *line) bool { return l.number() == 0 })
	}, nil, nil},
	{"clicked and never opened", "journey", func(b *book) []*line {
		l := b.sendWith("email_click", "email_open")
		send := b.all("profiles.events", "sent_id", l.get("sent_id"))
		send[slices.IndexFunc(send, eventIs("email_open"))].remove()
		return []*line{l}
	}, []string{"latest"}, []string{"profiles.events", "profiles.reachability"}},
	{"delivered and never sent", "journey", func(b *book) []*line {
		l := b.sendWith("sms_delivered", "sms_sent")
		send := b.all("profiles.events", "sent_id", l.get("sent_id"))
		send[slices.IndexFunc(send, eventIs("sms_sent"))].remove()
		return []*line{l}
	}, nil, nil},
	{"a push opened and never sent", "journey", func(b *book) []*line {
		return b.tell("transactional.events", "push_opened")
	}, nil, []string{"transactional.events", "userbase"}},
	{"an in-app message clicked and never shown", "journey", func(b *book) []*line {
		return b.tell("in-app-campaign.events", "inapp_supplied", "inapp_clicked")[1:]
	}, nil, []string{"in-app-campaign.events", "userbase"}},
	{"delivered and bounced", "exclusion", func(b *book) []*line {
		l := b.sendWith("email_delivered", "email_sent").copy()
		l.set("event_type", "email_bounced").set("bounce_code", "5.1.1").set("bounce_type", "hard")
		return []*line{l.insert()}
	}, []string{"ended"}, nil},
	{"a push that failed and was opened", "exclusion", func(b *book) []*line {
		return b.tell("transactional.events", "push_sent", "push_error", "push_opened")[2:]
	}, nil, []string{"transactional.events", "userbase", "reachability.events"}},
	{"an in-app message clicked and closed", "exclusion", func(b *book) []*line {
		return b.tell("in-app-campaign.events", "inapp_supplied", "inapp_shown", "inapp_clicked", "inapp_closed")[3:]
	}, nil, []string{"in-app-campaign.events"}},
	{"an e-mail after the profile unsubscribed", "unsubscribed", func(b *book) []*line {
		gone := b.lastChange("profiles.reachability", profileOf, hasReason("UNSUBSCRIBED_FROM_EMAIL_MARKETING"))
		l := b.find("profiles.events", func(l *line) bool {
			return l.get(profileOf) == gone.get(profileOf) && l.get("event_type") == "email_sent"
		}).copy().set("sent_id", "sent_planted").at(gone.time().Add(time.Hour))
		return []*line{l.insert()}
	}, nil, nil},
	{"an SMS to a number that was removed", "unsubscribed", func(b *book) []*line {
		gone := b.lastChange("profiles.reachability", profileOf, func(l *line) bool {
			return hasReason("PHONE_NUMBER_REMOVED")(l) && slices.ContainsFunc(b.all("profiles.events", profileOf, l.get(profileOf)),
				eventIs("sms_sent"))
		})
		l := b.find("profiles.events", func(l *line) bool {
			return l.get(profileOf) == gone.get(profileOf) && l.get("event_type") == "sms_sent"
		}).copy().set("sent_id", "sent_planted").at(gone.time().Add(time.Hour))
		return []*line{l.insert()}
	}, nil, nil},
	{"a click on the message from which the profile unsubscribed", "unsubscribed", func(b *book) []*line {
		gone := b.find("profiles.events", func(l *line) bool {
			return l.get("event_type") == "email_unsubscribed" && l.get("sent_id") != "" && l.time().Before(noon.AddDate(0, 0, -1))
		})
		l := gone.copy().set("event_type", "email_spam_complaint").at(gone.time().Add(time.Minute))
		return []*line{l.insert()}
	}, nil, nil},
	{"a push after the installation opted out", "unsubscribed", func(b *book) []*line {
		gone := b.lastChange("reachability.events", "install_id", func(l *line) bool { return l.get("is_optin") == "false" })
		l := b.file("campaign.events").at(0).copy().set("event_type", "push_sent").at(gone.time().Add(time.Hour))
		for _, column := range []string{"install_id", "custom_id", "advertising_id"} {
			l.set(column, gone.get(column))
		}
		return []*line{l.insert()}
	}, []string{"projection", "creation", "sendings"}, nil},
}
