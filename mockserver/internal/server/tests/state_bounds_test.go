package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestSnapshotsAreBounded: whatever a snapshot holds decides how much work its
// files are, so no value of it is beyond what a server gives out itself.
func TestSnapshotsAreBounded(t *testing.T) {
	s := newServer(t)
	s.setClock(`{"freeze":true}`)
	s.create("/1.0/live_demo/export/userbase", userbaseBody, "progress=now")
	s.create("/1.0/live_demo/export/campaign/welcome/events", `{"ids":["install_id"],"events":["push_sent"],"from":"2026-03-01T00:00:00","to":"now"}`, "progress=now")
	s.create(profilesPath, filteredBody, "progress=now")
	snapshot := s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}).text
	s.answers("the snapshot itself", s.put(snapshot), 200)
	for _, c := range []struct{ pointer, value, allowed string }{
		{"/exports/0/id", `"../../etc"`, ""},
		{"/exports/0/id", `"a.b"`, ""},
		{"/exports/0/id", `""`, ""},
		{"/exports/0/created_at", `"0001-01-01T00:00:00Z"`, "2000-01-01T00:00:00Z to 9990-01-01T00:00:00Z"},
		{"/exports/0/started_at", `"9999-12-31T23:59:59Z"`, "2000-01-01T00:00:00Z to 9990-01-01T00:00:00Z"},
		{"/exports/0/completed_at", `"1999-12-31T23:59:59Z"`, "2000-01-01T00:00:00Z to 9990-01-01T00:00:00Z"},
		{"/exports/0/polls", `1000001`, "1000000"},
		{"/exports/0/polls", `-1`, "0"},
		{"/exports/0/steps", `3`, "2"},
		{"/exports/0/outcome", `"perhaps"`, "success"},
		{"/exports/0/link", `"500"`, "404"},
		{"/exports/0/progress", `"time:9000h"`, "8760h"},
		{"/exports/0/progress", `"polls:1000000000000"`, "1000000"},
		{"/exports/0/scenario", `"latency=11m"`, "10m"},
		{"/exports/0/scenario", `"rows=-1"`, ""},
		{"/exports/0/scenario", `"slow=99999999999999999999"`, ""},
		{"/exports/0/file/profiles", `1000000000000000`, "1000000000"},
		{"/exports/0/file/profiles", `0`, "1"},
		{"/exports/0/file/profiles", `1e400`, ""},
		{"/exports/0/file/seed", `-1`, "0"},
		{"/exports/0/file/seed", `18446744073709551616`, "18446744073709551615"},
		{"/exports/0/file/now", `"9990-01-02T00:00:00Z"`, "2000-01-01T00:00:00Z to 9990-01-01T00:00:00Z"},
		{"/exports/0/file/max_rows", `-1`, "0"},
		{"/exports/0/file/max_rows", `9223372036854775808`, "9223372036854775807"},
		{"/exports/0/file/data_generation", `7`, "0 batches"},
		{"/exports/0/file/data_generation", `1000000000000`, "1000000000"},
		{"/exports/0/file/world_version", `1000000000000`, "1000000"},
		{"/exports/0/file/kind", `"campaign.events"`, "the kind of its export"},
		{"/exports/0/file/events", `[]`, ""},
		{"/exports/0/file/settings", `{"push-only":1.5}`, "1"},
		{"/exports/0/file/settings", `{"push-only":0.9,"email-only":0.9}`, "at most 1"},
		{"/exports/0/file/settings", `{"campaigns":1000000000}`, "1000"},
		{"/exports/0/file/settings", `{"weekly-messages":1000000000}`, "100"},
		{"/exports/0/file/settings", `{"rates":{"email_open":-1}}`, "0"},
		{"/exports/1/file/window/from", `"2001-01-01T00:00:00Z"`, "lookback"},
		{"/exports/1/file/window/from", `"0001-01-01T00:00:00Z"`, "2000-01-01T00:00:00Z"},
		{"/exports/1/file/window/to", `"9999-12-31T23:59:59Z"`, "9990-01-01T00:00:00Z"},
		{"/exports/2/file/part_size", `0`, "1"},
		{"/exports/2/file/part_size", `1000000000000000`, "1099511627776"},
		{"/rate_limits/profiles.attributes:project_demo/full_at", `"9999-12-31T23:59:59Z"`, "9990-01-01T00:00:00Z"},
		{"/rate_limits/profiles.attributes:project_demo/taken_at", `"9999-12-31T23:59:59Z"`, "9990-01-01T00:00:00Z"},
		{"/settings/clock/value", `{"rate":1e30,"shown":"2026-03-15T12:00:00Z","base":"2026-03-15T12:00:00Z"}`, ""},
		{"/settings/clock/value", `{"frozen":true,"shown":"9999-01-01T00:00:00Z"}`, "9990-01-01T00:00:00Z"},
	} {
		changed := changedAt(t, snapshot, c.pointer, c.value)
		a := s.put(changed)
		s.answers(fmt.Sprintf("%s is %s", c.pointer, c.value), a, 400, c.allowed)
		last := c.pointer[strings.LastIndex(c.pointer, "/")+1:]
		switch last {
		case "value":
			last = "clock"
		case "scenario": // the part of it is named
			last = "/exports/0"
		}
		if !strings.Contains(a.text, last) && c.value != "1e400" {
			t.Errorf("%s is %s: the answer does not name %s: %s", c.pointer, c.value, last, a.text)
		}
	}
	if again := s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}).text; again != snapshot {
		t.Errorf("the refused snapshots have changed the state:\n%s\n%s", again, snapshot)
	}
}

