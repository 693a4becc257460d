package world_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// TestWhatDoesNotArrive: codes of bounces and parts of SMS come as often as is said of real senders, a full mailbox is no reason to
// give an address up, and the largest provider of mailboxes tells nobody of complaints.
func TestWhatDoesNotArrive(t *testing.T) {
	w, err := world.NewWith(21, 50_000, world.Settings{Rates: map[string]float64{"email_bounced": 0.1, "sms_bounced": 0.1, "push_bounced": 0.1}})
	if err != nil {
		t.Fatal(err)
	}
	q := profileEvents(now, 60)
	q.Journey = slices.Clone(q.Journey)
	for i := range q.Journey {
		if q.Journey[i].Event == "email_spam_complaint" {
			q.Journey[i].Consent = "email"
		}
	}
	view := open(t, w, q)
	scope := world.Scope{View: view}
	code, kind, parts := factOf(t, w, "event.bounce_code", scope), factOf(t, w, "event.bounce_type", scope), factOf(t, w, "event.sms_parts", scope)
	provider := factOf(t, w, "profile.mailbox_provider", scope)
	counts, all := map[string]float64{}, map[string]float64{}
	count := func(of, what string) {
		counts[of+" "+what]++
		all[of]++
	}
	for _, row := range rowsOf(view) {
		switch event := q.Journey[row.Event].Event; event {
		case "email_bounced", "sms_bounced", "push_bounced":
			count(event+" "+textOf(&kind, &row), textOf(&code, &row))
		case "sms_sent":
			count(event, string(rune('0'+parts.Number(&row))))
		case "email_spam_complaint", "email_sent":
			count(event, textOf(&provider, &row))
		}
	}
	for what, want := range map[string]float64{
		"email_bounced hard 5.1.1": 0.6, "email_bounced hard 5.7.1": 0.14, "email_bounced hard 5.2.2": 0, "email_bounced soft 5.2.2": 0.2, "email_bounced soft 4.2.2": 0.28,
		"email_bounced soft 4.4.1": 0.2, "sms_bounced soft absent_subscriber": 0.6, "push_bounced soft unavailable": 0.7, "push_bounced hard unregistered": 0.85,
		"sms_sent 1": 0.65, "sms_sent 2": 0.28, "sms_sent 3": 0.05, "email_spam_complaint Postbox": 0, "email_sent Postbox": 0.43,
	} {
		of := what[:strings.LastIndexByte(what, ' ')]
		if all[of] < 100 {
			t.Errorf("%s: there are only %v, so nothing can be told", of, all[of])
			continue
		}
		near(t, what, counts[what]/all[of], want, 0.06)
	}
	if none := counts["email_spam_complaint Postbox"]; none > 0 {
		t.Errorf("%v complaints come from the largest provider of mailboxes", none)
	}
}
