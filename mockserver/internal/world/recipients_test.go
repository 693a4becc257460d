package world_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// recipient is what tells the rows of a list of recipients apart.
type recipient struct {
	installation int64
	event        int32
	linked       bool
}

// Whatever the messages, the list of recipients is what their events say: each of them once, by people, events
// and time; rows that show nothing else are in the same order, and those who are counted are the same ones.
func TestRecipientsAreThoseOfTheEvents(t *testing.T) {
	pushes := []world.Step{
		{Event: "push_sent", Channel: "push"},
		{Event: "push_error", After: "push_sent", Rate: 0.1, Delay: 2 * time.Second},
		{Event: "push_opened", After: "push_sent", Rate: 0.3, Delay: 3 * time.Hour, Unless: []string{"push_error"}, Person: true},
	}
	bursts := slices.Clone(pushes)
	bursts[0].Burst = true
	inApp := []world.Step{
		{Event: "inapp_supplied"},
		{Event: "inapp_shown", After: "inapp_supplied", Rate: 0.8, Delay: 2 * time.Hour, Person: true},
		{Event: "inapp_clicked", After: "inapp_shown", Rate: 0.22, Delay: 9 * time.Second},
		{Event: "inapp_closed", After: "inapp_shown", Rate: 0.85, Delay: 12 * time.Second, Unless: []string{"inapp_clicked"}},
	}
	half, many := 0.5, 12.0
	for name, journey := range map[string][]world.Step{"bursts": bursts, "all the time": pushes, "in the app": inApp} {
		for i, settings := range []world.Settings{
			{}, {PushOptIn: &half}, {WeeklyMessages: &many},
		} {
			for _, days := range []int{3, 40, 88} {
				t.Run(fmt.Sprint(name, ", settings ", i, ", days ", days), func(t *testing.T) {
					t.Parallel()
					w, err := world.NewWith(uint64(days), 3_000, settings)
					if err != nil {
						t.Fatal(err)
					}
					compareRecipients(t, w, journey, days)
				})
			}
		}
	}
}

func compareRecipients(t *testing.T, w *world.World, journey []world.Step, days int) {
	linked, _ := w.Fact(vocabulary.HasCustomID, world.Scope{})
	of := func(row *world.Row) recipient { return recipient{row.Installation, row.Event, linked.Flag(row)} }
	q := world.Query{
		View: vocabulary.ViewInstallationMessages, From: now.Add(-time.Duration(days) * 24 * time.Hour), To: now.Add(-7 * time.Hour), Now: now,
		Stream: "campaign/spring", Journey: journey, ShowsLinks: true,
	}
	want := map[recipient]int{}
	for _, row := range rowsOf(open(t, w, q)) {
		want[of(&row)]++
	}
	q.View = vocabulary.ViewInstallationRecipients
	rows := rowsOf(open(t, w, q))
	if len(rows) == 0 || len(rows) != len(want) {
		t.Fatalf("%d recipients, %d of the events", len(rows), len(want))
	}
	for i := range rows {
		if want[of(&rows[i])] == 0 {
			t.Fatalf("%+v is no recipient of the events, or is listed twice", of(&rows[i]))
		}
		delete(want, of(&rows[i]))
		if a := &rows[max(i-1, 0)]; cmp.Or(cmp.Compare(a.Profile, rows[i].Profile), cmp.Compare(a.Event, rows[i].Event), cmp.Compare(a.Time, rows[i].Time)) > 0 {
			t.Fatalf("row %d is not in order", i)
		}
	}
	q.OnlyRecipients = true
	plain := rowsOf(open(t, w, q))
	if !slices.EqualFunc(rows, plain, func(a, b world.Row) bool { return a.Profile == b.Profile && of(&a) == of(&b) }) {
		t.Errorf("%d rows that show only recipients are others than %d that show more", len(plain), len(rows))
	}
}