// changedAt puts another value at a JSON Pointer of a text.
func changedAt(t *testing.T, text, pointer, value string) string {
	t.Helper()
	var whole any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	must.Do(t, decoder.Decode(&whole))
	at := whole
	tokens := strings.Split(pointer, "/")[1:]
	for i, token := range tokens {
		token = strings.ReplaceAll(token, "~1", "/")
		switch container := at.(type) {
		case map[string]any:
			if i == len(tokens)-1 {
				container[token] = json.RawMessage(value)
			} else if container[token] == nil {
				t.Fatalf("%s: there is no %s", pointer, token)
			}
			at = container[token]
		case []any:
			at = container[token[0]-'0']
		}
	}
	changed := must.Get(json.Marshal(whole))(t)
	return string(changed)
}

// TestRepeatedRows: a snapshot may repeat the rows of a generation, but not so often that reading them takes longer than work may.
func TestRepeatedRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in which work takes no time
		s := newServer(t, within(t, budget.Limits{Times: budget.Times{Work: time.Second}}))
		rows := make([]any, 1000)
		for i := range rows {
			rows[i] = map[string]any{"custom_id": fmt.Sprint("customer-", i)}
		}
		part := map[string]any{"part": true, "profiles": rows}
		with := func(repetitions int) string {
			text := bytes.NewBufferString(`{"version":2,"exports":[],"data":[`)
			encoded := must.Get(json.Marshal(part))(t)
			text.Write(encoded)
			text.WriteString(`,{"reset":true,"origin":"0a1b","at":1,"parts":[1]}`)
			for range repetitions {
				text.WriteString(`,{"reset":true,"origin":"0a1b","again":2,"at":1}`)
			}
			return text.String() + "]}"
		}
		s.answers("a few repetitions", s.put(with(3)), 200)
		a := s.put(with(100))
		s.refused(a, 400, "MALFORMED_PARAMETER", "101000 rows")
		if !strings.Contains(a.text, "at most 100000") || !strings.Contains(a.text, "the most that the work of a request may take") {
			t.Errorf("the refusal does not name the limit: %s", a.text)
		}
	})
}

// TestSnapshotsAreReadAsTheyCome: what cannot be part of a snapshot is refused before the rest of it is read.
func TestSnapshotsAreReadAsTheyCome(t *testing.T) {
	s := newServer(t)
	s.create("/1.0/live_demo/export/userbase", userbaseBody, "progress=now")
	snapshot := s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}).text
	_, export, _ := strings.Cut(snapshot, `"exports":[`)
	export, _, _ = strings.Cut(export, `],"rate_limits"`)
	export, _, _ = strings.Cut(export, `],"settings"`)
	for about, c := range map[string]struct{ body, pointer, says string }{
		"a list of numbers": {`{"version":2,"exports":[` + strings.Repeat("1,", 1<<20), "/exports/0", "object"},
		"empty exports":     {`{"version":2,"exports":[` + strings.Repeat("{},", 1<<20), "/exports/0/id", "required"},
		"the second export": {`{"version":2,"exports":[` + export + `,` + strings.Replace(export, `"kind":"userbase"`, `"kind":5`, 1), "/exports/1/kind", "exports[1].kind"},
		"the same twice":    {`{"version":2,"exports":[` + export + `,` + export, "/exports/1/id", "already"},
		"many limits":       {`{"version":2,"exports":[],"rate_limits":{"` + strings.Repeat("a", 9<<20) + `":0}}`, "/rate_limits", "8MiB"},
	} {
		t.Run(about, func(t *testing.T) {
			a := s.put(c.body)
			if a.StatusCode != 400 || !strings.Contains(a.text, `"pointer":"`+c.pointer+`"`) || !strings.Contains(a.text, c.says) {
				t.Errorf("answered %d, want 400 at %s that says %q: %.500s", a.StatusCode, c.pointer, c.says, a.text)
			}
		})
	}
}

// TestValidationHasADeadline: a body without faults is not checked for longer than work may take.
func TestValidationHasADeadline(t *testing.T) {
	s := newServer(t, within(t, budget.Limits{Times: budget.Times{Work: time.Second}}))
	const more = 2 << 30 // than is checked in a second
	body := io.MultiReader(strings.NewReader("install_id;is_optin_push;install_date;last_start_date;smart_segment\n"), io.LimitReader(&endless{line: "9ed90fbc-5b4c-4a5c-8ecb-a1d2e0f9e3d4;true;2026-03-01T00:00:00;2026-03-02T00:00:00;\n"}, more))
	r := httptest.NewRequest("POST", "http://localhost/_mock/validate?schema=userbase", body)
	r.RemoteAddr = "127.0.0.1:1"
	w := httptest.NewRecorder()
	s.service.ServeHTTP(w, r)
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "took longer than is allowed") {
		t.Errorf("answered %d, want 503 that names the time: %.300s", w.Code, w.Body)
	}
}

// endless is one line after the other.
type endless struct {
	line string
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		copied := copy(p[n:], e.line[e.at:])
		n, e.at = n+copied, (e.at+copied)%len(e.line)
	}
	return n, nil
}

// TestPartsAreCounted: an answer names all parts of a file, so an export with too many fails, by name and number.
func TestPartsAreCounted(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) { c.PartSize, c.Profiles = 1, 20_000 })
	id := s.create(profilesPath, kinds[8].body, "progress=now")
	message := fmt.Sprint(s.lookup(id).body["error_message"])
	for _, says := range []string{"more than 10000 parts of 1 bytes", "--part-size", "rows="} {
		must.Hold(t, strings.Contains(message, says), "the export has failed with %q, which does not say %q", message, says)
	}
	few := s.create(profilesPath, kinds[8].body, "progress=now; rows=7")
	if files, _ := s.lookup(few).body["files"].([]any); len(files) != 7 {
		t.Errorf("seven rows in parts of one byte: %v", files)
	}
}
