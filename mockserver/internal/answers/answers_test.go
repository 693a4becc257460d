package answers_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/answers"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const record = "legacy/export.record.json"

// running and done are two of the states in which a record is shown.
func running() answers.Values {
	return answers.Values{
		"record.id": "5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10", "record.uri": "/1.0/live_demo/export/userbase", "record.kind": "userbase",
		"record.status": "PENDING", "record.requested_at": time.Date(2026, 1, 31, 8, 30, 0, 0, time.UTC),
		"record.request": json.RawMessage(`{"ids": ["install_id"]}`), "record.lookup": "http://localhost:8080/lookup",
	}
}

func done() answers.Values {
	known := running()
	known["record.status"], known["record.completed_at"] = "SUCCESS", time.Date(2026, 1, 31, 8, 31, 0, 0, time.UTC)
	known["record.link"] = "http://localhost:8080/files/a"
	known["record.files"] = []answers.Values{{"file.part": int64(1), "file.size": int64(7)}, {"file.part": int64(2), "file.size": int64(8)}}
	return known
}

func failed() answers.Values {
	known := running()
	known["record.status"], known["record.completed_at"], known["record.error"] = "ERROR", done()["record.completed_at"], "it failed"
	return known
}

// replaced is the text of the schema file of records with texts replaced.
func replaced(t *testing.T, pairs ...string) string {
	t.Helper()
	embedded := must.Get(schemas.Embedded())(t)
	text := string(embedded.Source(record))
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%s has no %s", record, pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

func opened(t *testing.T, overlay fstest.MapFS) *schemas.Library {
	t.Helper()
	library := must.Get(schemas.Open(overlay))(t)
	return library
}

// caseOf is the schema file of a case: many of them fit into one library, which is opened once.
func caseOf(name string) string { return "legacy/" + strings.ReplaceAll(name, " ", "-") + ".json" }

// together is a library with a schema file of records for each case.
func together[T overlaying](t *testing.T, cases map[string]T) *schemas.Library {
	t.Helper()
	files := fstest.MapFS{}
	for name, c := range cases {
		text := strings.Replace(replaced(t, c.pairs()...), record, caseOf(name), 1)
		begin, end := strings.Index(text, `"x-endpoints"`), strings.Index(text, `"type": "object"`)
		files[caseOf(name)] = &fstest.MapFile{Data: []byte(text[:begin] + text[end:])}
	}
	return opened(t, files)
}

// eachOf compiles the record of each case, which check judges.
func eachOf[T overlaying](t *testing.T, cases map[string]T, check func(*testing.T, T, *answers.Writer, error)) {
	t.Helper()
	library := together(t, cases)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			writer, err := answers.Compile(library, caseOf(name), nil, []answers.Values{running(), done(), failed()})
			var fault *schemas.FileError
			if errors.As(err, &fault) && fault.File != caseOf(name) {
				t.Errorf("another file is refused: %v", err)
			}
			check(t, c, writer, err)
		})
	}
}

// A case has an overlay: pairs of texts, of which the second replaces the first.
type (
	overlaying interface{ pairs() []string }
	overlay    []string
	followed   struct {
		overlay
		want string
	}
	absent struct {
		overlay
		has map[string]bool
	}
	refused struct {
		overlay
		pointer, says string
	}
)

func (o overlay) pairs() []string { return o }

const requested = `"request_date": {"$ref": "../common/dates.json#/$defs/legacyDateTime", "description": "When the request was made.", "x-source": "record.requested_at"}`

// TestOverlaysAreFollowed: an answer follows its schema, with nothing else changed.
func TestOverlaysAreFollowed(t *testing.T) {
	const before = `{"id":"5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10","uri":"/1.0/live_demo/export/userbase",`
	const date, link = `"request_date":"2026-01-31T08:30:00",`, `"file_url":"http://localhost:8080/files/a",`
	const end, echo = `"status":"SUCCESS","completion_date":"2026-01-31T08:31:00",`, `"request":{"ids": ["install_id"]}}` + "\n"
	cases := map[string]followed{
		"the specification": {nil, before + date + link + end + echo},
		"a member renamed": {[]string{`"request_date"`, `"created_at"`},
			before + `"created_at":"2026-01-31T08:30:00",` + link + end + echo},
		"a member gone": {[]string{requested + ",", "", `"request_date", `, ""}, before + link + end + echo},
		"a constant more": {[]string{`"properties": {` + "\n" + `    "id"`, `"properties": {"region": {"const": "eu"}, "id"`,
			`"required": ["id"`, `"required": ["region", "id"`}, `{"region":"eu",` + before[1:] + date + link + end + echo},
		"a value more": {[]string{requested, requested + `, "retries": {"type": "integer", "minimum": 3, "maximum": 3}`},
			before + date + `"retries":3,` + link + end + echo},
		"an object more": {[]string{requested, `"dates": {"type": "object", "properties": {` + requested + `}}`, `"request_date", `,
			""}, before + `"dates":{` + date[:len(date)-1] + "}," + link + end + echo},
		"a list more": {[]string{requested, requested +
			`, "files": {"x-source": "record.files", "type": "array", "items": {"type": "object", "properties": {"bytes": {"x-source": "file.size", "type": "integer"}}}}`}, before + date + `"files":[{"bytes":7},{"bytes":8}],` + link + end + echo},
		"a date with a blank": {[]string{requested, `"request_date": {"type": "string", "pattern": "^[0-9-]{10} [0-9:]{8}$", "x-source": "record.requested_at"}`},
			before + `"request_date":"2026-01-31 08:30:00",` + link + end + echo},
		"a date in seconds": {[]string{requested, `"request_date": {"type": "integer", "x-source": "record.requested_at"}`},
			before + `"request_date":1769848200,` + link + end + echo},
		"a date in milliseconds": {[]string{requested, `"request_date": {"type": "integer", "minimum": 1000000000000, "x-source": "record.requested_at"}`},
			before + `"request_date":1769848200000,` + link + end + echo},
		"a state renamed": {[]string{`"x-source": "record.status",`,
			`"x-source": "record.status", "x-wire-names": {"SUCCESS": "finished"},`, `"enum": ["CREATED", "PENDING", "ERROR", "SUCCESS"]`,
			`"enum": ["CREATED", "PENDING", "ERROR", "finished"]`, `"x-states": {"interfaces": ["legacy"]}`, `"title": "State"`, `["SUCCESS"]`,
			`["finished"]`, `, "x-states": {"interfaces": ["legacy"], "roles": ["done", "expired"]}`, ``},
			before + date + link + `"status":"finished",` + end[len(`"status":"SUCCESS",`):] + echo},
	}
	eachOf(t, cases, func(t *testing.T, c followed, writer *answers.Writer, err error) {
		must.Do(t, err)
		if got := string(writer.Write(done())); got != c.want {
			t.Errorf("written\n%s\nwant\n%s", got, c.want)
		}
	})
}

