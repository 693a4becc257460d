package world_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// inAppLife is that of an in-app message; groupLife is the life of a push message
// under the names of the legacy interface, sent all the time.
var (
	inAppLife = []world.Step{
		{Event: "inapp_supplied"},
		{Event: "inapp_shown", After: "inapp_supplied", Rate: 0.8, Delay: 2 * time.Hour, Person: true},
		{Event: "inapp_clicked", After: "inapp_shown", Rate: 0.22, Delay: 9 * time.Second},
		{Event: "inapp_closed", After: "inapp_shown", Rate: 0.85, Delay: 12 * time.Second, Unless: []string{"inapp_clicked"}},
	}
	groupLife = []world.Step{
		{Event: "push_sent", Channel: "push"},
		{Event: "push_error", After: "push_sent", Rate: 0.04, Delay: 2 * time.Second},
		{Event: "push_opened", After: "push_sent", Rate: 0.2, Delay: 20 * time.Minute, Unless: []string{"push_error"}, Person: true},
	}
	burstLife = []world.Step{
		{Event: "push_sent", Channel: "push", Burst: true},
		{Event: "push_error", After: "push_sent", Rate: 0.04, Delay: 2 * time.Second},
		{Event: "push_opened", After: "push_sent", Rate: 0.2, Delay: 20 * time.Minute, Unless: []string{"push_error"}, Person: true},
	}
)

func ofTarget(stream string, life []world.Step, now time.Time, days int) world.Query {
	return world.Query{View: vocabulary.ViewInstallationMessages, Stream: stream, Journey: life, From: now.Add(-time.Duration(days) * day), To: now, Now: now}
}

// The app is not used after it was last started, whoever tells of it: the start is
// the latest of what is shown and opened, and of what users do of their own accord.
func TestNothingHappensInTheAppAfterItsLastStart(t *testing.T) {
	seen, exact := map[string]int{}, 0
	worlds(t, func(t *testing.T, w *world.World, end time.Time) {
		for _, now := range []time.Time{end, end.Add(-63*day + 11*time.Minute), end.AddDate(300, 0, 0)} {
			events, inApp := open(t, w, profileEvents(now, 120)), open(t, w, ofTarget("in-app-campaign/a", inAppLife, now, 120))
			used := map[int64]int64{}
			for name, view := range map[string]world.View{
				"profiles": events, "a": inApp, "b": open(t, w, ofTarget("in-app-campaign/b", inAppLife, now, 120)),
				"campaign": open(t, w, ofTarget("campaign/a", burstLife, now, 120)), "group": open(t, w, ofTarget("transactional/g", groupLife, now, 120)),
			} {
				for _, row := range rowsOf(view) {
					switch event := view.Events()[row.Event]; event {
					case "inapp_shown", "inapp_clicked", "inapp_closed", "push_open", "push_opened":
						seen[name+" "+event]++
						used[row.Installation] = max(used[row.Installation], row.Time)
					}
				}
			}
			snapshot := open(t, w, world.Query{View: vocabulary.ViewInstallations, Now: now})
			scope := world.Scope{View: snapshot, Messages: events, InApp: inApp}
			started, visited := factOf(t, w, "installation.last_start_date", scope), factOf(t, w, "profile.last_visit_date", scope)
			for _, row := range rowsOf(snapshot) {
				at := started.Time(&row)
				if at < used[row.Installation] || at > row.Time {
					t.Fatalf("installation %d was last started at %d, and used at %d; now is %d", row.Installation, at, used[row.Installation], row.Time)
				}
				if at == used[row.Installation] {
					exact++
				}
				if visit := visited.Time(&row); visit < at {
					t.Fatalf("profile %d last visited at %d, and started the app at %d", row.Profile, visit, at)
				}
			}
		}
	})
	if len(seen) != 9 || exact < 500 {
		t.Errorf("seen: %v; %d starts are what is shown or opened", seen, exact)
	}
}

