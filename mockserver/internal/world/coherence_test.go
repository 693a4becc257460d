package world_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

const day = 24 * time.Hour

// life is a journey with every kind of step of every channel.
var life = []world.Step{
	{Event: "email_sent", Channel: "email", Burst: true},
	{Event: "email_bounced", After: "email_sent", Rate: 0.03, Delay: 45 * time.Second},
	{Event: "email_delivered", After: "email_sent", Rate: 1, Delay: 20 * time.Second, Unless: []string{"email_bounced"}},
	{Event: "email_open", After: "email_delivered", Rate: 0.34, Delay: 3 * time.Hour, Person: true,
		Machine: world.Machine{Share: 0.125, Delay: 25 * time.Second}, Again: world.Again{Rate: 0.35, Delay: 20 * time.Hour}},
	{Event: "email_click", After: "email_open", Rate: 0.2, Delay: time.Minute, Again: world.Again{Rate: 0.15, Delay: 10 * time.Minute}},
	{Event: "email_spam_complaint", After: "email_delivered", Rate: 0.01, Delay: 5 * time.Hour},
	{Event: "email_unsubscribed", After: "email_delivered", Rate: 0.003, Delay: 4 * time.Hour, Consent: "email"},
	{Event: "sms_sent", Channel: "sms", Burst: true},
	{Event: "sms_bounced", After: "sms_sent", Rate: 0.03, Delay: 30 * time.Second},
	{Event: "sms_delivered", After: "sms_sent", Rate: 1, Delay: 8 * time.Second, Unless: []string{"sms_bounced"}},
	{Event: "sms_unsubscribed", After: "sms_delivered", Rate: 0.004, Delay: 20 * time.Minute, Consent: "sms"},
	{Event: "push_sent", Channel: "push", Burst: true},
	{Event: "push_bounced", After: "push_sent", Rate: 0.04, Delay: 2 * time.Second},
	{Event: "push_open", After: "push_sent", Rate: 0.2, Delay: 20 * time.Minute, Unless: []string{"push_bounced"}, Person: true},
}

var campaignLife = []world.Step{
	{Event: "push_sent", Channel: "push", Burst: true},
	{Event: "push_error", After: "push_sent", Rate: 0.03, Delay: 2 * time.Second},
	{Event: "push_opened", After: "push_sent", Rate: 0.09, Delay: 20 * time.Minute, Unless: []string{"push_error"}, Person: true},
}

// eras are moments at which the world is looked at: soon after it begins,
// late, and between.
var eras = []time.Time{
	time.Date(2024, 1, 5, 3, 4, 5, 0, time.UTC), time.Date(2025, 12, 31, 23, 59, 59, 500, time.UTC),
	time.Date(2026, 3, 15, 10, 30, 0, 0, time.UTC), time.Date(2031, 7, 1, 0, 0, 0, 0, time.UTC),
}

func share(value float64) *float64 { return &value }
func number(value int) *int        { return &value }

// worlds calls test for worlds of random seeds, sizes and settings.
func worlds(t *testing.T, test func(t *testing.T, w *world.World, now time.Time)) {
	settings := []world.Settings{
		{},
		{PushOnly: share(0.4), EmailOnly: share(0.1), SMS: share(0.2), Campaigns: number(5)},
		{PushOnly: share(0), EmailOnly: share(0), SMS: share(1), WeeklyMessages: share(0.6), Campaigns: number(3)},
		{EmailOnly: share(0.6), PushOptIn: share(0.95), EmailOptIn: share(0.3), WeeklyMessages: share(7), Campaigns: number(60)},
		{Rates: map[string]float64{"email_open": 0.9, "push_open": 0.7, "push_bounced": 0}},
		{Regions: map[string]int{"FR": 3, "CA": 1}},
	}
	random := rand.New(rand.NewPCG(3, 14))
	for i := range 14 {
		seed, profiles := random.Uint64(), int64(40+random.IntN(700))
		if i == 0 {
			seed, profiles = 0, 1
		}
		set, now := settings[i%len(settings)], eras[i%len(eras)]
		w, err := world.NewWith(seed, profiles, set)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("world %d: seed %d, %d profiles, settings %d, %v", i, seed, profiles, i%len(settings), now)
		test(t, w, now)
	}
}

func profileEvents(now time.Time, days int) world.Query {
	return world.Query{View: vocabulary.ViewProfileMessages, Stream: "profiles/", Journey: life, From: now.Add(-time.Duration(days) * day), To: now, Now: now}
}