// TestAbsentValues: a member without a value is null where its schema has null, and left out elsewhere; conditions decide first.
func TestAbsentValues(t *testing.T) {
	const none = `"then": {"properties": {"file_url": false, "completion_date": false, "error_msg": false}}`
	nullable := []string{`"x-source": "record.link",`, `"x-source": "record.link", "default": null,`, `      "type": "string",
      "format": "uri"`, `      "type": ["string", "null"],
      "format": "uri"`}
	progress := []string{requested, requested + `, "rows": {"type": "integer", "minimum": 5, "maximum": 5}`}
	cases := map[string]absent{
		"left out":                {nil, map[string]bool{"file_url": false}},
		"left out by a condition": {nullable, map[string]bool{"file_url": false}},
		"null": {append([]string{none, `"then": {"properties": {"completion_date": false, "error_msg": false}}`},
			nullable...), map[string]bool{"file_url": true}},
		"no value by a condition": {append([]string{none,
			`"then": {"properties": {"rows": false, "file_url": false, "completion_date": false, "error_msg": false}}`}, progress...),
			map[string]bool{"rows": false}},
		"a value without a condition": {progress, map[string]bool{"rows": true}},
	}
	eachOf(t, cases, func(t *testing.T, c absent, writer *answers.Writer, err error) {
		must.Do(t, err)
		var got map[string]any
		must.Do(t, json.Unmarshal(writer.Write(running()), &got))
		for member, want := range c.has {
			if value, has := got[member]; has != want {
				t.Errorf("%s is %v, there %v, want %v", member, value, has, want)
			}
		}
	})
}

// TestWhatCannotBeFollowedIsRefused: with the file, the place, and a sentence.
func TestWhatCannotBeFollowedIsRefused(t *testing.T) {
	cases := map[string]refused{
		"a value of the world": {[]string{`"record.uri"`, `"installation.id"`}, "/properties/uri",
			`this answer has no such value: it has record.completed_at`},
		"a type that no date has": {[]string{requested, `"request_date": {"type": "boolean", "x-source": "record.requested_at"}`}, "/properties/request_date",
			`gives "2026-01-31T08:30:00Z", which the schema does not allow`},
		"states that are not allowed": {[]string{`["CREATED", "PENDING", "ERROR", "SUCCESS"],`,
			`["CREATED", "ERROR", "SUCCESS"], "title": "State",`, `"x-states": {"interfaces": ["legacy"]}`, `"examples": ["ERROR"]`},
			"/properties/status", `gives "PENDING"`},
		"a link that must be there": {[]string{`"required": ["id", "uri"`, `"required": ["file_url", "id", "uri"`}, "/properties/file_url",
			"file_url is missing: it is required"},
		"a required member of no schema": {[]string{`"required": ["id", "uri"`, `"required": ["region", "id", "uri"`,
			`"additionalProperties": false`, `"minProperties": 1`}, "/required", "region is missing"},
		"a value that nothing has": {[]string{requested, requested + `, "size": {"type": "integer", "minimum": 3, "maximum": 2}`},
			"/properties/size", "no value that conforms was found"},
		"a share of nulls": {[]string{requested, requested + `, "size": {"type": "integer", "x-null-share": 0.5}`,
			`"required": ["id"`, `"required": ["size", "id"`}, "/properties/size", "x-null-share"},
		"a list of no items": {[]string{requested, requested + `, "files": {"x-source": "record.files", "type": "array"}`},
			"/properties/files", "needs an array with items"},
	}
	eachOf(t, cases, func(t *testing.T, c refused, _ *answers.Writer, err error) {
		var fault *schemas.FileError
		if !errors.As(err, &fault) || fault.Pointer != c.pointer || !strings.Contains(fault.Message, c.says) {
			t.Errorf("refused with %v", err)
		}
	})
}

// TestSourcesOfTheSpecification: a member that an overlay describes anew, without a source, tells the same as before.
func TestSourcesOfTheSpecification(t *testing.T) {
	library := opened(t, fstest.MapFS{record: {Data: []byte(replaced(t, requested, `"request_date": {"$ref": "../common/dates.json#/$defs/utcDateTime"}`))}})
	writer := must.Get(answers.Compile(library, record, nil, []answers.Values{running(), done(), failed()}))(t)
	if got := string(writer.Write(done())); !strings.Contains(got, `"request_date":"2026-01-31T08:30:00Z",`) {
		t.Errorf("written %s", got)
	}
}
