package world_test

import (
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// firstTimes leaves out the rows of what happened to a message before.
func firstTimes(rows []world.Row) []world.Row {
	type step struct {
		message uint64
		event   int32
	}
	seen := map[step]bool{}
	return slices.DeleteFunc(rows, func(r world.Row) bool {
		is := step{r.Message, r.Event}
		again := seen[is]
		seen[is] = true
		return again
	})
}

// eventsOf are the times of each event, in order, by message.
func eventsOf(rows []world.Row, names ...string) map[uint64]map[string][]int64 {
	times := map[uint64]map[string][]int64{}
	for _, row := range rows {
		name := life[row.Event].Event
		if !slices.Contains(names, name) {
			continue
		}
		if times[row.Message] == nil {
			times[row.Message] = map[string][]int64{}
		}
		times[row.Message][name] = append(times[row.Message][name], row.Time)
	}
	return times
}

// Most e-mails are opened soon, some after days: the quantiles are those of what
// senders publish, shares of all opens by people after 1, 6, 24, 168 and 720 hours.
func TestOpensHaveALongTail(t *testing.T) {
	w := world.New(5, 10_000)
	view := open(t, w, profileEvents(now, 85))
	machine, _ := w.Fact(vocabulary.MachineOpen, world.Scope{View: view})
	rows := rowsOf(view)
	machines := 0.0
	within := [5]float64{}
	late := 0.0
	delivered := eventsOf(rows, "email_delivered")
	for _, row := range firstTimes(rows) {
		before := delivered[row.Message]["email_delivered"]
		// Of the messages of the first weeks all opens are seen.
		if life[row.Event].Event != "email_open" || len(before) == 0 || before[0] > now.Unix()-40*86_400 {
			continue
		}
		delay := row.Time - before[0]
		if machine.Flag(&row) {
			if machines++; delay > 15*60 {
				late++
			}
			continue
		}
		for i, hours := range [...]int64{1, 6, 24, 168, 720} {
			if delay < hours*3600 {
				within[i]++
			}
		}
	}
	for i, want := range [...][2]float64{{0.31, 0.37}, {0.57, 0.63}, {0.76, 0.82}, {0.91, 0.95}, {0.97, 1}} {
		if got := within[i] / within[4]; got < want[0] || got > want[1] {
			t.Errorf("the share of opens until hour %d is %.3f, want between %.2f and %.2f", [...]int{1, 6, 24, 168, 720}[i], got, want[0], want[1])
		}
	}
	if machines < 500 || late > 0 {
		t.Errorf("%v of %v opens by machines come after a quarter of an hour", late, machines)
	}
}

// Some open an e-mail again, and some click more than one link of it.
func TestOpensAndClicksComeAgain(t *testing.T) {
	w := world.New(5, 10_000)
	view := open(t, w, profileEvents(now, 85))
	link, _ := w.Fact(vocabulary.ClickURL, world.Scope{View: view})
	rows := rowsOf(view)
	for event, want := range map[string]float64{"email_open": 1 + 0.875*(0.35+0.35*0.35), "email_click": 1 + 0.15 + 0.15*0.15} {
		first, all := 0.0, 0.0
		for _, times := range eventsOf(rows, event) {
			first++
			all += float64(len(times[event]))
			for i := 1; i < len(times[event]); i++ {
				if times[event][i] == times[event][i-1] {
					t.Fatalf("%s happens twice to one message in one second", event)
				}
			}
		}
		near(t, "how often there is "+event, all/first, want, 0.04)
	}
	links := map[uint64]map[string]bool{}
	for _, row := range rows {
		if life[row.Event].Event != "email_click" {
			continue
		}
		if links[row.Message] == nil {
			links[row.Message] = map[string]bool{}
		}
		address := string(link.Text(nil, &row))
		if links[row.Message][address] {
			t.Fatalf("%s is clicked twice in one message", address)
		}
		links[row.Message][address] = true
	}
}