func factOf(t testing.TB, w *world.World, name string, scope world.Scope) world.Fact {
	t.Helper()
	fact, found := w.Fact(name, scope)
	if !found {
		t.Fatalf("there is no fact %s", name)
	}
	return fact
}

// textOf prints a fact as a text; "-" is absent.
func textOf(fact *world.Fact, row *world.Row) string {
	switch {
	case fact.Absent != nil && fact.Absent(row):
		return "-"
	case fact.Text != nil:
		return string(fact.Text(nil, row))
	case fact.Flag != nil && fact.Flag(row):
		return "true"
	case fact.Flag != nil:
		return "false"
	case fact.Time != nil:
		return time.Unix(fact.Time(row), 0).UTC().Format(time.RFC3339)
	case fact.Choice != nil:
		return fact.Names[fact.Choice(row)]
	}
	return "?"
}

// Nothing happens to anybody who is not there yet, nor to an installation
// before it is made, and an installation is not older than its profile.
func TestNobodyIsKnownBeforeTheyAreThere(t *testing.T) {
	seen := 0
	worlds(t, func(t *testing.T, w *world.World, now time.Time) {
		queries := []world.Query{
			profileEvents(now, 90),
			{View: vocabulary.ViewProfileChanges, From: now.Add(-90 * day), To: now, Now: now},
			{View: vocabulary.ViewInstallationChanges, From: now.Add(-90 * day), To: now, Now: now},
			{View: vocabulary.ViewInstallationMessages, Stream: "campaign/a", Journey: campaignLife, From: now.Add(-90 * day), To: now, Now: now},
			{View: vocabulary.ViewProfiles, Now: now}, {View: vocabulary.ViewInstallations, Now: now},
		}
		for _, q := range queries {
			view := open(t, w, q)
			created, installed := factOf(t, w, "profile.creation_date", world.Scope{View: view}), factOf(t, w, "installation.install_date", world.Scope{View: view})
			for _, row := range rowsOf(view) {
				seen++
				if created.Time(&row) > row.Time {
					t.Fatalf("%s: profile %d is created at %d, its row is of %d", q.View, row.Profile, created.Time(&row), row.Time)
				}
				if row.Installation < 0 {
					continue
				}
				if at := installed.Time(&row); at > row.Time || at < created.Time(&row) {
					t.Fatalf("%s: installation %d of a profile of %d is of %d, its row of %d", q.View, row.Installation, created.Time(&row), at, row.Time)
				}
			}
		}
	})
	if seen < 10_000 {
		t.Errorf("%d rows: the test sees little", seen)
	}
}

// Whoever gets a message can be reached and takes such messages, then and at
// each later step; only the withdrawal itself ends it.
func TestMessagesGoToThoseWhoTakeThem(t *testing.T) {
	seen := map[string]int{}
	worlds(t, func(t *testing.T, w *world.World, now time.Time) {
		view := open(t, w, profileEvents(now, 60))
		flags := map[byte][]world.Fact{}
		for channel, names := range map[byte][]string{
			'e': {"profile.has_email_address", "profile.email_marketing"}, 's': {"profile.has_phone_number", "profile.sms_marketing"},
			'p': {"installation.is_reachable", "installation.is_optin"},
		} {
			for _, name := range names {
				flags[channel] = append(flags[channel], factOf(t, w, name, world.Scope{View: view}))
			}
		}
		for _, row := range rowsOf(view) {
			event := life[row.Event].Event
			seen[event]++
			for i, fact := range flags[event[0]] {
				text, want := textOf(&fact, &row), [2]string{"true", "true"}[i]
				if event[0] != 'p' && i == 1 {
					want = "subscribed"
					if life[row.Event].Consent != "" {
						want = "unsubscribed"
					}
				}
				if text != want {
					t.Fatalf("%s to profile %d at %d: flag %d is %s, want %s", event, row.Profile, row.Time, i, text, want)
				}
			}
		}
	})
	for _, step := range life {
		if seen[step.Event] == 0 {
			t.Errorf("%s never happens", step.Event)
		}
	}
}

