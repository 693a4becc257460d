package e2e_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// overlay writes a directory for --schemas that changes three things: the userbase has a column more, a push campaign knows an
// event more, and profile events have a member more.
func overlay(t *testing.T) string {
	t.Helper()
	directory := t.TempDir()
	edit := func(name string, change func(schema map[string]any)) {
		t.Helper()
		library := must.Get(schemas.Embedded())(t)
		var schema map[string]any
		if err := json.Unmarshal(library.Source(name), &schema); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		change(schema)
		data := must.Get(json.MarshalIndent(schema, "", "  "))(t)
		file := filepath.Join(directory, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, data, 0o644))
	}
	edit("legacy/userbase.row.json", func(schema map[string]any) {
		member(schema, "properties")["loyalty"] = map[string]any{"description": "The loyalty level.", "type": "string",
			"enum": []string{"gold", "silver", "none"}}
		extend(schema, "required", "loyalty")
	})
	edit("legacy/campaign.request.json", func(schema map[string]any) {
		extend(member(schema, "properties", "events", "items"), "enum", "push_dismissed")
	})
	edit("common/events.json", func(schema map[string]any) {
		extend(member(schema, "$defs", "campaign"), "enum", "push_dismissed")
	})
	edit("profiles/events.output.json", func(schema map[string]any) {
		member(schema, "items", "properties")["shop"] = map[string]any{"description": "The shop.", "type": "string",
			"enum": []string{"north", "south"}}
		extend(member(schema, "items"), "required", "shop")
	})
	return directory
}

// member is the object under a chain of names.
func member(schema map[string]any, names ...string) map[string]any {
	for _, name := range names {
		schema = schema[name].(map[string]any)
	}
	return schema
}

func extend(schema map[string]any, name, value string) {
	list, _ := schema[name].([]any)
	schema[name] = append(list, value)
}

// TestOverlayChangesEverything checks that files in a directory change what is accepted and what is generated, with the same program.
func TestOverlayChangesEverything(t *testing.T) {
	directory := overlay(t)
	changed := connect(t, "--state", "memory", "--profiles", "2000", "--schemas", directory)
	plain := connect(t, "--state", "memory", "--profiles", "2000")
	values := func(rows []row, name string) []string {
		var seen []string
		for _, r := range rows {
			if _, there := r[name]; !there {
				t.Fatalf("a row without %s: %s", name, describe(r))
			}
			seen = append(seen, r.text(name))
		}
		slices.Sort(seen)
		return slices.Compact(seen)
	}

	userbase := kindOf("userbase")
	files := changed.files(userbase, changed.create(userbase, userbase.month(), "X-Mock-Scenario", "progress=now"))
	if header, _, _ := strings.Cut(string(files[0]), "\n"); header != strings.Join(append(slices.Clone(userbase.columns), "loyalty"), ";") {
		t.Errorf("header %q", header)
	}
	must.Equal(t, values(changed.rows(userbase, files), "loyalty"), []string{"gold", "none", "silver"}, "the new column holds")

	campaign := kindOf("campaign.events")
	body := campaign.body(noon.AddDate(0, 0, -30), noon, map[string]any{"events": []string{"push_dismissed", "push_sent"}})
	if response := plain.send(http.MethodPost, campaign.path, body, campaign.headers()...); response.Status != http.StatusBadRequest {
		t.Errorf("without the overlay push_dismissed is answered %d", response.Status)
	}
	if got := values(changed.export(campaign, body), "event_type"); !slices.Equal(got, []string{"push_dismissed", "push_sent"}) {
		t.Errorf("asked for push_dismissed and push_sent, the file has %q", got)
	}
	if got := values(changed.export(campaign, campaign.month()), "event_type"); slices.Contains(got, "push_dismissed") {
		t.Error("push_dismissed comes without being asked for")
	}

	events := kindOf("profiles.events")
	must.Equal(t, values(changed.export(events, events.month()), "shop"), []string{"north", "south"}, "the new member holds")

	// The command that validates files follows the same directory.
	file := filepath.Join(t.TempDir(), "userbase.csv")
	must.Do(t, os.WriteFile(file, files[0], 0o644))
	t.Run("ajv", func(t *testing.T) { ajv(t, "--schemas", directory, "userbase", file) })
	if out, err := exec.Command(program, "validate", "--schemas", directory, "--schema", "userbase", file).CombinedOutput(); err != nil {
		t.Errorf("validate with the overlay: %v\n%s", err, out)
	}
	if out, err := exec.Command(program, "validate", "--schema", "userbase", file).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "loyalty") {
		t.Errorf("validate without the overlay: %v\n%s", err, out)
	}
}
