package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestEveryRowConforms reads every row of every kind back and lets two validators judge it: the schema package, and Ajv through
// the npm package. Both look at the same files, of two worlds and of requests of several shapes.
func TestEveryRowConforms(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	directory := t.TempDir()
	files := map[string][]string{} // by schema, for Ajv
	shown := map[string][]byte{}   // by kind: what the widest requests gave
	for _, seed := range []string{"7", "18446744073709551615"} {
		c := connect(t, "--state", "memory", "--seed", seed, "--profiles", "1500")
		for _, k := range kinds {
			for i, body := range requestsOf(k) {
				for j, data := range c.files(k, c.create(k, body, "X-Mock-Scenario", "progress=now")) {
					summary := must.Get(library.CheckFile(k.row, bytes.NewReader(data), func(fault schemas.Fault) bool {
						t.Errorf("seed %s, %s, asked for %s: %s", seed, k.name, body, fault)
						return !t.Failed()
					}))(t)
					must.Hold(t, summary.Rows != 0, "seed %s, %s: the file has no rows", seed, k.name)
					file := filepath.Join(directory, fmt.Sprintf("%s-%s-%d-%d", k.name, seed, i, j))
					if k.legacy {
						file += ".csv"
					} else {
						file += ".json"
					}
					must.Do(t, os.WriteFile(file, data, 0o644))
					files[k.row] = append(files[k.row], file)
					if i == 0 {
						shown[k.name] = append(shown[k.name], data...)
					}
				}
			}
		}
	}
	for _, k := range kinds {
		for _, text := range allThereIs(k) {
			if !regexp.MustCompile(`(?m)[";]` + text + `(?:[";]|$)`).Match(shown[k.name]) {
				t.Errorf("%s: no row has %s, so no validator saw it", k.name, text)
			}
		}
	}
	lists := regexp.MustCompile(`"\$push_subscriptions": ?\[[^]]*installation_id[^]]*installation_id|"installation_ids": ?\["[^]]*","`)
	if found := lists.FindAll(shown["profiles.attributes"], -1); len(found) == 0 {
		t.Error("no profile has two installations, so no validator saw a list of several")
	}
	t.Run("ajv", func(t *testing.T) {
		for _, k := range kinds {
			ajv(t, append([]string{k.row}, files[k.row]...)...)
		}
	})
}

// allThereIs are the values that the files of a kind must show somewhere: every event type or channel, and every reason.
func allThereIs(k kind) (texts []string) {
	for _, event := range k.events {
		texts = append(texts, k.output(event))
	}
	if k.name == "profiles.reachability" {
		texts = append(texts, "SUBSCRIBED_TO_SMS_MARKETING", "UNSUBSCRIBED_FROM_SMS_MARKETING", "PHONE_NUMBER_ADDED", "PHONE_NUMBER_REMOVED",
			"PHONE_NUMBER_UPDATED", "SUBSCRIBED_TO_EMAIL_MARKETING", "UNSUBSCRIBED_FROM_EMAIL_MARKETING", "EMAIL_ADDRESS_ADDED",
			"EMAIL_ADDRESS_REMOVED", "EMAIL_ADDRESS_UPDATED", "SUBSCRIBED_TO_PUSH", "UNSUBSCRIBED_FROM_PUSH", "PUSH_TOKEN_ADDED")
	}
	return texts
}

// requestsOf are payloads that show every value of a kind, all at once and in parts.
func requestsOf(k kind) []string {
	bodies := []string{k.body(noon.AddDate(0, 0, -90), noon, nil)}
	if k.legacy {
		return append(bodies, k.body(noon.AddDate(0, 0, -9), noon, map[string]any{"ids": []string{"advertising_id"}}))
	}
	changes := map[string]any{"identifiers": nil}
	if k.name == "profiles.attributes" {
		changes = map[string]any{"identifiers": []string{"installation_ids"},
			"attributes": slices.Concat(nativeAttributes[:4], []string{"size", "is_vip"})}
	}
	return append(bodies, k.body(noon.AddDate(0, 0, -9), noon, changes))
}

// ajv runs the program of the schema folder that checks files with Ajv: a schema, then files.
func ajv(t *testing.T, arguments ...string) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		testlevel.Unavailable(t, "node is not installed: Ajv cannot check the files")
	}
	if _, err := os.Stat("../../schemas/node_modules/ajv"); err != nil {
		testlevel.Unavailable(t, "Ajv is not installed, run npm ci in schemas or make test: the files are not checked by a second validator")
	}
	check := exec.CommandContext(t.Context(), "node", append([]string{"../../schemas/conformance/ajv/rows.mjs"}, arguments...)...)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("Ajv refuses what the schema package accepts: %v\n%.4000s", err, out)
	}
}