// A push message that a campaign or a group lists is one of the profile it goes
// to: sent, failed and opened in the same seconds.
func TestAPushMessageIsTheSameInBothInterfaces(t *testing.T) {
	compared := map[string]int{}
	same := map[string]string{"push_sent": "push_sent", "push_error": "push_bounced", "push_opened": "push_open"}
	worlds(t, func(t *testing.T, w *world.World, now time.Time) {
		events := map[string]bool{}
		view := open(t, w, profileEvents(now, 60))
		of := func(view world.View) func(row world.Row, event string) string {
			sent := factOf(t, w, "orchestration.sent_id", world.Scope{View: view})
			return func(row world.Row, event string) string {
				return fmt.Sprint(event, row.Profile, row.Installation, row.Time, textOf(&sent, &row))
			}
		}
		print, campaigns := of(view), world.Orchestrations(view)
		for _, row := range rowsOf(view) {
			events[print(row, life[row.Event].Event)] = true
		}
		for stream, steps := range map[string][]world.Step{"campaign/a": burstLife, "campaign/b": burstLife, "transactional/g": groupLife} {
			legacy := open(t, w, ofTarget(stream, steps, now, 60))
			print := of(legacy)
			for _, row := range rowsOf(legacy) {
				if int(row.Orchestration) >= campaigns {
					continue // of a world with so few orchestrations that profiles get none of the kind
				}
				name := same[steps[row.Event].Event]
				if compared[stream+name]++; !events[print(row, name)] {
					t.Fatalf("%s: %s at %d to installation %d is no event of profile %d", stream, name, row.Time, row.Installation, row.Profile)
				}
			}
		}
	})
	if len(compared) != 9 {
		t.Errorf("compared: %v", compared)
	}
}

// A hard bounce ends an address or a token in the same second, and a complaint the
// consent; what comes later goes to another address, or after a new consent.
func TestAnEndIsTheEnd(t *testing.T) {
	ends := map[string]int{}
	w := world.New(7, 12_000)
	steps := append([]world.Step{}, life...)
	steps[5].Consent = "email" // the complaint
	q := profileEvents(now, 120)
	q.Journey = steps
	view := open(t, w, q)
	scope := world.Scope{View: view}
	address, kind := factOf(t, w, "profile.email_address", scope), factOf(t, w, "event.bounce_type", scope)
	gone, changed := map[string]int64{}, map[string]int64{}
	for _, row := range rowsOf(open(t, w, world.Query{View: vocabulary.ViewProfileChanges, From: q.From, To: q.To, Now: now})) {
		changed[fmt.Sprint(world.ReasonNames[row.Reason], row.Profile, row.Installation)] = row.Time
	}
	flags := factOf(t, w, "installation.is_reachable", scope)
	for _, row := range rowsOf(view) {
		event, to := steps[row.Event].Event, ""
		switch event[0] {
		case 'e':
			to = textOf(&address, &row)
		case 'p':
			to = fmt.Sprint(row.Installation)
		default:
			continue
		}
		if at, is := gone[to]; is && event[0] == 'e' {
			t.Fatalf("%s to %s at %d, which was gone at %d", event, to, row.Time, at)
		}
		switch {
		case (event == "email_bounced" || event == "push_bounced") && textOf(&kind, &row) == "hard":
			if ends[event]++; event == "email_bounced" {
				gone[to] = row.Time
				break
			}
			after := w.RowAt(row.Profile, row.Installation, row.Time)
			if textOf(&flags, &after) != "false" {
				t.Fatalf("installation %d has a token after %d", row.Installation, row.Time)
			}
		case event == "email_spam_complaint":
			ends[event]++
			if changed[fmt.Sprint("UNSUBSCRIBED_FROM_EMAIL_MARKETING", row.Profile, -1)] < row.Time {
				t.Fatalf("profile %d complained at %d and did not withdraw", row.Profile, row.Time)
			}
		}
	}
	for _, event := range []string{"email_bounced", "push_bounced", "email_spam_complaint"} {
		if ends[event] < 20 {
			t.Errorf("%d ends by %s: the test sees little", ends[event], event)
		}
	}
}

// A legacy row names no message: what two messages do on one installation in one second is
// one row, and stays two events of the profile.
func TestALegacyFileTellsNothingTwice(t *testing.T) {
	weekly := 60.0
	w, err := world.NewWith(5, 1_500, world.Settings{WeeklyMessages: &weekly})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2025, 9, 20, 12, 0, 0, 0, time.UTC)
	type told struct {
		at, installation int64
		event            string
	}
	twice := 0
	sent := map[told]map[int32]int{}
	for _, row := range rowsOf(open(t, w, profileEvents(now, 30))) {
		is := told{row.Time, row.Installation, life[row.Event].Event}
		if row.Installation >= 0 {
			if sent[is] == nil {
				sent[is] = map[int32]int{}
			}
			if sent[is][row.Orchestration]++; sent[is][row.Orchestration] == 2 {
				twice++
			}
		}
	}
	if twice == 0 {
		t.Error("no two messages of one orchestration meet: the test sees nothing")
	}
	for stream, steps := range map[string][]world.Step{"campaign/a": burstLife, "campaign/b": burstLife, "transactional/g": groupLife} {
		seen := map[told]bool{}
		for _, row := range rowsOf(open(t, w, ofTarget(stream, steps, now, 30))) {
			is := told{row.Time, row.Installation, steps[row.Event].Event}
			if seen[is] {
				t.Fatalf("%s: %v is there twice", stream, is)
			}
			seen[is] = true
		}
	}
}
