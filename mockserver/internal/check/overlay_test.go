package check_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestOverlaySchemas renames columns and a step of the journey in an overlay: rules find columns by what they mean.
func TestOverlaySchemas(t *testing.T) {
	rename := strings.NewReplacer("install_id", "device", "is_optin_push", "wants_push", "push_sent", "push_begun")
	own := must.Get(schemas.Open(os.DirFS("../../../schemas/testdata/own")))(t)
	overlay := fstest.MapFS{}
	for _, name := range []string{"legacy/userbase.row.json", "legacy/campaign.events.row.json", "common/events.json"} {
		overlay[name] = &fstest.MapFile{Data: []byte(rename.Replace(string(own.Source(name))))}
	}
	changed := must.Get(schemas.Open(overlay))(t)
	userbase := "device;custom_id;advertising_id;wants_push;install_date;last_start_date;smart_segment\n" +
		"a;c1;;true;2026-03-02T00:00:00;2026-03-03T00:00:00;x\n" +
		"a;c1;;true;2026-03-02T00:00:00;2026-03-03T00:00:00;x\n"
	events := "device;custom_id;advertising_id;event_date;event_type\n" +
		"a;c2;;2026-03-01T00:00:00;push_begun\n" +
		"a;c1;;2026-03-01T00:00:01;push_error\n" +
		"a;c1;;2026-04-14T00:00:00;push_opened\n"
	var rules []string
	must.Get(check.Files(t.Context(), changed, []check.Input{input("userbase", []byte(userbase)), input("events", []byte(events))},
		check.Options{Now: noon}, func(f check.Finding) bool {
			rules = append(rules, f.Rule)
			return true
		}))(t)
	for _, want := range []string{"duplicates", "creation", "installation-identifiers", "journey"} {
		must.Hold(t, strings.Contains(strings.Join(rules, " "), want), "%s is not found: %v", want, rules)
	}
}

// TestFlagsInAnotherForm: flags mean the same in each form that an overlay allows.
func TestFlagsInAnotherForm(t *testing.T) {
	const name = "legacy/reachability.events.row.json"
	text := strings.ReplaceAll(string(must.Get(schemas.Embedded())(t).Source(name)), `"enum": ["true", "false"]`, `"enum": ["1", "0"]`)
	changed := must.Get(schemas.Open(fstest.MapFS{name: {Data: []byte(text)}}))(t)
	const header = "install_id;custom_id;event_date;event_type;is_reachable;is_optin;has_custom_id\n"
	for rows, want := range map[string]string{
		"6a2f41a3-c54c-4a8c-9f2e-1d2c3b4a5f60;c1;2026-03-01T00:00:00;reachability;1;1;1\n": "",
		"6a2f41a3-c54c-4a8c-9f2e-1d2c3b4a5f60;;2026-03-01T00:00:00;reachability;1;1;0\n":   "",
		"6a2f41a3-c54c-4a8c-9f2e-1d2c3b4a5f60;c1;2026-03-01T00:00:00;reachability;1;1;0\n": "link",
	} {
		found := ""
		must.Get(check.Files(t.Context(), changed, []check.Input{input("reachability", []byte(header+rows))}, check.Options{Now: noon},
			func(f check.Finding) bool {
				found += f.Rule
				return true
			}))(t)
		must.Equal(t, found, want, "%s: found", rows)
	}
}

// TestUserbaseWithAnotherDate checks rows like the sample of the specification, with one more date than the header has: that is a
// fault, and the identifiers in them are checked all the same.
func TestUserbaseWithAnotherDate(t *testing.T) {
	b := newBook(t)
	b.add("userbase", "userbase", render(t, request{kind: "userbase", seed: 1, profiles: 30, texture: texture.Tidy}))
	rows := b.file("userbase").rows
	for _, l := range rows {
		l.cells = append(l.cells[:6:6], "2026-04-01T00:00:00", l.cells[6])
	}
	rows[3].cells[0] = rows[2].cells[0]
	findings, _ := run(t, []check.Input{input("userbase", bytes.Clone(b.file("userbase").bytes(t)))}, check.Options{})
	count := map[string]int{}
	for _, f := range findings {
		count[f.Rule]++
	}
	if count["schema"] != len(rows) || count["duplicates"] != 1 || count["future"]+count["creation"] > 0 {
		t.Errorf("%d rows: %v", len(rows), count)
	}
}
