package e2e_test

import (
	"slices"
	"testing"
	"time"
)

// TestOnePersonOneIdentity checks across all files of one server that the same person has the same identifiers everywhere.
func TestOnePersonOneIdentity(t *testing.T) {
	t.Parallel()
	c := connect(t, "--state", "memory", "--seed", "11", "--profiles", "2000")
	type identity struct{ custom, advertising string }
	installations := map[string]identity{}
	for _, r := range c.export(kindOf("userbase"), kindOf("userbase").month()) {
		installations[r.text("install_id")] = identity{r.text("custom_id"), r.text("advertising_id")}
	}
	if len(installations) == 0 {
		t.Fatal("the userbase is empty")
	}
	custom := map[string]string{} // by profile
	owner := map[string]string{}  // of an installation
	for _, r := range c.export(kindOf("profiles.attributes"), kindOf("profiles.attributes").month()) {
		profile := r.text("identifiers", "profile_id")
		if _, twice := custom[profile]; twice {
			t.Fatalf("profile %s appears twice", profile)
		}
		custom[profile] = r.text("identifiers", "custom_id")
		installed := r.texts("identifiers", "installation_ids")
		for _, id := range installed {
			owner[id] = profile
			identity, known := installations[id]
			if !known {
				t.Fatalf("installation %s of %s is not in the userbase", id, profile)
			}
			if identity.custom != "" && identity.custom != custom[profile] {
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
					if id := r.text("identifiers", "installation_id"); id != "" && owner[id] != profile {
						t.Fatalf("installation %s belongs to %q, not to %q", id, owner[id], profile)
					}
					continue
				}
				// A link to a profile comes and goes, so the custom_id may be empty for a while; it is never another one.
				id := r.text("install_id")
				want, known := installations[id]
				if person := custom[owner[id]]; !known || r.text("advertising_id") != want.advertising || r.text("custom_id") != "" &&
					r.text("custom_id") != person {
					t.Fatalf("installation %s of %s (%s): known is %t, in the userbase %+v, here %s", id, owner[id], person, known, want, describe(r))
				}
				if k.name == "reachability.events" && (r.text("has_custom_id") == "true") != (r.text("custom_id") != "") {
					t.Fatalf("has_custom_id and custom_id disagree: %s", describe(r))
				}
			}
		})
	}
}

// TestLinksAreOneStory checks that the custom_id of a campaign row is there exactly while reachability says so.
func TestLinksAreOneStory(t *testing.T) {
	t.Parallel()
	c := connect(t, "--state", "memory", "--seed", "11", "--profiles", "4000")
	window := func(name string) []row {
		k := kindOf(name)
		return c.export(k, k.body(noon.AddDate(0, 0, -90), noon, nil))
	}
	type change struct {
		at     time.Time
		linked bool
	}
	history := map[string][]change{}
	for _, r := range window("reachability.events") {
		history[r.text("install_id")] = append(history[r.text("install_id")],
			change{instant(t, r.text("event_date")), r.text("has_custom_id") == "true"})
	}
	for _, name := range []string{"campaign.events", "transactional.events", "in-app-campaign.events"} {
		compared, unlinked := 0, 0
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
			}
			if changes[last].linked != (r.text("custom_id") != "") {
				t.Fatalf("%s: %s, and the change of %v says linked %t", name, describe(r), changes[last].at, changes[last].linked)
			}
		}
		if compared == 0 || unlinked == 0 {
			t.Errorf("%s: %d rows compared, %d of them unlinked: the test sees too little", name, compared, unlinked)
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

// TestIdsFileIsTheEventsFileWithoutDates checks that the two files of a campaign tell the same story.
func TestIdsFileIsTheEventsFileWithoutDates(t *testing.T) {
	c := connect(t, "--state", "memory", "--profiles", "3000")
	for _, family := range []string{"campaign", "transactional", "in-app-campaign"} {
		projection := func(name string) map[string]bool {
			set := map[string]bool{}
			for _, r := range c.export(kindOf(name), kindOf(name).month()) {
				set[r.text("install_id")+";"+r.text("custom_id")+";"+r.text("advertising_id")+";"+r.text("event_type")] = true
			}
			return set
		}
		ids, events := projection(family+".ids"), projection(family+".events")
		if len(ids) == 0 {
			t.Errorf("%s: the ids file is empty", family)
		}
		for line := range ids {
			if !events[line] {
				t.Fatalf("%s: %s is in the ids file only", family, line)
			}
		}
		for line := range events {
			if !ids[line] {
				t.Fatalf("%s: %s is in the events file only", family, line)
			}
		}
	}
}

// TestReachabilityRowsAreChanges checks that two neighbouring rows of an installation differ, and that the last one agrees
// with the userbase.
func TestReachabilityRowsAreChanges(t *testing.T) {
	c := connect(t, "--state", "memory", "--profiles", "3000")
	optin := map[string]string{}
	for _, r := range c.export(kindOf("userbase"), kindOf("userbase").month()) {
		optin[r.text("install_id")] = r.text("is_optin_push")
	}
	k := kindOf("reachability.events")
	last := map[string]row{}
	flags := func(r row) [3]string {
		return [3]string{r.text("is_reachable"), r.text("is_optin"), r.text("has_custom_id")}
	}
	changes := 0
	for _, r := range c.export(k, k.body(noon.AddDate(0, 0, -90), noon, nil)) {
		id := r.text("install_id")
		if before, there := last[id]; there {
			changes++
			if flags(before) == flags(r) {
				t.Fatalf("nothing changed between %s and %s", describe(before), describe(r))
			}
		}
		last[id] = r
	}
	if changes == 0 {
		t.Error("no installation changed twice")
	}
	for id, r := range last {
		if optin[id] != r.text("is_optin") {
			t.Fatalf("installation %s: is_optin_push %s in the userbase, its last change says %s", id, optin[id], describe(r))
		}
	}
}
