package world

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// windowJourneys are lives of messages with all kinds of steps: at once and after weeks, of
// machines, again, excluded by others, in the app, with an end.
var windowJourneys = map[string]struct {
	view  string
	steps []Step
}{
	"profiles": {vocabulary.ViewProfileMessages, []Step{
		{Event: "email_sent", Channel: "email", Burst: true},
		{Event: "email_bounced", After: "email_sent", Rate: 0.05, Delay: 45 * time.Second},
		{Event: "email_delivered", After: "email_sent", Rate: 1, Delay: 20 * time.Second, Unless: []string{"email_bounced"}},
		{
			Event: "email_open", After: "email_delivered", Rate: 0.4, Delay: 3 * time.Hour, Person: true,
			Machine: Machine{Share: 0.2, Delay: 25 * time.Second}, Again: Again{Rate: 0.35, Delay: 20 * time.Hour},
		},
		{Event: "email_click", After: "email_open", Rate: 0.3, Delay: time.Minute, Person: true, Again: Again{Rate: 0.3, Delay: 10 * time.Minute}},
		{Event: "email_unsubscribed", After: "email_delivered", Rate: 1, Delay: 4 * time.Hour, Consent: "email"},
		{Event: "sms_sent", Channel: "sms", Burst: true},
		{Event: "sms_unsubscribed", After: "sms_sent", Rate: 1, Delay: 20 * time.Minute, Consent: "sms"},
		{Event: "push_sent", Channel: "push", Burst: true},
		{Event: "push_bounced", After: "push_sent", Rate: 0.03, Delay: 2 * time.Second},
		{Event: "push_open", After: "push_sent", Rate: 0.3, Delay: 20 * time.Minute, Person: true, Unless: []string{"push_bounced"}},
	}},
	"campaign": {vocabulary.ViewInstallationMessages, []Step{
		{Event: "push_sent", Channel: "push", Burst: true},
		{Event: "push_error", After: "push_sent", Rate: 0.03, Delay: 2 * time.Second},
		{Event: "push_opened", After: "push_sent", Rate: 0.3, Delay: 20 * time.Minute, Person: true, Unless: []string{"push_error"}},
	}},
	"group": {vocabulary.ViewInstallationMessages, []Step{
		{Event: "push_sent", Channel: "push"},
		{Event: "push_error", After: "push_sent", Rate: 0.03, Delay: 2 * time.Second},
		{Event: "push_opened", After: "push_sent", Rate: 0.3, Delay: 20 * time.Minute, Person: true, Unless: []string{"push_error"}},
	}},
	"in-app": {vocabulary.ViewInstallationMessages, []Step{
		{Event: "inapp_supplied"},
		{Event: "inapp_shown", After: "inapp_supplied", Rate: 0.9, Delay: 2 * time.Hour},
		{Event: "inapp_clicked", After: "inapp_shown", Rate: 0.2, Delay: 9 * time.Second, Person: true},
		{Event: "inapp_closed", After: "inapp_shown", Rate: 0.8, Delay: 12 * time.Second, Unless: []string{"inapp_clicked"}},
	}},
}

// eachWindowView tests views of some events and of all of them, of worlds that are so small
// that a batch has all delay classes, and so large that it has one, over the end of a week
// and the beginning of the world.
func eachWindowView(t *testing.T, test func(t *testing.T, v *messages)) {
	for name, journey := range windowJourneys {
		for _, profiles := range []int64{3_000, 80_000} {
			for _, from := range []int64{worldStart, 2_905*week - 3*3600} {
				for _, events := range [][]string{nil, {journey.steps[len(journey.steps)-1].Event}} {
					t.Run(fmt.Sprint(name, profiles, from, len(events)), func(t *testing.T) {
						t.Parallel()
						begin, hours := time.Unix(from, 0), time.Duration(9)
						if name == "campaign" {
							hours += 7 * 24 // it sends once a week
						}
						q := Query{View: journey.view, Stream: name, From: begin.Add(time.Minute), To: begin.Add(hours*time.Hour + 7*time.Second), Now: begin.AddDate(1, 0, 0), Journey: journey.steps, Events: events}
						test(t, viewOf(t, New(3, profiles), q).(*messages))
					})
				}
			}
		}
	}
}

