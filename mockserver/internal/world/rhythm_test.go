package world_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

func TestWeights(t *testing.T) {
	for name, c := range map[string]struct {
		settings world.Settings
		says     string
	}{
		"none":         {world.Settings{}, ""},
		"as many":      {world.Settings{SendWeekdays: []int{1, 0, 0, 0, 0, 0, 0}}, ""},
		"too few":      {world.Settings{SendHours: []int{1, 2}}, "SendHours is [1 2]; it must be 24 weights"},
		"all zero":     {world.Settings{AppWeekdays: make([]int, 7)}, "not all of them 0"},
		"out of range": {world.Settings{AppWeekdays: []int{1, 2, 3, 4, 5, 6, -7}}, "has the weight -7"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.settings.Check()
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
			if _, made := world.NewWith(1, 10, c.settings); (made == nil) != (err == nil) {
				t.Errorf("the world is made: %v", made)
			}
		})
	}
	kept := []int{1, 1, 1, 1, 1, 1, 1}
	settings := world.Settings{SendWeekdays: kept}
	clone := settings.Clone()
	if kept[0] = 9; clone.SendWeekdays[0] != 1 {
		t.Error("a copy shares its weights")
	}
}

// TestSending: messages go out on the days and at the hours that have weights, those of bursts as well.
func TestSending(t *testing.T) {
	hours := make([]int, world.HoursOfDay)
	hours[9], hours[10] = 3, 1
	w, err := world.NewWith(5, 2_000, world.Settings{SendHours: hours, SendWeekdays: []int{0, 1, 0, 0, 0, 0, 1}, LocalSending: share(0)})
	if err != nil {
		t.Fatal(err)
	}
	sent, within, tuesdays := 0.0, 0.0, 0.0
	for _, row := range rowsOf(open(t, w, profileEvents(now, 60))) {
		if life[row.Event].After != "" {
			continue
		}
		at := time.Unix(row.Time, 0).UTC()
		sent++
		if day := at.Weekday(); hours[at.Hour()] > 0 && (day == time.Tuesday || day == time.Sunday) {
			within++
			if day == time.Tuesday {
				tuesdays++
			}
		}
	}
	near(t, "the share of messages at these times", within/sent, 1, 0.03) // a last message before an unsubscription has a time of its own
	if tuesdays == 0 || tuesdays == within {
		t.Errorf("%v of %v messages are of Tuesdays", tuesdays, within)
	}
}
