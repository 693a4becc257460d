package world_test

import (
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

const (
	// fewestWithdrawals make the shares below mean something; both worlds have several times as many.
	fewestWithdrawals = 100
	// sharedWaits is how many withdrawals may share a wait, on average: waits are whole seconds and most of them are
	// short, so some coincide. A fixed distance would give one or two waits for all.
	sharedWaits = 3
	// slowerAtLeast is how much longer the slowest tenth waits than the fastest: minutes against hours.
	slowerAtLeast = 8
)

// People take their time before they unsubscribe: some leave at once, others
// hours after the message came.
func TestWithdrawalsFollowTheirMessageAtNoFixedDistance(t *testing.T) {
	for _, c := range []struct {
		profiles int64
		days     int
	}{{10_000, 85}, {150_000, 6}} {
		w := world.New(5, c.profiles)
		sent, delivered := map[uint64]int64{}, map[uint64]int64{}
		waits := map[string][]int64{}
		for _, row := range rowsOf(open(t, w, profileEvents(now, c.days))) {
			switch event := life[row.Event].Event; event {
			case "email_sent", "sms_sent":
				sent[row.Message] = row.Time
			case "email_delivered", "sms_delivered":
				delivered[row.Message] = row.Time
			case "email_unsubscribed", "sms_unsubscribed":
				from, there := sent[row.Message]
				if !there {
					continue // it was sent before the window
				}
				if arrived, there := delivered[row.Message]; !there || arrived < from || row.Time < arrived {
					t.Errorf("sent at %d, delivered at %d, %s at %d", from, arrived, event, row.Time)
				}
				waits[event] = append(waits[event], row.Time-from)
			}
		}
		for _, event := range []string{"email_unsubscribed", "sms_unsubscribed"} {
			list := waits[event]
			slices.Sort(list)
			distinct := len(slices.Compact(slices.Clone(list)))
			if len(list) < fewestWithdrawals || distinct < len(list)/sharedWaits {
				t.Errorf("%d profiles: %d %s come %d different times after they were sent", c.profiles, len(list), event, distinct)
				continue
			}
			if early, late := list[len(list)/10], list[len(list)*9/10]; late < slowerAtLeast*early {
				t.Errorf("%d profiles: nine in ten %s come later than %d seconds, one in ten later than %d", c.profiles, event, early, late)
			}
		}
	}
}
