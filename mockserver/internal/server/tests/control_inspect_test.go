package server_test

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestIndexLeadsToRows: at every offset that an index names, the row begins
// that its count says, in files of both formats and of several parts.
func TestIndexLeadsToRows(t *testing.T) {
	s := newServer(t)
	for _, k := range kinds {
		id := s.create(k.path, k.body, "progress=now")
		var index struct {
			Rows, Size int64
			Parts      []struct {
				Number, Rows, Size int64
				Link               string
				Offsets            []int64
				FirstRows          []int64 `json:"first_rows"`
			}
		}
		a := s.do(call{method: "GET", path: "/_mock/exports/" + id + "/index"})
		if err := json.Unmarshal([]byte(a.text), &index); err != nil || a.StatusCode != 200 {
			t.Fatalf("%s: %d %v: %s", k.name, a.StatusCode, err, a.text)
		}
		var rows, size int64
		for _, part := range index.Parts {
			whole := s.get(part.Link).text
			rows, size = rows+part.Rows, size+part.Size
			must.Equal(t, int64(len(whole)), part.Size, "bytes of %s, part %d", k.name, part.Number)
			lines := strings.SplitAfter(whole, "\n")[1:] // after the header of CSV, or the bracket of JSON
			if len(part.Offsets) != len(part.FirstRows) || part.Rows > 0 && len(part.Offsets) == 0 {
				t.Errorf("%s: %d offsets and %d rows", k.name, len(part.Offsets), len(part.FirstRows))
			}
			for i, offset := range part.Offsets {
				want := strings.TrimRight(lines[part.FirstRows[i]], ",\n")
				if got := strings.TrimLeft(whole[offset:], ",\n"); !strings.HasPrefix(got, want) {
					t.Fatalf("%s: at byte %d begins %.80q, want row %d, %.80q", k.name, offset, got, part.FirstRows[i], want)
				}
			}
		}
		if rows != index.Rows || size != index.Size || rows == 0 {
			t.Errorf("%s: the parts have %d rows and %d bytes, the index says %d and %d", k.name, rows, size, index.Rows, index.Size)
		}
	}
}

// TestIndexOfNoFile: an export that is not there yet has no index, and asking for one does not move it.
func TestIndexOfNoFile(t *testing.T) {
	s := newServer(t)
	id := s.create(userbasePath, userbaseBody, "progress=polls:2")
	for range 4 {
		s.refused(s.do(call{method: "GET", path: "/_mock/exports/" + id + "/index"}), 409, "CONFLICT", "CREATED")
	}
	s.refused(s.do(call{method: "GET", path: "/_mock/exports/nobody/index"}), 404, "ROUTE_NOT_FOUND")
}

func TestValidate(t *testing.T) {
	s := newServer(t)
	const header = "install_id;is_optin_push;install_date;last_start_date;smart_segment\n"
	check := func(query, body string) answer {
		return s.do(call{path: "/_mock/validate" + query, body: body, header: http.Header{"Content-Type": {"text/plain"}}})
	}
	for _, c := range []struct {
		name, query, body string
		rows, faults      float64
		complete          bool
		contains          string
	}{
		{"a file without faults", "?schema=userbase", header + "a;true;2026-01-01T00:00:00;2026-01-02T00:00:00;x\n", 1, 0, true, ""},
		{"a cell that is not allowed", "?schema=userbase", header + "a;yes;2026-01-01T00:00:00;2026-01-02T00:00:00;x\n", 1, 1, true,
			`"line":2,"column":3`},
		{"more faults than are wanted", "?schema=userbase&max_faults=2",
			header + strings.Repeat("a;yes;2026-01-01T00:00:00;2026-01-02T00:00:00;x\n", 9), 2, 2, false, ""},
		{"a payload", "?schema=legacy/userbase.request", `{"ids":["install_id"]}`, 1, 0, true, `"single":true`},
		{"a payload of several lines", "?schema=legacy/userbase.request", "{\n  \"ids\":\n    [\"nobody\"]\n}", 1, 1, true,
			`"line":3,"column":6`},
		{"what is no JSON", "?schema=profiles.events", `[{"x":`, 0, 1, true, `"keyword":"json"`},
		{"nothing", "?schema=userbase", "", 0, 1, true, `"keyword":"csv"`},
		{"a scenario", "?schema=mock/scenario.request", `{"scenario":"rows=0; progress=now"}`, 1, 0, true, `"single":true`},
		{"a scenario without parts", "?schema=mock/scenario.request", `{"scenario":""}`, 1, 1, true, `"keyword":"minLength"`},
		{"a scenario with a part that is none", "?schema=mock/scenario.request", `{"scenario":"row=0"}`, 1, 1, true, `"pointer":"/scenario"`},
		{"a scenario with an error that is none", "?schema=mock/scenario.request", `{"scenario":"error=NOBODY"}`, 1, 1, true,
			"TOO_MANY_REQUESTS"},
	} {
		a := check(c.query, c.body)
		if a.StatusCode != 200 || a.body["faults"] != c.faults || a.body["complete"] != c.complete || !strings.Contains(a.text, c.contains) {
			t.Errorf("%s: %d %s", c.name, a.StatusCode, a.text)
		}
		if c.rows > 0 && a.body["rows"] != c.rows {
			t.Errorf("%s: %v rows, want %v: %s", c.name, a.body["rows"], c.rows, a.text)
		}
	}
	if set := s.do(call{method: "GET", path: "/_mock/scenarios"}); strings.Contains(set.text, "rows=0") {
		t.Errorf("a scenario that was only checked is set: %s", set.text)
	}
	s.refused(check("", "x"), 400, "MISSING_PARAMETER", "schema")
	s.refused(check("?schema=user-base", "x"), 400, "MALFORMED_PARAMETER", "schema", "userbase")
	s.refused(check("?schema=userbase&max_faults=0", "x"), 400, "MALFORMED_PARAMETER", "max_faults")
	s.refused(check("?schema=userbase&max_faults=1001", "x"), 400, "MALFORMED_PARAMETER", "1 to 1000")
}

