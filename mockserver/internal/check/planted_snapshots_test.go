package check_test

import (
	"slices"
	"time"
)

func flipped(value string) string {
	return map[string]string{"true": "false", "false": "true", "subscribed": "unsubscribed", "unsubscribed": "subscribed"}[value]
}

// changed tells whether a profile has a reachability row of a channel.
func (b *book) changed(channel string) func(*line) bool {
	return func(l *line) bool {
		return slices.ContainsFunc(b.all("profiles.reachability", profileOf, l.get(profileOf)), func(change *line) bool {
			return change.get("event/channel") == channel
		})
	}
}

var plantedInSnapshots = []planted{
	{"an open that the attributes forget", "latest", func(b *book) []*line {
		l := b.find("profiles.attributes", func(l *line) bool { return l.get("attributes/$last_email_marketing_open") > "2026-04-01" })
		return []*line{l.set("attributes/$last_email_marketing_open", nil)}
	}, nil, nil},
	{"an open that nobody made", "latest", func(b *book) []*line {
		l := b.find("profiles.attributes", func(l *line) bool { return l.get("attributes/$last_email_marketing_open") == "" })
		return []*line{l.set("attributes/$last_email_marketing_open", noon.AddDate(0, 0, -20).Format(time.RFC3339))}
	}, []string{"creation"}, nil},
	{"a click that is too old", "latest", func(b *book) []*line {
		// An event does not say of which kind its message was, so a later click on transactional mail explains it.
		l := b.find("profiles.attributes", func(l *line) bool {
			return l.get("attributes/$last_email_marketing_click") > max("2026-04-01", l.get("attributes/$last_email_transactional_click"))
		})
		clicked, _ := time.Parse(time.RFC3339, l.get("attributes/$last_email_marketing_click"))
		return []*line{l.set("attributes/$last_email_marketing_click", clicked.Add(-time.Second).Format(time.RFC3339))}
	}, nil, nil},
	{"an activity that is too old", "latest", func(b *book) []*line {
		l := b.find("profiles.attributes", func(l *line) bool { return l.get("attributes/$last_activity") > "2026-04-01" })
		visited, _ := time.Parse(time.RFC3339, l.get("attributes/$last_visit_date"))
		created, _ := time.Parse(time.RFC3339, l.get("attributes/$creation_date"))
		if visited.Add(-time.Second).Before(created) {
			panic(errNoRow)
		}
		return []*line{l.set("attributes/$last_activity", visited.Add(-time.Second).Format(time.RFC3339))}
	}, nil, nil},
	{"another consent than the latest change", "consent", func(b *book) []*line {
		l := b.find("profiles.attributes", func(l *line) bool { return l.get("attributes/$email_marketing") != "" && b.changed("EMAIL")(l) })
		return []*line{l.set("attributes/$email_marketing", flipped(l.get("attributes/$email_marketing")))}
	}, nil, nil},
	{"a telephone number that was removed", "consent", func(b *book) []*line {
		l := b.find("profiles.attributes", func(l *line) bool { return l.get("attributes/$phone_number") == "" && b.changed("SMS")(l) })
		return []*line{l.set("attributes/$phone_number", "+")}
	}, []string{"contact", "places"}, nil},
	{"another opt-in in the userbase", "consent", func(b *book) []*line {
		l := b.find("userbase", func(l *line) bool { return b.times("reachability.events", "install_id", l.get("install_id")) > 0 })
		return []*line{l.set("is_optin_push", flipped(l.get("is_optin_push")))}
	}, nil, nil},
	{"another opt-in in the attributes", "consent", func(b *book) []*line {
		for _, l := range b.file("profiles.attributes").rows {
			list, _ := l.value("attributes/$push_subscriptions").([]any)
			for _, item := range list {
				subscription := item.(map[string]any)
				if b.times("reachability.events", "install_id", subscription["installation_id"].(string)) > 0 {
					subscription["is_subscribed"] = !subscription["is_subscribed"].(bool)
					return []*line{l}
				}
			}
		}
		panic(errNoRow)
	}, nil, nil},
	{"a change that changes no flag", "change", func(b *book) []*line {
		l := b.lastChange("reachability.events", "install_id", func(*line) bool { return true }).copy()
		return []*line{l.at(l.time().Add(time.Second)).insert()}
	}, nil, nil},
	{"a subscription of somebody who is subscribed", "change", func(b *book) []*line {
		l := b.find("profiles.reachability", hasReason("SUBSCRIBED_TO_EMAIL_MARKETING")).copy()
		return []*line{l.set("event/id", "planted").at(l.time().Add(time.Second)).insert()}
	}, nil, nil},
	{"an opt-in of somebody who is opted in", "change", func(b *book) []*line {
		l := b.find("profiles.reachability", hasReason("SUBSCRIBED_TO_PUSH")).copy()
		return []*line{l.set("event/id", "planted").at(l.time().Add(time.Second)).insert()}
	}, nil, nil},
	{"a flag that its reason denies", "change", func(b *book) []*line {
		l := b.find("profiles.reachability", hasReason("PHONE_NUMBER_ADDED"))
		return []*line{l.set("event/has_phone_number", false)}
	}, nil, []string{"profiles.reachability"}},
	{"a consent that changes without a reason", "change", func(b *book) []*line {
		l := b.find("profiles.reachability", hasReason("EMAIL_ADDRESS_UPDATED"))
		before := l.copy().set("event/id", "planted").at(l.time().Add(-time.Second)).insert()
		return []*line{before.set("event/email_marketing", flipped(l.get("event/email_marketing"))), l}
	}, nil, []string{"profiles.reachability"}},
}
