package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// ratedEvents are events that --rate takes, and weighted values that --weight takes, by column.
var (
	ratedEvents = []string{
		"email_delivered", "email_bounced", "email_open", "email_click",
		"sms_delivered", "sms_bounced", "push_open", "push_bounced", "push_opened", "push_error", "inapp_shown", "inapp_clicked", "inapp_closed",
	}
	weighted = map[string][]string{
		"platform":         {"ios", "android", "web"},
		"region":           {"AU", "DE", "FR", "SE", "US"},
		"smart_segment":    {"migrated", "other"},
		"bounce_code":      {"5.1.1", "5.7.1", "4.2.2", "unregistered", "invalid_token", "unavailable", "absent_subscriber"},
		"message_language": {"default", "other"},
		"sms_parts":        {"1", "2", "3"},
	}
	weightedColumns = []string{"platform", "region", "smart_segment", "bounce_code", "message_language", "sms_parts"}
)

// settingsOf are the flags of a random world: each setting is drawn now and then, and its ends more often than what lies between.
func settingsOf(random *rand.Rand) (flags []string) {
	now := func() bool { return random.IntN(4) == 0 }
	share := func(most float64) string {
		switch random.IntN(5) {
		case 0:
			return "0"
		case 1:
			return strconv.FormatFloat(most, 'g', 4, 64)
		}
		return strconv.FormatFloat(most*random.Float64(), 'g', 4, 64)
	}
	add := func(name, value string) { flags = append(flags, "--"+name, value) }
	for _, name := range []string{"push-opt-in", "email-opt-in", "sms-opt-in", "growth", "local-sending", "ends-by-message", "segment-share", "audience-share"} {
		if now() {
			add(name, share(1))
		}
	}
	if now() { // the three add up to at most 1
		left := 1.0
		for _, name := range []string{"push-only", "email-only", "sms"} {
			text := share(left)
			add(name, text)
			value, _ := strconv.ParseFloat(text, 64)
			left = max(0, left-value-0.001)
		}
	}
	if now() {
		add("campaigns", strconv.Itoa([]int{1, 2, 3, 8, 60, 200}[random.IntN(6)]))
	}
	if now() {
		add("weekly-messages", []string{"0", "0.2", "1", "7", "20"}[random.IntN(5)])
	}
	if now() {
		add("phones", []string{"repeat", "none"}[random.IntN(2)])
	}
	weights := func(count int) string {
		made := make([]string, count)
		for i := range made {
			made[i] = strconv.Itoa([]int{0, 0, 1, 5, 100}[random.IntN(5)])
		}
		made[random.IntN(count)] = "1" // one is above 0
		return strings.Join(made, ",")
	}
	for _, name := range []string{"send", "app"} {
		if now() {
			add(name+"-hours", weights(24))
		}
		if now() {
			add(name+"-weekdays", weights(7))
		}
	}
	for _, what := range []string{"email_address", "email_consent", "phone_number", "push_opt_in", "push_token", "sms_consent"} {
		most := 0.3
		if what == "email_address" || what == "phone_number" {
			most = 0.05
		}
		if now() {
			add("change", what+"="+share(most))
		}
	}
	for _, channel := range []string{"email", "push", "sms"} {
		if now() {
			add("campaign-quality", channel+"="+[]string{"1", "0.5;1;1.5", "0.2;2", "0.6;0.6;3"}[random.IntN(4)])
		}
	}
	for _, event := range ratedEvents {
		if random.IntN(12) == 0 {
			add("rate", event+"="+share(0.5))
		}
	}
	for _, column := range weightedColumns {
		if random.IntN(8) > 0 {
			continue
		}
		var values []string
		for _, value := range weighted[column] {
			values = append(values, fmt.Sprintf("%s:%d", value, 1+random.IntN(9)))
		}
		add("weight", column+"="+strings.Join(values, ";"))
	}
	return flags
}

// quoted writes a command for a shell.
func quoted(words []string) string {
	made := make([]string, len(words))
	for i, word := range words {
		made[i] = word
		if strings.ContainsAny(word, "; $") || word == "" {
			made[i] = "'" + word + "'"
		}
	}
	return strings.Join(made, " ")
}
