package world

import (
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// Nothing is sent in hours, or on days, whose weight is 0, by the clock of who sends: bursts rest there, however long they take.
func TestNothingIsSentWithoutAWeight(t *testing.T) {
	some, one, none, all, days := make([]int, HoursOfDay), make([]int, HoursOfDay), 0.0, 1.0, []int{0, 0, 1, 2, 0, 0, 1}
	some[0], some[9], some[12], some[23] = 1, 1, 3, 2
	one[15] = 7
	journey := windowJourneys["profiles"]
	begin := time.Unix(2_905*week, 0)
	for name, settings := range map[string]Settings{
		"hours": {SendHours: some, LocalSending: &none}, "an hour": {SendHours: one, LocalSending: &none}, "hours and days": {SendHours: some, SendWeekdays: days, LocalSending: &none},
		"by local clocks": {SendHours: some, SendWeekdays: days, LocalSending: &all},
	} {
		for _, profiles := range []int64{2_000, 80_000_000, 1_000_000_000} {
			w, err := NewWith(3, profiles, settings)
			if err != nil {
				t.Fatal(err)
			}
			v := viewOf(t, w, Query{View: journey.view, Stream: "profiles", From: begin, To: begin.AddDate(0, 0, 7), Now: begin.AddDate(1, 0, 0), Journey: journey.steps}).(*messages)
			for inWeek := int64(2_905); inWeek < 2_915; inWeek++ {
				plan := v.stream.newWeekPlan(inWeek)
				for i := range plan.waves {
					checkWave(t, name, &settings, &plan.waves[i])
				}
			}
			if profiles > 2_000 {
				continue
			}
			for unit := range v.Units() {
				for _, row := range v.Append(nil, unit) {
					hour := row.Time % day / 3600
					// The last message before an end has a time of its own.
					if v.stream.journey.steps[row.Event].parent < 0 && !row.how.final && *settings.LocalSending == 0 && settings.SendHours[hour] == 0 {
						t.Fatalf("%s: a message is sent at %v", name, time.Unix(row.Time, 0).UTC())
					}
				}
			}
		}
	}
}

func checkWave(t *testing.T, name string, settings *Settings, wave *sendWave) {
	t.Helper()
	ahead, all := int64(0), int64(0)
	if wave.zoned {
		ahead = int64(places.HoursAhead[wave.zone])
	}
	for from := wave.start; from < wave.start+wave.length; from += bucket {
		count := wave.countUntil(from+bucket) - wave.countUntil(from)
		all += count
		at := (from + ahead*3600 + week) % week
		weekday, hour := (at/day+thursday)%DaysOfWeek, at%day/3600
		if count > 0 && (settings.SendHours[hour] == 0 || settings.SendWeekdays != nil && settings.SendWeekdays[weekday] == 0) {
			t.Fatalf("%s: of %d messages, %d are sent on day %d at %d o'clock", name, wave.count, count, weekday, hour)
		}
	}
	if all != wave.count {
		t.Fatalf("%s: %d of %d messages are sent", name, all, wave.count)
	}
}
