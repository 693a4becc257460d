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
				changes = append(changes, bench.Fix(amend.Fault{Schema: schema, Value: changed, Others: others, Problem: problems[0]})...)
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
	bench.Column("legacy/userbase.row.json", header, "loyalty", []string{"true", "false"})
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

// TestRenamed: which member another one is under a new name is told by the kinds of values, and by what is missing, as well as by names.
func TestRenamed(t *testing.T) {
	const record, made = "contacts/export.record.json", "contacts/export.created.json"
	id := `"id":"5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10"`
	const asked, ended = `,"created_at":1773577800`, `,"completed_at":1773577801`
	pending, ready := `{`+id+`,"status":"pending"`, `{`+id+`,"status":"ready","urls":["http://a/b"]`
	for name, c := range map[string]struct{ schema, value, renames, others string }{
		"a word that several names have":  {record, pending + `,"made_at":1773577800}`, "created_at", ""},
		"the name of the source":          {record, pending + `,"requested_at":1773577800}`, "created_at", ""},
		"nothing alike, and one is gone":  {record, pending + `,"since":1773577800}`, "created_at", ""},
		"two are new, and one is gone":    {record, pending + `,"since":1773577800,"until":1773577800}`, "", ""},
		"both are there":                  {record, ready + asked + ended + `,"updated_at":1773577802}`, "", ""},
		"one that is not there yet":       {record, pending + `,"created_at":1773577800,"updated_at":1773577802}`, "", ""},
		"a letter less":                   {record, ready + `,"created_at":1773577800,"complete_at":1773577801}`, "completed_at", ""},
		"a number that is no date":        {record, pending + `,"created_at":1773577800,"completed":40}`, "", ""},
		"a text for a number":             {record, pending + `,"created":"yesterday"}`, "", ""},
		"another value had it":            {record, ready + asked + `,"complete_at":1773577801}`, "", ready + asked + ended + `}`},
		"a list for a list":               {record, `{` + id + `,"status":"ready","created_at":1773577800,"url_list":["http://a/b"]}`, "", ""},
		"an address for the one required": {made, `{` + id + `,"address":"http://a/b"}`, "self", ""},
		"a sentence beside it":            {made, `{` + id + `,"self":"http://a/b","note":"http://a/b"}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			bench := must.Get(amend.New(os.DirFS("../../../examples/services/contacts")))(t)
			var others []any
			if c.others != "" {
				others = append(others, must.Get(schemas.Decode([]byte(c.others)))(t))
			}
			value, renamed := must.Get(schemas.Decode([]byte(c.value)))(t), ""
			for _, problem := range amend.Problems(bench.Library(), c.schema, value) {
				if problem.Keyword == "additionalProperties" && renamed == "" {
					renamed, _ = bench.Renamed(amend.Fault{Schema: c.schema, Value: value, Others: others, Problem: problem})
				}
			}
			must.Equal(t, renamed, c.renames, "the old name")
		})
	}
}