// What a snapshot says of consent and addresses is what the last change said;
// what never changed is what it was.
func TestAttributesAreThoseOfTheLastChange(t *testing.T) {
	compared := 0
	worlds(t, func(t *testing.T, w *world.World, now time.Time) {
		for _, channel := range []struct {
			name  string
			facts []string
		}{
			{"email", []string{"profile.has_email_address", "profile.email_address", "profile.email_marketing", "profile.custom_id"}},
			{"sms", []string{"profile.has_phone_number", "profile.phone_number", "profile.sms_marketing"}},
			{"push", []string{"installation.is_optin", "installation.id", "installation.platform"}},
		} {
			view := open(t, w, world.Query{View: vocabulary.ViewProfileChanges, Channels: []string{channel.name}, From: now.Add(-85 * day), To: now, Now: now})
			snapshot := open(t, w, world.Query{View: vocabulary.ViewProfiles, Now: now})
			things := factOf(t, w, "profile.installations", world.Scope{View: snapshot})
			print := func(row world.Row) (text string) {
				for _, name := range channel.facts {
					fact := factOf(t, w, name, world.Scope{View: view})
					text += textOf(&fact, &row) + " "
				}
				return text
			}
			type key struct{ profile, installation int64 }
			last := map[key]string{}
			for _, row := range rowsOf(view) {
				// A token that is added anew changes no flag that is told.
				if last[key{row.Profile, row.Installation}] == print(row) && world.ReasonNames[row.Reason] != "PUSH_TOKEN_ADDED" {
					t.Fatalf("%s: nothing changes for profile %d at %d: %s", channel.name, row.Profile, row.Time, print(row))
				}
				last[key{row.Profile, row.Installation}] = print(row)
			}
			for _, row := range rowsOf(snapshot) {
				items := []world.Row{row}
				if channel.name == "push" {
					items = things.Each(&row, nil)
				}
				for _, item := range items {
					if said, changed := last[key{item.Profile, item.Installation}]; changed {
						compared++
						if now := print(item); now != said {
							t.Fatalf("%s: profile %d is %s, its last change said %s", channel.name, item.Profile, now, said)
						}
					}
				}
			}
		}
	})
	if compared < 500 {
		t.Errorf("%d compared: the test sees little", compared)
	}
}

// Every date of a snapshot that tells of events is that of the latest such
// event, and whoever did something was active.
func TestLatestDatesAreThoseOfTheEvents(t *testing.T) {
	seen := 0
	worlds(t, func(t *testing.T, w *world.World, now time.Time) {
		events := open(t, w, profileEvents(now, 90))
		latest := map[string]map[int64]int64{}
		for _, row := range rowsOf(events) {
			event := life[row.Event].Event
			if latest[event] == nil {
				latest[event] = map[int64]int64{}
			}
			latest[event][row.Profile] = max(latest[event][row.Profile], row.Time)
		}
		snapshot := open(t, w, world.Query{View: vocabulary.ViewProfiles, Now: now})
		scope := world.Scope{View: snapshot, Messages: events}
		dates := map[string]world.Fact{}
		for _, name := range []string{"creation_date", "last_visit_date", "last_activity", "last_email_marketing_open", "last_email_marketing_click",
			"last_email_transactional_open", "last_email_transactional_click"} {
			dates[name] = factOf(t, w, "profile."+name, scope)
		}
		started := factOf(t, w, "installation.last_start_date", scope)
		things := factOf(t, w, "profile.installations", scope)
		for _, row := range rowsOf(snapshot) {
			at := map[string]int64{}
			for name, fact := range dates {
				if fact.Absent == nil || !fact.Absent(&row) {
					at[name] = fact.Time(&row)
				}
			}
			seen += len(at)
			if got, want := at["last_email_marketing_open"], latest["email_open"][row.Profile]; got != want {
				t.Fatalf("profile %d: last open %d, the events say %d", row.Profile, got, want)
			}
			if got, want := at["last_email_marketing_click"], latest["email_click"][row.Profile]; got != want {
				t.Fatalf("profile %d: last click %d, the events say %d", row.Profile, got, want)
			}
			for name, when := range at {
				if when < at["creation_date"] || when > row.Time || when > at["last_activity"] {
					t.Fatalf("profile %d, created %d, last active %d, now %d: %s is %d", row.Profile, at["creation_date"], at["last_activity"], row.Time, name, when)
				}
			}
			if opened := latest["push_open"][row.Profile]; opened > at["last_visit_date"] {
				t.Fatalf("profile %d opened at %d and last visited at %d", row.Profile, opened, at["last_visit_date"])
			}
			if open, click := at["last_email_transactional_open"], at["last_email_transactional_click"]; click != 0 && (open == 0 || click <= open) {
				t.Fatalf("profile %d: last transactional click %d, open %d", row.Profile, click, open)
			}
			for _, item := range things.Each(&row, nil) {
				if when := started.Time(&item); when > at["last_visit_date"] {
					t.Fatalf("profile %d started the app at %d and last visited at %d", row.Profile, when, at["last_visit_date"])
				}
			}
		}
	})
	if seen < 5_000 {
		t.Errorf("%d dates: the test sees little", seen)
	}
}