// form is a body with files and fields.
func form(t testing.TB, files, fields [][2]string) (body, contentType string) {
	t.Helper()
	var buffer bytes.Buffer
	writer := multipart.NewWriter(&buffer)
	for _, file := range files {
		part := must.Get(writer.CreateFormFile("file", file[0]))(t)
		part.Write([]byte(file[1]))
	}
	for _, field := range fields {
		writer.WriteField(field[0], field[1])
	}
	writer.Close()
	return buffer.String(), writer.FormDataContentType()
}

// TestCheckOfFiles: what the server writes agrees; what was altered does not.
func TestCheckOfFiles(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) { c.Profiles = 4000 }) // few people see a message
	var files [][2]string
	for _, k := range kinds {
		id := s.create(k.path, k.body, "progress=now")
		for _, link := range s.links(id) {
			files = append(files, [2]string{k.name, s.get(link).text})
		}
	}
	post := func(files, fields [][2]string) answer {
		body, contentType := form(t, files, fields)
		return s.do(call{path: "/_mock/check", body: body, header: http.Header{"Content-Type": {contentType}}})
	}
	said := [][2]string{
		{"campaign", "campaign.events=welcome"}, {"campaign", "campaign.ids=welcome"}, {"kind", "campaign.events=campaign.events"},
		{"window", "campaign.events=2026-03-08T12:00:00/2026-03-15T12:00:00"},
	}
	a := post(files, said)
	if a.StatusCode != 200 || a.body["violations"] != 0.0 || len(a.body["files"].([]any)) != len(files) {
		t.Fatalf("%d: %s", a.StatusCode, a.text)
	}
	altered := [][2]string{{"a.csv",
		"install_id;is_optin_push;install_date;last_start_date;smart_segment\na;true;2026-03-01T00:00:00;2026-02-01T00:00:00;x\n"}}
	if a = post(altered, nil); a.StatusCode != 200 || a.body["violations"] == 0.0 || !strings.Contains(a.text, `"file":"a.csv"`) {
		t.Errorf("%d: %s", a.StatusCode, a.text)
	}
	first := s.create(inAppPath, appBody, "progress=now; duplicates=1")
	twice := [][2]string{{"in-app", s.get(s.links(first)[0]).text}}
	if a = post(twice, nil); a.StatusCode != 200 || a.body["violations"] == 0.0 {
		t.Errorf("with rows twice: %d: %s", a.StatusCode, a.text)
	}
	if a = post(twice, [][2]string{{"arrival", "duplicates"}}); a.StatusCode != 200 || a.body["violations"] != 0.0 {
		t.Errorf("with rows twice, as asked for: %d: %s", a.StatusCode, a.text)
	}
	s.refused(post(twice, [][2]string{{"arrival", "early"}}), 400, "MALFORMED_PARAMETER", "duplicates, late, skew, unordered")
	s.refused(post(nil, nil), 400, "MALFORMED_PARAMETER", "1 to 100")
	s.refused(post([][2]string{{"a.csv", "what;is;this\n1;2;3\n"}}, nil), 400, "MALFORMED_PARAMETER", "a.csv")
	s.refused(post(append(altered, altered...), nil), 400, "MALFORMED_PARAMETER", "one of its own")
	s.refused(post(altered, [][2]string{{"colour", "a.csv=red"}}), 400, "MALFORMED_PARAMETER",
		"allowed: file, kind, campaign, window, arrival")
	s.refused(post(altered, [][2]string{{"kind", "b.csv=userbase"}}), 400, "MALFORMED_PARAMETER", "FILE=VALUE")
	s.refused(post(altered, [][2]string{{"window", "a.csv=yesterday"}}), 400, "MALFORMED_PARAMETER", "window")
	s.refused(s.do(call{path: "/_mock/check", body: "{}"}), 400, "MALFORMED_PARAMETER", "multipart/form-data")
}
