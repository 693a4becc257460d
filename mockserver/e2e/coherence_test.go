package e2e_test

import (
	"slices"
	"testing"
	"time"
)

// link is a change of whether an installation belongs to a profile with a custom_id.
type link struct {
	at     time.Time
	linked bool
}

// linksOf are the changes that reachability rows tell of, by installation.
func linksOf(t *testing.T, rows []row) map[string][]link {
	all := map[string][]link{}
	for _, r := range rows {
		id := r.text("install_id")
		all[id] = append(all[id], link{instant(t, r.text("event_date")), r.text("has_custom_id") == "true"})
	}
	return all
}

// TestOnePersonOneIdentity checks across all files of one server that the same person has the same identifiers everywhere. Rows of events
// show the link of an installation at their time, the userbase and the profiles that of now.
func TestOnePersonOneIdentity(t *testing.T) {
	t.Parallel()
	c := connect(t, "--state", "memory", "--seed", "11", "--profiles", "4000")
	type identity struct{ custom, advertising string }
	installations := map[string]identity{}
	for _, r := range c.export(kindOf("userbase"), kindOf("userbase").month()) {
		installations[r.text("install_id")] = identity{r.text("custom_id"), r.text("advertising_id")}
	}
	if len(installations) == 0 {
		t.Fatal("the userbase is empty")
	}
	custom := map[string]string{} // by profile
	named := map[string]bool{}    // each custom_id
	owner := map[string]string{}  // of an installation
	for _, r := range c.export(kindOf("profiles.attributes"), kindOf("profiles.attributes").month()) {
		profile := r.text("identifiers", "profile_id")
		if _, twice := custom[profile]; twice {
			t.Fatalf("profile %s appears twice", profile)
		}
		custom[profile] = r.text("identifiers", "custom_id")
		named[custom[profile]] = true
		installed := r.texts("identifiers", "installation_ids")
		for _, id := range installed {
			owner[id] = profile
			identity, known := installations[id]
			if !known {
				t.Fatalf("installation %s of %s is not in the userbase", id, profile)
			}
			if identity.custom != custom[profile] {
				t.Fatalf("installation %s has the custom_id %q, its profile %q", id, identity.custom, custom[profile])
			}
		}
		subscriptions, _ := r.at("attributes", "$push_subscriptions").([]any)
		for _, item := range subscriptions {
			subscription, _ := item.(map[string]any)
			if !slices.Contains(installed, row(subscription).text("installation_id")) {
				t.Fatalf("push subscription of an installation that profile %s has not: %v", profile, item)
			}
		}
	}
	links := linksOf(t, c.export(kindOf("reachability.events"), kindOf("reachability.events").month()))
	for id, identity := range installations {
		if _, has := owner[id]; !has && identity.custom != "" {
			t.Fatalf("installation %s has the custom_id %q and belongs to no profile", id, identity.custom)
		}
		if changes := links[id]; len(changes) > 0 && changes[len(changes)-1].linked != (identity.custom != "") {
			t.Fatalf("installation %s has the custom_id %q, its changes are %v", id, identity.custom, changes)
		}
	}
	left := map[string]string{} // the custom_id of installations that left their profile
	// holder is the custom_id of whoever has an installation, or had it at the time of the row, before a change says that it left.
	holder := func(t *testing.T, k kind, r row, id, shown string) string {
		t.Helper()
		if profile, has := owner[id]; has || shown == "" {
			return custom[profile]
		}
		changes := links[id]
		if len(changes) == 0 || changes[len(changes)-1].linked ||
			k.dates != nil && !instant(t, r.text(k.dates...)).Before(changes[len(changes)-1].at) {
			t.Fatalf("installation %s belongs to nobody now, its changes are %v, here %s", id, changes, describe(r))
		}
		if before, seen := left[id]; !named[shown] || seen && before != shown {
			t.Fatalf("installation %s belonged to %q, known is %t, here %s", id, before, named[shown], describe(r))
		}
		left[id] = shown
		return shown
	}
	for _, k := range kinds {
		if k.name == "userbase" || k.name == "profiles.attributes" {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			c := &client{t, c.base, c.http}
			for _, r := range c.export(k, k.month()) {
				if !k.legacy {
					profile := r.text("identifiers", "profile_id")
					want, known := custom[profile]
					if got := r.text("identifiers", "custom_id"); !known || got != want {
						t.Fatalf("profile %s: known is %t, custom_id %q, want %q", profile, known, got, want)
					}
					id := r.text("identifiers", "installation_id")
					if has, known := owner[id]; id != "" && (known && has != profile || holder(t, k, r, id, want) != want) {
						t.Fatalf("installation %s belongs to %q, not to %q", id, has, profile)
					}
					continue
				}
				// A link to a profile comes and goes, so the custom_id may be empty for a while; it is never another one.
				id := r.text("install_id")
				want, known := installations[id]
				if person := holder(t, k, r, id, r.text("custom_id")); !known || r.text("advertising_id") != want.advertising ||
					r.text("custom_id") != "" && r.text("custom_id") != person {
					t.Fatalf("installation %s of %s (%s): known is %t, in the userbase %+v, here %s", id, owner[id], person, known, want, describe(r))
				}
				if k.name == "reachability.events" && (r.text("has_custom_id") == "true") != (r.text("custom_id") != "") {
					t.Fatalf("has_custom_id and custom_id disagree: %s", describe(r))
				}
			}
		})
	}
	if len(left) == 0 {
		t.Error("no installation left its profile: the test sees too little")
	}
}

