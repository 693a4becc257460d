package amend_test

import (
	"os"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// own has rows of these tests: a new column of the product is none of theirs.
const own = "../../../../schemas/testdata/own"

// TestFix: what the schema files refuse they allow afterwards, with one small change, and everything else as before.
func TestFix(t *testing.T) {
	const row = `{"install_id":"i","custom_id":"","advertising_id":"","event_date":"2026-01-31T08:30:00","event_type":"push_sent"}`
	const user = `{"install_id":"i","custom_id":"","advertising_id":"","is_optin_push":"true","install_date":"2026-01-31T08:30:00","last_start_date":"2026-01-31T08:30:00","smart_segment":"new"}`
	const event = `[{"api_key":"k","event_date":"2026-01-31T08:30:00Z","event_type":"push_sent","platform":"IOS","identifiers":{"profile_id":"profile_00000000000000000000000000000000"}}]`
	for name, c := range map[string]struct {
		schema, value, from, to string
		file, says              string
		instead                 bool // the new takes the place of the old
	}{
		"a new value": {"campaign.events", row, "push_sent", "push_seen", "common/events.json", `add "push_seen"`, false},
		"another shape of dates": {"campaign.events", row, "08:30:00", "08:30:00Z", "legacy/campaign.events.row.json", "utcDateTime",
			true},
		"another form of booleans": {"userbase", user, `"true"`, `"1"`, "legacy/userbase.row.json", `["1", "0"]`, true},
		"dates with a blank": {"userbase", user, `"install_date":"2026-01-31T`, `"install_date":"2026-01-31 `, "legacy/userbase.row.json",
			`{2} [0-9]{2}`, true},
		"a missing member": {"campaign.events", row, `"event_date":"2026-01-31T08:30:00",`, ``, "legacy/campaign.events.row.json",
			"not required", false},
		"a new member": {"profiles.events", event, `"api_key":"k"`, `"api_key":"k","step":7`, "profiles/events.output.json",
			`"step": {"type": "integer"}`, false},
		"a new member within": {"profiles.events", event, `"profile_id"`, `"region":"x","profile_id"`, "profiles/events.output.json",
			`"region": {"type": "string"}`, false},
		"a null": {"profiles.events", event, `"IOS"`, `null`, "profiles/events.output.json", `["string", "null"]`, false},
		"a null behind a ref": {"profiles.events", event, `"2026-01-31T08:30:00Z"`, `null`, "profiles/events.output.json",
			`allow null`, false},
		"another type": {"profiles.events", event, `"IOS"`, `3`, "profiles/events.output.json", `["string", "integer"]`, false},
		"nothing where there was a date": {"campaign.events", row, "2026-01-31T08:30:00", "", "legacy/campaign.events.row.json", `allow ""`,
			false},
		"nothing where there was a text": {"campaign.events", row, `"i"`, `""`, "legacy/campaign.events.row.json", `allow ""`, false},
		"a member that is ruled out": {"profiles.events", event, `"platform":"IOS"`, `"platform":"IOS","sms_parts":1`,
			"profiles/events.output.json",
			"allow it", false},
	} {
		t.Run(name, func(t *testing.T) {
			bench := must.Get(amend.New(os.DirFS(own)))(t)
			schema, _ := bench.Library().Resolve(c.schema)
			good, _ := schemas.Decode([]byte(c.value))
			if found := amend.Problems(bench.Library(), schema, good); len(found) > 0 {
				t.Fatalf("the value was refused before: %v", found)
			}
			changed, _ := schemas.Decode([]byte(strings.Replace(c.value, c.from, c.to, 1)))
			problems := amend.Problems(bench.Library(), schema, changed)
			var changes []amend.Change
			for range 3 {
				if len(problems) == 0 {
					break
				}
				others := []any{good}
				if c.instead {
					others = nil
				}
				made, err := bench.Fix(amend.Fault{Schema: schema, Value: changed, Others: others, Problem: problems[0]})
				if err != nil {
					t.Fatalf("%+v: %v", problems[0], err)
				}
				changes = append(changes, made...)
				problems = amend.Problems(bench.Library(), schema, changed)
			}
			if len(problems) > 0 {
				t.Errorf("still refused: %+v", problems)
			}
			if found := amend.Problems(bench.Library(), schema, good); len(found) > 0 && !c.instead {
				t.Errorf("the value from before is refused now: %v", found)
			}
			if len(changes) == 0 || changes[0].File != c.file || !strings.Contains(changes[0].Text, c.says) {
				t.Errorf("got %v", changes)
			}
			if files := bench.Files(); len(files) != 1 || files[c.file] == nil {
				t.Errorf("%d files were changed", len(files))
			}
		})
	}
}

// TestLayout: a change leaves the layout of the file alone.
func TestLayout(t *testing.T) {
	bench := must.Get(amend.New(os.DirFS(own)))(t)
	header := []string{"install_id", "custom_id", "advertising_id", "is_optin_push", "loyalty", "install_date", "last_start_date",
		"smart_segment"}
	must.Get(bench.Column("legacy/userbase.row.json", header, "loyalty", []string{"true", "false"}))(t)
	before := strings.Split(string(bench.Library().Source("legacy/userbase.row.json")), "\n")
	text := must.Get(os.ReadFile(own + "/legacy/userbase.row.json"))(t)
	after := strings.Split(string(text), "\n")
	same := 0
	for _, line := range after {
		for _, other := range before {
			if line == other {
				same++
				break
			}
		}
	}
	if same < len(after)-4 {
		t.Errorf("%d of %d lines are as they were", same, len(after))
	}
	csv := strings.Join(header, ";") + "\n"
	if _, err := bench.Library().CheckFile("userbase", strings.NewReader(csv),
		func(f schemas.Fault) bool { t.Error(f); return true }); err != nil {
		t.Error(err)
	}
}

// TestStates: an unknown state is added before those that end, and one that replaces another takes its place.
func TestStates(t *testing.T) {
	bench := must.Get(amend.New(nil))(t)
	must.Get(bench.State("legacy/interface.json", "QUEUED", "running"))(t)
	must.Get(bench.RenameState("legacy/interface.json", "done", "DONE"))(t)
	var names []string
	for _, each := range bench.Library().Interfaces() {
		if each.Name == "legacy" {
			for _, state := range each.States {
				names = append(names, state.Name)
			}
		}
	}
	if got := strings.Join(names, " "); got != "CREATED PENDING QUEUED DONE ERROR" {
		t.Errorf("got %s", got)
	}
}
