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

func segmentWorld(t testing.TB, profiles int64, share float64) *World {
	t.Helper()
	w, err := NewWith(7, profiles, Settings{SegmentShare: &share})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// However the rows of a segment are found, they are those rows of the whole
// that are about its members, in the same order.
func TestSegmentsOfEventsArePartsOfTheWhole(t *testing.T) {
	for _, share := range []float64{0.002, 0.03, 0.2, 0.6} {
		w := segmentWorld(t, 5_000, share)
		for _, name := range []string{vocabulary.ViewProfileMessages, vocabulary.ViewProfileChanges} {
			q := segmentQuery
			q.View, q.From = name, segmentNow.AddDate(0, 0, -25)
			whole := allRows(viewOf(t, w, q))
			q.Segment = "vip"
			members, size := w.segment(q.Segment)
			want := slices.DeleteFunc(whole, func(r Row) bool { return members.indexOf(r.Profile) >= size })
			view := viewOf(t, w, q)
			if _, direct := view.(*segmentView); direct != (share < 0.25) {
				t.Errorf("a segment of %v is a %T", share, view)
			}
			if got := allRows(view); !slices.Equal(got, want) {
				t.Errorf("%s: a segment of %v has %d rows, %d of the whole are about its members", name, share, len(got), len(want))
			}
			if len(want) == 0 && share > 0.01 {
				t.Errorf("%s: nothing happens to a segment of %v", name, share)
			}
		}
	}
}

// Adjacent windows of a segment tile, wherever they are cut.
func TestWindowsOfASegmentTile(t *testing.T) {
	w := segmentWorld(t, 6_000, 0.04)
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

// A week of events for ten thousand profiles inside a world of a hundred
// million: nobody else is looked at, and each member a few times.
func TestASegmentOfAHugeWorldIsFoundWithoutScanning(t *testing.T) {
	const size = 10_000
	w := segmentWorld(t, 100_000_000, size/100_000_000.0)
	q := segmentQuery
	q.Segment = "vip"
	view, direct := viewOf(t, w, q).(*segmentView)
	if !direct || view.size != size {
		t.Fatalf("the view is %T", view)
	}
	asked, askedWho := 0, map[int64]bool{}
	of := view.appendMember
	view.appendMember = func(rows []Row, profile, from, to int64) []Row {
		asked++
		askedWho[profile] = true
		return of(rows, profile, from, to)
	}
	rows := allRows(view)
	if len(rows) < size || len(askedWho) != size || asked > 12*size {
		t.Errorf("%d rows; %d profiles were asked %d times", len(rows), len(askedWho), asked)
	}
	if !slices.IsSortedFunc(rows, func(a, b Row) int { return compareRows(&a, &b) }) {
		t.Error("the rows are not in order")
	}
	// Without a segment, an hour is found by its slots alone.
	q.Segment, q.From = "", q.To.Add(-time.Minute)
	if units := viewOf(t, w, q).Units(); units > 61 {
		t.Errorf("a minute has %d units", units)
	}
}

// A campaign of bursts lists only the slots in which something can happen:
// nothing is lost by that. Bursts by the clocks of people are in more of them.
func TestASlotListOfBurstsLeavesNothingOut(t *testing.T) {
	for local, most := range map[float64]float64{0: 0.4, 1: 0.6} {
		for seed := range uint64(6) {
			w, err := NewWith(seed, 4_000, Settings{LocalSending: &local})
			if err != nil {
				t.Fatal(err)
			}
			q := segmentQuery
			q.View, q.Stream, q.From = vocabulary.ViewInstallationMessages, "campaign/spring", segmentNow.AddDate(0, 0, -60)
			q.Journey = q.Journey[3:]
			q.Journey = []Step{{Event: "push_sent", Channel: "push", Burst: true}, q.Journey[1]}
			short := viewOf(t, w, q).(*messages)
			long := *short
			long.units = long.stream.units(long.span, true)
			got, want := allRows(short), allRows(&long)
			if !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("local %v, seed %d: %d rows in the slots of bursts, %d in all slots", local, seed, len(got), len(want))
			}
			if float64(short.Units()) > most*float64(long.Units()) {
				t.Errorf("local %v, seed %d: %d of %d slots are listed", local, seed, short.Units(), long.Units())
			}
		}
	}
}
