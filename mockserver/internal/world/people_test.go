package world_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// A machine opens nearly all e-mails of the people whose mailbox has one, and none of the others.
func TestMachinesBelongToPeople(t *testing.T) {
	w := world.New(5, 6_000)
	view := open(t, w, profileEvents(now, 85))
	machine, _ := w.Fact(vocabulary.MachineOpen, world.Scope{View: view})
	type mails struct{ delivered, byMachine float64 }
	of, delivered := map[int64]*mails{}, map[uint64]bool{}
	for _, row := range firstTimes(rowsOf(view)) {
		if of[row.Profile] == nil {
			of[row.Profile] = &mails{}
		}
		switch event := life[row.Event].Event; {
		case event == "email_delivered":
			of[row.Profile].delivered++
			delivered[row.Message] = true
		case event == "email_open" && machine.Flag(&row) && delivered[row.Message]:
			of[row.Profile].byMachine++
		}
	}
	behind, readers, opened, all := 0.0, 0.0, 0.0, 0.0
	for profile, its := range of {
		if its.delivered < 10 {
			continue
		}
		if readers++; its.byMachine == 0 {
			continue
		}
		behind++
		opened, all = opened+its.byMachine, all+its.delivered
		if its.byMachine < 0.6*its.delivered {
			t.Errorf("profile %d: a machine opened %v of %v e-mails", profile, its.byMachine, its.delivered)
		}
	}
	near(t, "the share of e-mails that a machine opens for those whom it serves", opened/all, 0.95, 0.02)
	near(t, "the share of people whom one serves", behind/readers, 0.34*0.125/0.95, 0.012)
}

// Who starts the app all the time takes push messages more often than who has not been there for long.
func TestTheActiveTakePushMessagesMoreOften(t *testing.T) {
	w := world.New(6, 12_000)
	view := open(t, w, world.Query{View: vocabulary.ViewInstallations, Now: now})
	scope := world.Scope{View: view, Messages: open(t, w, profileEvents(now, 120)), InApp: open(t, w, ofTarget("in-app-campaign/a", inAppLife, now, 120))}
	optIn, last := factOf(t, w, vocabulary.IsOptIn, scope), factOf(t, w, vocabulary.LastStartDate, scope)
	var today, away, everybody counted
	for _, row := range rowsOf(view) {
		groups := []*counted{&everybody}
		switch since := now.Unix() - last.Time(&row); {
		case since < 86_400:
			groups = append(groups, &today)
		case since > 90*86_400:
			groups = append(groups, &away)
		}
		for _, group := range groups {
			if group.delivered++; optIn.Flag(&row) {
				group.opened++
			}
		}
	}
	near(t, "the opt-in of those who started the app today", today.rate(), 0.75, 0.04)
	near(t, "the opt-in of those who did not for 90 days", away.rate(), 0.545, 0.02)
	near(t, "the opt-in of all", everybody.rate(), world.DefaultPushOptIn, 0.02)
}
