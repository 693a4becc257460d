package learn_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// hideUnlike hides how campaigns differ, and how often what changes.
func hideUnlike(made *world.Settings, between func(low, high float64) *float64) {
	worst, middle := *between(0.2, 0.7), *between(0.9, 1.1)
	made.CampaignQuality = map[string][]float64{"email": {worst, middle, 2 - worst}, "push": {*between(0.3, 0.9), 1, *between(1.1, 1.6)}}
	made.Changes = map[string]float64{
		"email_consent": *between(0.03, 0.12), "sms_consent": *between(0.02, 0.1), "push_opt_in": *between(0.03, 0.15), "push_token": *between(0.02, 0.1),
		"email_address": *between(0.01, 0.04), "phone_number": *between(0.01, 0.04),
	}
	made.EndsByMessage = between(0.1, 0.4)
}

// foundUnlike reports what was hidden and not found again, or is said to be what it is not.
func foundUnlike(t *testing.T, learned *learn.Learned, settings, truth *world.Settings) {
	t.Helper()
	for what, share := range truth.Changes {
		found, is := settings.Changes[what]
		if !is && learned.Left["change of "+what] == "" {
			t.Errorf("how often %s changes was not learned, and it is not said why", what)
		}
		if is && (found < share*0.65 || found > share*1.5) {
			t.Errorf("learned that %v of %s change, not %v", found, what, share)
		}
	}
	if found := settings.EndsByMessage; found == nil && learned.Left["ends-by-message"] == "" || found != nil && math.Abs(*found-*truth.EndsByMessage) > 0.2 {
		t.Errorf("learned that %v of the ends are by message, not %v", found, *truth.EndsByMessage)
	}
	for channel, factors := range truth.CampaignQuality {
		found := settings.CampaignQuality[channel]
		if found == nil && learned.Left["campaign-quality of "+channel] == "" {
			t.Errorf("the quality of campaigns of %s was not learned, and it is not said why", channel)
		}
		if wide, is := slices.Max(factors)/slices.Min(factors), slices.Max(append(found, 1))/slices.Min(append(found, 1)); found != nil && (wide > 2.5 && is < math.Sqrt(wide)*0.8 || is > wide*wide*1.2) {
			t.Errorf("learned that campaigns of %s are %v, not %v", channel, found, factors)
		}
	}
}

// rowsOfBase are rows of a dataset as files to learn from.
func rowsOfBase(profiles, events []map[string]any) (list []importer.Input) {
	for name, rows := range map[string][]map[string]any{"profiles": profiles, "events": events} {
		var content bytes.Buffer
		for _, row := range rows {
			text, err := json.Marshal(row)
			if err != nil {
				panic(err)
			}
			content.Write(append(text, '\n'))
		}
		list = append(list, importer.Input{Name: "base/" + name + ".ndjson", Reader: &content})
	}
	return list
}

// TestFewPeopleAreUnlike: a campaign that 19 people answered, and a change of 19, are as if nobody had; and no campaign is named.
func TestFewPeopleAreUnlike(t *testing.T) {
	t.Parallel()
	const people = 600
	at := func(hour int) string {
		return now.AddDate(0, 0, -20).Add(time.Duration(hour) * time.Hour).Format("2006-01-02T15:04:05Z")
	}
	for name, c := range map[string]struct {
		answer, withdraw, complain int
		says                       string
	}{
		"20 answers":     {20, 0, 0, "\ncampaign-quality:\n  email: \""},
		"19 answers":     {19, 0, 0, "campaign-quality of email"},
		"20 withdrawals": {0, 20, 0, "\nchange:\n  email_consent: "},
		"19 withdrawals": {0, 19, 0, "change of email_consent"},
		"20 complaints":  {0, 40, 20, `"email_spam_complaint", "after": "email_delivered", "rate": 0.0111`},
		"19 complaints":  {0, 40, 19, "withdrawal email_spam_complaint, withdrawal email_unsubscribed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var profiles, events []map[string]any
			for i := range people {
				profile := fmt.Sprintf("profile_%032d", i)
				profiles = append(profiles, map[string]any{"profile_id": profile, "email_address": fmt.Sprintf("p%d@example.com", i), "email_marketing": "subscribed", "creation_date": at(-9000)})
				for campaign, answers := range []int{100, 300, max(c.answer, 1)} {
					hour := campaign*24 + i%20
					happened := []string{"email_sent", "email_delivered"}
					if (i+7*campaign)%people < answers {
						happened = append(happened, "email_open")
					}
					if campaign == 2 && i < c.withdraw {
						happened = append(happened, "email_unsubscribed")
					} else if campaign == 2 && i < c.withdraw+c.complain {
						happened = append(happened, "email_spam_complaint")
					}
					for step, event := range happened {
						events = append(events, map[string]any{"type": event, "date": at(hour + step), "profile_id": profile, "orchestration_id": fmt.Sprint("canarybird-", campaign), "orchestration_name": "canarybird", "sent_id": fmt.Sprint("sent-", i, "-", campaign)})
					}
				}
			}
			says := everything(t, rowsOfBase(profiles, events), learn.Options{})
			if !strings.Contains(says, c.says) {
				t.Errorf("it does not say %q: %.2500s", c.says, says)
			}
			if strings.Contains(says, "canarybird") {
				t.Errorf("it names a campaign: %s", says)
			}
		})
	}
}
