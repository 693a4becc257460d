package world_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tolerance {
		t.Errorf("%s is %.4f, want %.4f within %.4f", what, got, want, tolerance)
	}
}

// Rates are those of the journey, or those that were set, although people
// differ: a few make most of the opens.
func TestRatesAndTheirSkew(t *testing.T) {
	for _, c := range []struct {
		rates      map[string]float64
		open, push float64
	}{{nil, 0.34, 0.2}, {map[string]float64{"email_open": 0.8, "push_open": 0.05}, 0.8, 0.05}} {
		w, err := world.NewWith(5, 6_000, world.Settings{Rates: c.rates})
		if err != nil {
			t.Fatal(err)
		}
		counts, openers := map[string]float64{}, map[int64]int{}
		for _, row := range firstTimes(rowsOf(open(t, w, profileEvents(now, 85)))) {
			event := life[row.Event].Event
			counts[event]++
			if event == "email_open" {
				openers[row.Profile]++
			}
		}
		near(t, "opens of delivered e-mails", counts["email_open"]/counts["email_delivered"], c.open, 0.02)
		near(t, "clicks of opens", counts["email_click"]/counts["email_open"], 0.2, 0.01)
		near(t, "bounces of e-mails", counts["email_bounced"]/counts["email_sent"], 0.03, 0.004)
		near(t, "opens of push messages", counts["push_open"]/counts["push_sent"], c.push*0.96, 0.015)
		if c.rates == nil {
			opens := []int{}
			for _, count := range openers {
				opens = append(opens, count)
			}
			slices.Sort(opens)
			top, all := 0, 0
			for i, count := range opens {
				all += count
				if i >= len(opens)-int(w.ProfilesAt(now.Unix()))/10 {
					top += count
				}
			}
			if part := float64(top) / float64(all); part < 0.25 || part > 0.6 {
				t.Errorf("a tenth of the people make %.2f of the opens", part)
			}
		}
	}
}

// People and messages keep the hours of a day and the days of a week.
func TestDaysAndWeeksHaveARhythm(t *testing.T) {
	w := world.New(8, 20_000)
	for name, q := range map[string]world.Query{
		"messages": profileEvents(now, 28),
		"changes":  {View: vocabulary.ViewProfileChanges, From: now.Add(-84 * day), To: now, Now: now},
		"transactional messages": {View: vocabulary.ViewInstallationMessages, Stream: "transactional/x", From: now.Add(-28 * day), To: now, Now: now,
			Journey: []world.Step{{Event: "push_sent", Channel: "push"}}},
	} {
		var night, noon, weekend, weekdays float64
		view := open(t, w, q)
		zone := factOf(t, w, "profile.timezone", world.Scope{View: view})
		for _, row := range rowsOf(view) {
			at := time.Unix(row.Time, 0).UTC()
			if q.View != vocabulary.ViewProfileChanges { // messages go out by the clocks of people
				location, err := time.LoadLocation(textOf(&zone, &row))
				if err != nil {
					t.Fatal(err)
				}
				at = at.In(location)
			}
			switch hour := at.Hour(); {
			case hour >= 1 && hour < 5:
				night++
			case hour >= 9 && hour < 13:
				noon++
			}
			if day := at.Weekday(); day == time.Saturday || day == time.Sunday {
				weekend++
			} else {
				weekdays++
			}
		}
		if noon < 4*night || weekdays/5 < 1.1*weekend/2 || night+noon < 200 {
			t.Errorf("%s: %v at night, %v around noon, %v at weekends, %v on other days", name, night, noon, weekend, weekdays)
		}
	}
}

// A campaign goes out in a burst a week, and its opens fade.
func TestCampaignsGoOutInBurstsAndFade(t *testing.T) {
	w := world.New(8, 20_000)
	q := world.Query{View: vocabulary.ViewInstallationMessages, Stream: "campaign/spring", Journey: campaignLife, From: now.Add(-28 * day), To: now, Now: now}
	sent, bursts := []int64{}, []int64{}
	opened := []int64{} // seconds after the burst began
	view := open(t, w, q)
	zone := factOf(t, w, "profile.timezone", world.Scope{View: view})
	for _, row := range rowsOf(view) {
		if textOf(&zone, &row) != "Europe/Paris" { // a campaign may go out by the clocks of people
			continue
		}
		switch campaignLife[row.Event].Event {
		case "push_sent":
			if len(sent) == 0 || row.Time-sent[len(sent)-1] > 86_400 {
				bursts = append(bursts, row.Time)
			}
			sent = append(sent, row.Time)
			if row.Time-bursts[len(bursts)-1] > 3*3600 {
				t.Fatalf("sent at %d, in a burst that began at %d", row.Time, bursts[len(bursts)-1])
			}
		case "push_opened":
			if len(bursts) > 0 {
				opened = append(opened, row.Time-bursts[len(bursts)-1])
			}
		}
	}
	if len(bursts) < 3 || len(bursts) > 5 {
		t.Errorf("%d bursts in four weeks", len(bursts))
	}
	slices.Sort(opened)
	if median, last := opened[len(opened)/2], opened[len(opened)*19/20]; median > 2*3600 || last < 2*median || last > 36*3600 {
		t.Errorf("half of the opens come within %d seconds, nearly all within %d", median, last)
	}
}

