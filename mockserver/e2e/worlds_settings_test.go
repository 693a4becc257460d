package e2e_test

import (
	"cmp"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ratedEvents are events that have a rate, and regions those with a weight.
var (
	ratedEvents = []string{
		"email_delivered", "email_bounced", "email_open", "email_click",
		"sms_delivered", "sms_bounced", "push_open", "push_bounced", "push_opened", "push_error", "inapp_shown", "inapp_clicked", "inapp_closed",
	}
	regions = []string{"AU", "DE", "FR", "SE", "US"}
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
	add := func(name, value string) { flags = append(flags, "--world", name+"="+value) }
	for _, name := range []string{"push-opt-in", "email-opt-in", "sms-opt-in", "growth"} {
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
	for _, event := range ratedEvents {
		if random.IntN(12) == 0 {
			add("rates."+event, share(0.5))
		}
	}
	for _, file := range []string{"countries.yaml", "segments.yaml"} {
		if random.IntN(6) == 0 {
			flags = append(flags, "--world", filepath.Join("testdata", file))
		}
	}
	for _, region := range regions {
		if random.IntN(8) == 0 {
			add("regions."+region, strconv.Itoa(1+random.IntN(9)))
		}
	}
	if now() {
		add("churn", share(0.5))
	}
	return flags
}

// arrivalOf is how the rows of a random world arrive: mostly on time, once and in order.
func arrivalOf(random *rand.Rand) string {
	var parts []string
	for _, part := range []string{"late:0.03,72h", "late:1,1m", "duplicates:0.01", "duplicates:1", "skew:0.02,12h", "unordered"} {
		word, _, _ := strings.Cut(part, ":")
		if random.IntN(10) == 0 && !slices.ContainsFunc(parts, func(other string) bool { return strings.HasPrefix(other, word) }) {
			parts = append(parts, part)
		}
	}
	return cmp.Or(strings.Join(parts, ";"), "none")
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