// In order or not, by one reader or by several, the rows of a slot are those that the slow
// reading finds.
func TestWindowsHoldTheRowsOfTheirSlots(t *testing.T) {
	var all atomic.Int64
	t.Cleanup(func() {
		if all.Load() < 20_000 {
			t.Errorf("all views have %d rows", all.Load())
		}
	})
	eachWindowView(t, func(t *testing.T, v *messages) {
		want := make([][]Row, v.Units())
		for unit := range want {
			want[unit] = v.appendSlot(nil, v.units.slotOf(int64(unit)))
			all.Add(int64(len(want[unit])))
		}
		check := func(unit int64) bool {
			got := v.Append([]Row{}, unit)
			if len(got) == len(want[unit]) && (len(got) == 0 || reflect.DeepEqual(got, want[unit])) {
				return true
			}
			t.Errorf("unit %d of %d: %d rows, %d are right, or others", unit, len(want), len(got), len(want[unit]))
			return false
		}
		var readers sync.WaitGroup
		for reader := range 3 {
			readers.Go(func() {
				for from := int64(reader) * 50; from < v.Units(); from += 150 {
					for unit := from; unit < min(from+50, v.Units()); unit++ {
						if !check(unit) {
							return
						}
					}
				}
			})
		}
		readers.Wait()
		source := rand.New(rand.NewPCG(1, 2))
		for range min(v.Units(), 200) {
			if !check(source.Int64N(v.Units())) {
				return
			}
		}
	})
}

// What a collection of garbage takes from a reader is found again from where the reader is.
func TestAWindowThatIsLostBeginsWhereItIsAskedFor(t *testing.T) {
	journey := windowJourneys["profiles"]
	begin := time.Unix(2_905*week, 0)
	v := viewOf(t, New(3, 3_000), Query{View: journey.view, Stream: "profiles", From: begin, To: begin.Add(48 * time.Hour), Now: begin.AddDate(1, 0, 0), Journey: journey.steps}).(*messages)
	lost := 0
	for unit := range v.Units() {
		slot := v.units.slotOf(unit)
		place := v.windows.holding(slot)
		within := place != nil && slot > place.slots().first
		if within {
			place.finder = weak.Pointer[eventFinder]{}
			lost++
		}
		want := v.appendSlot(nil, slot)
		if got := v.Append([]Row{}, unit); len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("unit %d: %d rows, %d are right, or others", unit, len(got), len(want))
		}
		if within && place.slots().first != slot {
			t.Errorf("slot %d is found with %d before it", slot, slot-place.slots().first)
		}
	}
	if lost < 10 {
		t.Errorf("only %d windows were lost", lost)
	}
}

// What a run of slots becomes is what becomes of each of them, both ways.
func TestRunsAreShuffledLikeTheirSlots(t *testing.T) {
	eachWindowView(t, func(t *testing.T, v *messages) {
		s, first := v.stream, v.span.from/v.stream.slot
		for i := range s.journey.steps {
			for class := range delayClasses {
				var buffer runsBuffer
				run := slotRun{first + int64(7*i+class), int64(1 + (13*class+i)%70)}
				found := map[int64]bool{}
				for _, part := range s.schedule.runsSentIn(&buffer, i, class, run) {
					for slot := part.first; slot < part.first+part.count; slot++ {
						if found[slot] {
							t.Fatalf("step %d, class %d: slot %d is there twice", i, class, slot)
						}
						found[slot] = true
					}
				}
				for slot := run.first; slot < run.first+run.count; slot++ {
					sent := s.schedule.sentIn(i, class, slot)
					if !found[sent] || s.schedule.slotOf(i, class, sent) != slot {
						t.Fatalf("step %d, class %d: slot %d, which comes of %d, is not found", i, class, slot, sent)
					}
				}
				if int64(len(found)) != run.count {
					t.Fatalf("step %d, class %d: %d slots come of %d", i, class, len(found), run.count)
				}
			}
		}
	})
}
