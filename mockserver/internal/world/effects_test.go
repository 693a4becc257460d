package world_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// counted is what happened to the messages of an orchestration.
type counted struct{ delivered, opened float64 }

func (c *counted) add(event string) {
	switch event {
	case "email_delivered", "push_sent":
		c.delivered++
	case "email_open", "push_open":
		c.opened++
	}
}

func (c *counted) rate() float64 { return c.opened / c.delivered }

// Good campaigns of e-mails are opened twice as often as bad ones, in the same weeks.
func TestCampaignsDiffer(t *testing.T) {
	w := world.New(5, 20_000)
	campaigns := map[int32]*counted{}
	for _, row := range firstTimes(rowsOf(open(t, w, profileEvents(now, 56)))) {
		if !strings.HasPrefix(life[row.Event].Event, "email_") {
			continue
		}
		if campaigns[row.Orchestration] == nil {
			campaigns[row.Orchestration] = &counted{}
		}
		campaigns[row.Orchestration].add(life[row.Event].Event)
	}
	worst, best, many := 1.0, 0.0, 0
	for _, c := range campaigns {
		if c.delivered > 2_000 {
			worst, best, many = min(worst, c.rate()), max(best, c.rate()), many+1
		}
	}
	if many < 8 || worst > 0.25 || best < 0.42 || worst < 0.1 || best > 0.7 {
		t.Errorf("of %d campaigns the worst is opened by %.2f, the best by %.2f", many, worst, best)
	}
}

// The best push campaigns are opened five times as often as the worst, and all together as often as the rate says.
func TestPushCampaignsDiffer(t *testing.T) {
	w, err := world.NewWith(5, 30_000, world.Settings{Campaigns: number(60), Rates: map[string]float64{"push_open": 0.09}})
	if err != nil {
		t.Fatal(err)
	}
	q := profileEvents(now, 42)
	q.Events = []string{"push_sent", "push_open"}
	campaigns, all := map[int32]*counted{}, counted{}
	for _, row := range rowsOf(open(t, w, q)) {
		if campaigns[row.Orchestration] == nil {
			campaigns[row.Orchestration] = &counted{}
		}
		campaigns[row.Orchestration].add(life[row.Event].Event)
		all.add(life[row.Event].Event)
	}
	var rates []float64
	for _, c := range campaigns {
		if c.delivered > 1_000 {
			rates = append(rates, c.rate())
		}
	}
	slices.Sort(rates)
	if len(rates) < 15 {
		t.Fatalf("only %d campaigns sent enough", len(rates))
	}
	near(t, "the 95th by the 5th percentile", rates[len(rates)*95/100]/rates[len(rates)*5/100], 5.5, 1.5)
	near(t, "the rate of all", all.rate(), 0.09, 0.006)
}

// An A/B test shows both variants, until the better one is sent to all.
func TestTestsEndWithAWinner(t *testing.T) {
	w := world.New(5, 40_000)
	view := open(t, w, profileEvents(now, 85))
	fact := func(source string) func(*world.Row) string {
		found, known := w.Fact(source, world.Scope{View: view, Messages: view})
		if !known {
			t.Fatalf("there is no %s", source)
		}
		return func(row *world.Row) string {
			switch {
			case found.Absent != nil && found.Absent(row):
				return ""
			case found.Choice != nil:
				return found.Names[found.Choice(row)]
			}
			return string(found.Text(nil, row))
		}
	}
	status, variant := fact(vocabulary.ABTestingStatus), fact(vocabulary.ABTestingVariant)
	running, finished := map[int32]map[string]*counted{}, map[int32]map[string]float64{}
	of := map[uint64]string{}
	for _, row := range rowsOf(view) {
		event, shown := life[row.Event].Event, variant(&row)
		if shown == "" {
			if status(&row) != "" {
				t.Fatal("a message without a variant has the status of a test")
			}
			continue
		}
		if before := of[row.Message]; before != "" && before != shown {
			t.Fatalf("a message is of variant %s, and then of %s", before, shown)
		}
		of[row.Message] = shown
		if !strings.HasPrefix(event, "email") {
			continue
		}
		if running[row.Orchestration] == nil {
			running[row.Orchestration], finished[row.Orchestration] = map[string]*counted{"A": {}, "B": {}}, map[string]float64{}
		}
		if status(&row) == "RUNNING" {
			running[row.Orchestration][shown].add(event)
			clear(finished[row.Orchestration]) // that was the design before
		} else if event == "email_sent" {
			finished[row.Orchestration][shown]++
		}
	}
	ended := 0
	for orchestration, variants := range running {
		a, b, sent := variants["A"], variants["B"], finished[orchestration]
		if a.delivered+b.delivered < 2_000 || sent["A"]+sent["B"] < 1_000 {
			continue
		}
		ended++
		near(t, "the share of variant A while a test runs", a.delivered/(a.delivered+b.delivered), 0.5, 0.06)
		winner, loser := "A", "B"
		if b.rate() > a.rate() {
			winner, loser = "B", "A"
		}
		if sent[loser] > sent[winner]/20 { // messages that end a consent are of either
			t.Errorf("orchestration %d: %s does better (%.2f, %.2f), and %v of it go out afterwards, %v of the other",
				orchestration, winner, a.rate(), b.rate(), sent[winner], sent[loser])
		}
	}
	if ended == 0 {
		t.Error("no test ended: this one sees nothing")
	}
}