// TestLinksAreOneStory checks that the custom_id of a campaign row is there exactly while reachability says so.
func TestLinksAreOneStory(t *testing.T) {
	t.Parallel()
	// So many messages that a campaign writes to people whose reachability changed.
	c := connect(t, "--state", "memory", "--seed", "11", "--profiles", "20000", "--world", "weekly-messages=20")
	window := func(name string) []row {
		k := kindOf(name)
		return c.export(k, k.body(noon.AddDate(0, 0, -90), noon, nil))
	}
	history := linksOf(t, window("reachability.events"))
	for _, name := range []string{"campaign.events", "transactional.events", "in-app-campaign.events"} {
		compared, unlinked, left := 0, 0, 0
		for _, r := range window(name) {
			at := instant(t, r.text("event_date"))
			last := -1
			changes := history[r.text("install_id")]
			for i := range changes {
				if !changes[i].at.After(at) {
					last = i
				}
			}
			if last < 0 {
				continue
			}
			compared++
			if !changes[last].linked {
				unlinked++
				if slices.ContainsFunc(changes, func(l link) bool { return l.linked }) {
					left++ // and not of somebody without a custom_id
				}
			}
			if changes[last].linked != (r.text("custom_id") != "") {
				t.Fatalf("%s: %s, and the change of %v says linked %t", name, describe(r), changes[last].at, changes[last].linked)
			}
		}
		// Nothing is pushed to an installation that left its profile, but its app shows messages.
		if compared == 0 || unlinked == 0 || (left > 0) != (name == "in-app-campaign.events") {
			t.Errorf("%s: %d rows compared, %d of them unlinked, %d of installations that left", name, compared, unlinked, left)
		}
	}
}

// TestOrderOfEvents checks that nothing happens before what it follows, nor after what ends it.
func TestOrderOfEvents(t *testing.T) {
	t.Parallel()
	c := connect(t, "--state", "memory", "--seed", "11", "--profiles", "2000")
	after := map[string]string{
		"push_opened": "push_sent", "push_error": "push_sent", "push_open": "push_sent", "push_bounced": "push_sent",
		"inapp_shown": "inapp_supplied", "inapp_clicked": "inapp_shown", "inapp_closed": "inapp_shown",
		"email_delivered": "email_sent", "email_bounced": "email_sent", "email_open": "email_delivered", "email_click": "email_open",
		"email_spam_complaint": "email_delivered", "sms_delivered": "sms_sent", "sms_bounced": "sms_sent",
	}
	excludes := map[string][]string{
		"push_error": {"push_opened"}, "push_bounced": {"push_open"}, "sms_bounced": {"sms_delivered"},
		"email_bounced": {"email_delivered", "email_open", "email_click", "email_spam_complaint"},
	}
	for _, name := range []string{"campaign.events", "transactional.events", "in-app-campaign.events", "profiles.events"} {
		t.Run(name, func(t *testing.T) {
			c := &client{t, c.base, c.http}
			k := kindOf(name)
			rows := c.export(k, k.body(noon.AddDate(0, 0, -90), noon, nil))
			// One send is one message to one person: an installation may get several of them from a campaign. Where rows do not
			// name the send, the first event of each type of an installation is compared.
			first := map[string]map[string]time.Time{}
			for _, r := range rows {
				send := r.text("install_id") + "/" + r.text("transactional_token")
				if !k.legacy {
					send = r.text("sent_id")
					if send == "" {
						continue // an event that belongs to no send, such as an unsubscription from a page
					}
				}
				if first[send] == nil {
					first[send] = map[string]time.Time{}
				}
				if _, there := first[send][k.eventOf(r)]; !there {
					first[send][k.eventOf(r)] = instant(t, r.text(k.dates...))
				}
			}
			checked := 0
			for send, events := range first {
				for event, at := range events {
					cause, follows := after[event]
					if !follows {
						continue
					}
					checked++
					// What happened early in the window may follow something from before it.
					if began, there := events[cause]; at.Sub(noon.AddDate(0, 0, -90)) > 35*24*time.Hour && (!there || at.Before(began)) {
						t.Fatalf("send %s: %s at %v, %s at %v", send, event, at, cause, began)
					}
					for _, other := range excludes[event] {
						if _, both := events[other]; both && !k.legacy {
							t.Fatalf("send %s: both %s and %s", send, event, other)
						}
					}
				}
			}
			if checked == 0 {
				t.Error("no event follows another one")
			}
		})
	}
}
