package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// counted are the settings that import --world counts in files of a world of so many profiles, and what it says.
func counted(t *testing.T, profiles int, flags ...string) (settings map[string]any, files []string, text, says string) {
	t.Helper()
	directory := t.TempDir()
	for _, kind := range []string{"profiles.attributes", "profiles.events"} {
		name := filepath.Join(directory, kind)
		arguments := append([]string{"generate", "--kind", kind, "--profiles", fmt.Sprint(profiles),
			"--seed", "7", "--now", importNow, "--out", name}, flags...)
		if kind == "profiles.events" {
			arguments = append(arguments, "--from", "2026-10-04T00:00:00Z")
		}
		invoke(t, "", arguments...).is(t, exitOK, "", "")
		files = append(files, name)
	}
	world := filepath.Join(directory, "world.yaml")
	made := invoke(t, "", append([]string{"import", "--world", world}, files...)...)
	if made.code != exitOK {
		t.Fatalf("%+v", made)
	}
	content := must.Get(os.ReadFile(world))(t)
	must.Do(t, yaml.Unmarshal(content, &settings))
	invoke(t, "", "serve", "--world", world, "--print-config").is(t, exitOK, "", "")
	invoke(t, "", append([]string{"import", "--world", world}, files...)...).is(t, exitUsage, "", "name a new file")
	return settings, files, string(content), made.err
}

// TestImportWorld: the settings of a world come back from its files, within bounds that hold what a count cannot tell: consents that
// changed since, opens that are still to come, and the season.
func TestImportWorld(t *testing.T) {
	settings, files, text, _ := counted(t, 4000, "--world", "growth=0.4", "--world", "push-only=0.2", "--world", "email-only=0.1", "--world", "sms=0.3",
		"--world", "push-opt-in=0.5", "--world", "email-opt-in=0.5", "--world", "sms-opt-in=0.4", "--world", "campaigns=12", "--world", "weekly-messages=2",
		"--world", "rates={email_open: 0.25, push_open: 0.2, email_bounced: 0.08}", "--world", "regions={FR: 3, DE: 1}")
	rates, _ := settings["rates"].(map[string]any)
	for _, c := range []struct {
		name            string
		got             any
		want, apartMost float64
	}{
		{"profiles", settings["profiles"], 4000, 200}, {"growth", settings["growth"], 0.4, 0.04},
		{"push-only", settings["push-only"], 0.2, 0.03}, {"email-only", settings["email-only"], 0.1, 0.03},
		{"sms", settings["sms"], 0.3, 0.03},
		{"push-opt-in", settings["push-opt-in"], 0.5, 0.04},
		{"email-opt-in", settings["email-opt-in"], 0.5, 0.04}, {"sms-opt-in", settings["sms-opt-in"], 0.4, 0.05},
		{"campaigns", settings["campaigns"], 12, 0}, {"weekly-messages", settings["weekly-messages"], 2, 0.7},
		{"email_open", rates["email_open"], 0.25, 0.03}, {"push_open", rates["push_open"], 0.2, 0.04},
		{"email_bounced", rates["email_bounced"], 0.08, 0.02},
	} {
		var got float64
		if _, err := fmt.Sscan(fmt.Sprint(c.got), &got); err != nil || math.Abs(got-c.want) > c.apartMost {
			t.Errorf("%s: counted %v, set %v; at most %v apart", c.name, c.got, c.want, c.apartMost)
		}
	}
	if !regexp.MustCompile(`^map\[DE:2[0-9][0-9] FR:7[0-9][0-9]\]$`).MatchString(fmt.Sprint(settings["regions"])) {
		t.Errorf("regions: %v", settings["regions"])
	}
	nobody(t, files, text)
}

// nobody reports texts of files about people that a text has.
func nobody(t *testing.T, files []string, text string) {
	t.Helper()
	seen := 0
	for _, name := range files {
		content := must.Get(os.ReadFile(name))(t)
		var rows []struct {
			Identifiers, Attributes map[string]any
			SentID                  string `json:"sent_id"`
		}
		must.Do(t, json.Unmarshal(content, &rows))
		for _, row := range rows {
			of := fmt.Sprint(row.Identifiers, row.Attributes["$email_address"], row.Attributes["$phone_number"], row.SentID)
			for _, word := range regexp.MustCompile(`[^\s\[\]:]{6,}`).FindAllString(of, -1) {
				if seen++; word != "profile_id" && word != "custom_id" && strings.Contains(text, word) {
					t.Errorf("%s is in it:\n%s", word, text)
				}
			}
		}
	}
	must.Hold(t, seen >= 100, "only %d texts were looked for", seen)
}

// TestImportWorldOfFew: fewer than fifty people give no share, and both the file and standard error say so.
func TestImportWorldOfFew(t *testing.T) {
	settings, files, text, says := counted(t, 60)
	must.Hold(t, len(settings) == 0, "of fewer than 50 people: %v", settings)
	for _, name := range []string{
		"profiles", "growth", "sms", "email-opt-in", "weekly-messages", "campaigns", "rate of email_open", "regions",
	} {
		if !strings.Contains(text, "\n# Left out: "+name+": ") ||
			!strings.Contains(says, "left out of --world: "+name+": ") {
			t.Errorf("%s is not said to be left out:\n%s%s", name, text, says)
		}
	}
	nobody(t, files, text)
}