// Nobody clicks in an e-mail that only a machine opened. Whom a machine serves is drawn by person, so several worlds are looked at.
func TestMachinesDoNotClick(t *testing.T) {
	byMachine, opens := 0.0, 0.0
	for seed := range uint64(5) {
		w := world.New(seed, 6_000)
		view := open(t, w, profileEvents(now, 40))
		machine, _ := w.Fact(vocabulary.MachineOpen, world.Scope{View: view})
		opened := map[uint64]bool{}
		rows := firstTimes(rowsOf(view))
		for _, row := range rows {
			if life[row.Event].Event == "email_open" {
				opens++
				if machine.Flag(&row) {
					opened[row.Message] = true
				}
			}
		}
		byMachine += float64(len(opened))
		for _, row := range rows {
			if life[row.Event].Event == "email_click" && opened[row.Message] {
				t.Fatalf("profile %d clicked in an e-mail that a machine opened", row.Profile)
			}
		}
	}
	near(t, "the share of opens by machines", byMachine/opens, 0.125, 0.01)
}

// More messages go out before Christmas than in summer.
func TestMessagesKeepTheYear(t *testing.T) {
	still := 0.0
	w, err := world.NewWith(5, 10_000, world.Settings{Growth: &still})
	if err != nil {
		t.Fatal(err)
	}
	sent := func(month time.Month, day int) (count float64) {
		from := time.Date(2025, month, day, 0, 0, 0, 0, time.UTC)
		q := profileEvents(now, 1)
		q.From, q.To, q.Now, q.Events = from, from.AddDate(0, 0, 14), from.AddDate(0, 0, 14), []string{"email_sent"}
		return float64(len(rowsOf(open(t, w, q))))
	}
	near(t, "summer against December", sent(time.July, 20)/sent(time.December, 7), 5.0/8, 0.03)
}

// Who opens often has agreed to messages more often.
func TestTheActiveConsentMoreOften(t *testing.T) {
	w := world.New(5, 20_000)
	q := query(vocabulary.ViewProfiles)
	view := open(t, w, q)
	consent, _ := w.Fact(vocabulary.EmailMarketing, world.Scope{View: view})
	last, _ := w.Fact(vocabulary.LastActivity, world.Scope{View: view})
	var share [2]counted
	for _, row := range rowsOf(view) {
		if consent.Absent != nil && consent.Absent(&row) || last.Absent != nil && last.Absent(&row) {
			continue
		}
		of := &share[0]
		if now.Unix()-last.Time(&row) < 86_400 {
			of = &share[1]
		}
		of.delivered++
		if consent.Names[consent.Choice(&row)] == "subscribed" {
			of.opened++
		}
	}
	if share[1].delivered < 500 || share[1].rate() < share[0].rate()+0.03 {
		t.Errorf("of those who were there today %.3f consent, of the others %.3f", share[1].rate(), share[0].rate())
	}
}
