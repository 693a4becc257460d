package world

import (
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

var (
	segmentNow   = time.Date(2026, 3, 15, 10, 30, 0, 0, time.UTC)
	segmentQuery = Query{
		View: vocabulary.ViewProfileMessages, Stream: "profiles/", From: segmentNow.AddDate(0, 0, -7), To: segmentNow, Now: segmentNow,
		Journey: []Step{
			{Event: "email_sent", Channel: "email", Burst: true},
			{Event: "email_open", After: "email_sent", Rate: 0.4, Delay: 3 * time.Hour, Person: true},
			{Event: "email_unsubscribed", After: "email_open", Rate: 1, Delay: 2 * time.Minute, Consent: "email"},
			{Event: "push_sent", Channel: "push"},
			{Event: "push_open", After: "push_sent", Rate: 0.2, Delay: 20 * time.Minute, Person: true},
		},
	}
)

func viewOf(t testing.TB, w *World, q Query) View {
	t.Helper()
	view, err := w.View(q)
	if err != nil {
		t.Fatal(err)
	}
	return view
}

func allRows(view View) (rows []Row) {
	for unit := range view.Units() {
		rows = view.Append(rows, unit)
	}
	return rows
}

// However the rows of a segment are found, they are those rows of the whole
// that are about its members, in the same order.
func TestSegmentsOfEventsArePartsOfTheWhole(t *testing.T) {
	found := 0
	for _, seed := range []uint64{7, 8, 9, 10} {
		w := New(seed, 2_000)
		for _, name := range []string{vocabulary.ViewProfileMessages, vocabulary.ViewProfileChanges} {
			q := segmentQuery
			q.View, q.From = name, segmentNow.AddDate(0, 0, -25)
			whole := allRows(viewOf(t, w, q))
			q.Segment = "vip"
			members, size := w.segment(q.Segment)
			want := slices.DeleteFunc(whole, func(r Row) bool { return members.indexOf(r.Profile) >= size })
			view := viewOf(t, w, q)
			if _, direct := view.(*segmentView); direct {
				found++
			}
			if got := allRows(view); !slices.Equal(got, want) {
				t.Errorf("%s: a segment of seed %v has %d rows, %d of the whole are about its members", name, seed, len(got), len(want))
			}
			if len(want) == 0 {
				t.Errorf("%s: nothing happens to a segment of seed %v", name, seed)
			}
		}
	}
	if found == 0 || found == 8 {
		t.Errorf("%d of 8 segments are found by their members; both ways have to be tested", found)
	}
}

// Adjacent windows of a segment tile, wherever they are cut.
func TestWindowsOfASegmentTile(t *testing.T) {
	w := New(7, 3_000)
	for _, name := range []string{vocabulary.ViewProfileMessages, vocabulary.ViewProfileChanges} {
		q := segmentQuery
		q.View, q.Segment = name, "vip"
		whole, parts := allRows(viewOf(t, w, q)), []Row{}
		for at := q.From; at.Before(segmentQuery.To); at = q.To {
			q.From, q.To = at, at.Add(9*time.Hour+7*time.Second)
			parts = append(parts, allRows(viewOf(t, w, q))...)
		}
		if !slices.Equal(whole, parts) || len(whole) == 0 {
			t.Errorf("%s: %d rows as a whole, %d in adjacent windows, or others", name, len(whole), len(parts))
		}
	}
}

// A campaign of bursts lists only the slots in which something can happen:
// nothing is lost by that.
func TestASlotListOfBurstsLeavesNothingOut(t *testing.T) {
	for seed := range uint64(6) {
		w := New(seed, 4_000)
		q := segmentQuery
		q.View, q.Stream, q.From = vocabulary.ViewInstallationMessages, "campaign/spring", segmentNow.AddDate(0, 0, -60)
		q.Journey = q.Journey[3:]
		q.Journey = []Step{{Event: "push_sent", Channel: "push", Burst: true}, q.Journey[1]}
		short := viewOf(t, w, q).(*messages)
		long := *short
		long.units = long.stream.units(long.span, true)
		got, want := allRows(short), allRows(&long)
		if !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("seed %d: %d rows in the slots of bursts, %d in all slots", seed, len(got), len(want))
		}
		if float64(short.Units()) > 0.6*float64(long.Units()) {
			t.Errorf("seed %d: %d of %d slots are listed", seed, short.Units(), long.Units())
		}
	}
}