// The shares of the settings are those of the population.
func TestSharesAreThoseThatWereSet(t *testing.T) {
	for _, c := range []struct {
		settings                 world.Settings
		pushOnly, emailOnly, sms float64
	}{
		{world.Settings{}, 0.07, 0.05, 0.56},
		{world.Settings{PushOnly: share(0.5), EmailOnly: share(0.2), SMS: share(0.3)}, 0.5, 0.2, 0.3},
		{world.Settings{PushOnly: share(1)}, 1, 0, 0},
		{world.Settings{EmailOnly: share(1)}, 0, 1, 0},
		{world.Settings{SMS: share(1)}, 0, 0, 1},
		{world.Settings{SMS: share(0), EmailOnly: share(0)}, 0.07, 0, 0},
	} {
		w, err := world.NewWith(2, 9_000, c.settings)
		if err != nil {
			t.Fatal(err)
		}
		view := open(t, w, world.Query{View: vocabulary.ViewProfiles, Now: now})
		email, phone := factOf(t, w, "profile.has_email_address", world.Scope{}), factOf(t, w, "profile.has_phone_number", world.Scope{})
		installations := factOf(t, w, "profile.installations", world.Scope{})
		var all, pushOnly, emailOnly, sms float64
		for _, row := range rowsOf(view) {
			all++
			hasEmail, hasPhone, hasApp := email.Flag(&row), phone.Flag(&row), !installations.Absent(&row)
			if hasApp && !hasEmail && !hasPhone {
				pushOnly++
			}
			if !hasApp && hasEmail && !hasPhone {
				emailOnly++
			}
			if hasPhone {
				sms++
			}
		}
		// Addresses come and go, and some install the app later.
		near(t, "the push-only share", pushOnly/all, c.pushOnly, 0.04)
		near(t, "the e-mail-only share", emailOnly/all, c.emailOnly, 0.06)
		near(t, "the SMS share", sms/all, c.sms, 0.04)
	}
}

// A campaign reaches an audience of its own, and two of them overlap as
// independent audiences do. So do two segments.
func TestAudiencesAndSegmentsOverlapByChance(t *testing.T) {
	w := world.New(12, 12_000)
	journey := []world.Step{{Event: "inapp_supplied"}}
	audience := func(w *world.World, token string, days int) map[int64]bool {
		found := map[int64]bool{}
		q := world.Query{View: vocabulary.ViewInstallationRecipients, Stream: "in-app-campaign/" + token, Journey: journey, From: now.Add(-time.Duration(days) * day), To: now, Now: now}
		for _, row := range rowsOf(open(t, w, q)) {
			found[row.Installation] = true
		}
		return found
	}
	using := map[int64]bool{} // the installations that the app was used on, each in some of these audiences
	for token := range 20 {
		maps.Copy(using, audience(w, fmt.Sprint("campaign ", token), 28))
	}
	there := float64(len(using))
	overlap := func(a, b map[int64]bool) (both float64) {
		for thing := range a {
			if b[thing] {
				both++
			}
		}
		return both
	}
	spring, autumn, longer := audience(w, "spring", 28), audience(w, "autumn", 28), audience(w, "spring", 56)
	for name, found := range map[string]map[int64]bool{"spring": spring, "autumn": autumn} {
		if part := float64(len(found)) / there; part < 0.15 || part > 0.85 {
			t.Errorf("the audience of %s is %.2f of all", name, part)
		}
	}
	near(t, "the overlap of two audiences", overlap(spring, autumn)/there, float64(len(spring))/there*float64(len(autumn))/there, 0.02)
	if overlap(spring, longer) != float64(len(spring)) || overlap(using, longer) != float64(len(spring)) {
		t.Errorf("an audience of %d became another one within a month", len(spring))
	}
	segment := func(code string) map[int64]bool {
		found := map[int64]bool{}
		for _, row := range rowsOf(open(t, w, world.Query{View: vocabulary.ViewProfiles, Segment: code, Now: now})) {
			found[row.Profile] = true
		}
		return found
	}
	vip, lapsed, people := segment("vip"), segment("lapsed"), float64(w.ProfilesAt(now.Unix()))
	for code, found := range map[string]map[int64]bool{"vip": vip, "lapsed": lapsed} {
		if part := float64(len(found)) / people; part < 0.04 || part > 0.51 {
			t.Errorf("the segment %s is %.2f of all", code, part)
		}
	}
	near(t, "the overlap of two segments", overlap(vip, lapsed)/people, float64(len(vip))/people*float64(len(lapsed))/people, 0.01)
}

// A profile keeps its place in a segment when others come.
func TestASegmentKeepsItsMembers(t *testing.T) {
	w := world.New(3, 3_000)
	members := func(at time.Time) (list []int64) {
		for _, row := range rowsOf(open(t, w, world.Query{View: vocabulary.ViewProfiles, Segment: "vip", Now: at})) {
			list = append(list, row.Profile)
		}
		return list
	}
	before, after := members(eras[0]), members(now)
	for _, profile := range before {
		if !slices.Contains(after, profile) {
			t.Fatalf("profile %d left the segment", profile)
		}
	}
	if len(after) <= len(before) {
		t.Errorf("a segment of %d has %d later: nobody joins", len(before), len(after))
	}
}

func TestSettingsThatMakeNoSense(t *testing.T) {
	for name, settings := range map[string]world.Settings{
		"push-only":       {PushOnly: share(-0.1)},
		"sms":             {SMS: share(math.NaN())},
		"email-only":      {PushOnly: share(0.7), EmailOnly: share(0.4)},
		"campaigns":       {Campaigns: number(0)},
		"weekly-messages": {WeeklyMessages: share(100.5)},
		"rates":           {Rates: map[string]float64{"email_open": 1.1}},
	} {
		var wrong *world.SettingsError
		if _, err := world.NewWith(1, 10, settings); !errors.As(err, &wrong) || wrong.Key != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}
