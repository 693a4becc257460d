package world_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

func TestChangesThatMakeNoSense(t *testing.T) {
	changes := func(what string, share float64) world.Settings {
		return world.Settings{Changes: map[string]float64{what: share}}
	}
	for name, c := range map[string]struct {
		settings world.Settings
		says     string
	}{
		"none":           {changes("push_token", 0), ""},
		"the most":       {changes("email_consent", world.MostChange("email_consent")), ""},
		"of nothing":     {changes("fax_consent", 0), `Changes of "fax_consent" has no meaning: what changes is email_address, email_consent, phone_number, push_opt_in, push_token, sms_consent`},
		"too much":       {changes("email_address", 0.06), `Changes of "email_address" is 0.06; it is a share, from 0 to 0.05`},
		"less than none": {changes("push_opt_in", -0.1), "from 0 to 0.5"},
		"no number":      {changes("sms_consent", math.NaN()), "from 0 to 0.5"},
		"no share":       {world.Settings{EndsByMessage: share(1.1)}, "EndsByMessage is 1.1; it is a share, from 0 to 1"},
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
	kept := world.Settings{Changes: map[string]float64{"push_token": 0.1}, EndsByMessage: share(0.1)}
	clone := kept.Clone()
	if kept.Changes["push_token"], *kept.EndsByMessage = 0.2, 0.2; clone.Changes["push_token"] != 0.1 || *clone.EndsByMessage != 0.1 {
		t.Error("a copy shares its changes")
	}
}

// changed counts the reasons of changes, and the events that come with them.
func changed(t *testing.T, settings world.Settings) (counts map[string]float64) {
	t.Helper()
	still := 0.0
	settings.Growth = &still
	w, err := world.NewWith(5, 20_000, settings)
	if err != nil {
		t.Fatal(err)
	}
	counts = map[string]float64{}
	for _, row := range rowsOf(open(t, w, world.Query{View: vocabulary.ViewProfileChanges, From: now.Add(-28 * day), To: now, Now: now})) {
		counts[world.ReasonNames[row.Reason]]++
	}
	q := profileEvents(now, 28)
	q.Events = []string{"email_unsubscribed", "sms_unsubscribed"}
	for _, row := range rowsOf(open(t, w, q)) {
		counts[life[row.Event].Event]++
	}
	return counts
}

// TestChanges: what changes does so as often as settings say; nothing else changes more often.
func TestChanges(t *testing.T) {
	usual := changed(t, world.Settings{})
	for what, reasons := range map[string][]string{
		"email_address": {"EMAIL_ADDRESS_REMOVED", "EMAIL_ADDRESS_ADDED"},
		"email_consent": {"UNSUBSCRIBED_FROM_EMAIL_MARKETING", "SUBSCRIBED_TO_EMAIL_MARKETING"},
		"phone_number":  {"PHONE_NUMBER_REMOVED", "PHONE_NUMBER_ADDED"},
		"push_opt_in":   {"UNSUBSCRIBED_FROM_PUSH", "SUBSCRIBED_TO_PUSH"},
		"push_token":    {"PUSH_TOKEN_ADDED"},
		"sms_consent":   {"UNSUBSCRIBED_FROM_SMS_MARKETING", "SUBSCRIBED_TO_SMS_MARKETING"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			none, often := changed(t, world.Settings{Changes: map[string]float64{what: 0}}), changed(t, world.Settings{Changes: map[string]float64{what: 3 * world.UsualChange(what)}})
			for _, reason := range reasons {
				if usual[reason] < 50 || none[reason] > 0 {
					t.Errorf("%s: %v usually, %v with none", reason, usual[reason], none[reason])
				}
				near(t, reason, often[reason]/usual[reason], 3, 0.6)
				delete(none, reason)
			}
			for reason, count := range none {
				if count > usual[reason]*1.2+10 {
					t.Errorf("%s: %v in place of %v", reason, count, usual[reason])
				}
			}
		})
	}
	all := changed(t, world.Settings{Changes: map[string]float64{"email_consent": world.UsualChange("email_consent")}, EndsByMessage: share(0.7)})
	for reason, count := range usual {
		if all[reason] != count {
			t.Errorf("with what is usual there are %v of %s in place of %v", all[reason], reason, count)
		}
	}
}

// TestEndsByMessage: as many withdrawals have an event as settings say. Some have none, since nothing could be sent before.
func TestEndsByMessage(t *testing.T) {
	for _, part := range []float64{0, 0.5, 1} {
		counts := changed(t, world.Settings{EndsByMessage: &part, Changes: map[string]float64{"email_consent": 0.2, "sms_consent": 0.2}})
		near(t, "e-mails", counts["email_unsubscribed"]/counts["UNSUBSCRIBED_FROM_EMAIL_MARKETING"], part, 0.08)
		near(t, "SMS", counts["sms_unsubscribed"]/counts["UNSUBSCRIBED_FROM_SMS_MARKETING"], part, 0.08)
	}
}
