package world_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// TestLocalSendingIsTheSameEverywhere: whether the messages of a week are looked for by their time or by their member, and in which
// file, they are the same.
func TestLocalSendingIsTheSameEverywhere(t *testing.T) {
	for _, seed := range []uint64{3, 4} {
		w := world.New(seed, 2_000)
		q := query(vocabulary.ViewProfileMessages)
		whole := rowsOf(open(t, w, q))
		q.Segment = "vip"
		want := slices.DeleteFunc(slices.Clone(whole), func(r world.Row) bool { return !w.InSegment("vip", r.Profile) })
		if got := rowsOf(open(t, w, q)); !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("seed %v: a segment has %d rows, %d of the whole are about its members", seed, len(got), len(want))
		}
		var parts []world.Row
		for q.Segment, q.To = "", q.From; q.To.Before(now); {
			q.From, q.To = q.To, q.To.Add(7*time.Hour+11*time.Second)
			if q.To.After(now) {
				q.To = now
			}
			parts = append(parts, rowsOf(open(t, w, q))...)
		}
		if !slices.Equal(parts, whole) {
			t.Errorf("seed %v: %d rows as a whole, %d in adjacent windows, or others", seed, len(whole), len(parts))
		}
		type pair struct {
			installation int64
			event        int32
		}
		for _, stream := range []string{"campaign/spring", "campaign/summer", "campaign/autumn"} {
			q := query(vocabulary.ViewInstallationMessages)
			q.Stream = stream
			told, listed := map[pair]bool{}, map[pair]bool{}
			for _, row := range rowsOf(open(t, w, q)) {
				told[pair{row.Installation, row.Event}] = true
			}
			q.View = vocabulary.ViewInstallationRecipients
			for _, row := range rowsOf(open(t, w, q)) {
				listed[pair{row.Installation, row.Event}] = true
				if !told[pair{row.Installation, row.Event}] {
					t.Errorf("seed %v: event %d of installation %d is in no message of %s", seed, row.Event, row.Installation, stream)
				}
			}
			if len(told) != len(listed) || len(told) == 0 {
				t.Errorf("seed %v: %s: %d are told of, %d listed", seed, stream, len(told), len(listed))
			}
		}
	}
}

// TestNights: messages that ring keep out of the nights of people, wherever they live, and few e-mails are sent or read in them.
func TestNights(t *testing.T) {
	w := world.New(7, 12_000)
	view := open(t, w, profileEvents(now, 28))
	zone := factOf(t, w, "profile.timezone", world.Scope{View: view})
	type counts struct{ night, all float64 }
	counted := map[string]map[string]*counts{} // by event and zone
	locations := map[string]*time.Location{}
	for _, row := range rowsOf(view) {
		event, name := life[row.Event].Event, textOf(&zone, &row)
		if counted[event] == nil {
			counted[event] = map[string]*counts{}
		}
		of := counted[event][name]
		if of == nil {
			of = &counts{}
			counted[event][name] = of
		}
		if locations[name] == nil {
			location, err := time.LoadLocation(name)
			if err != nil {
				t.Fatal(err)
			}
			locations[name] = location
		}
		of.all++
		if time.Unix(row.Time, 0).In(locations[name]).Hour() < 6 {
			of.night++
		}
	}
	for event, most := range map[string]float64{"email_sent": 0.15, "email_open": 0.2, "sms_sent": 0.03, "push_sent": 0.03, "push_open": 0.15} {
		zones := 0
		for name, of := range counted[event] {
			if of.all < 300 {
				continue
			}
			if zones++; of.night > most*of.all {
				t.Errorf("%s in %s: %.3f of %v are between midnight and six, want at most %v", event, name, of.night/of.all, of.all, most)
			}
		}
		if zones < 4 {
			t.Errorf("%s: %d time zones have enough people to tell", event, zones)
		}
	}
}
