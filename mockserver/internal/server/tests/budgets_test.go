package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
)

// within gives a server budgets of its own.
func within(t *testing.T, limits budget.Limits) func(*mockserver.Options) {
	t.Helper()
	limits.Wait = patience
	return func(o *mockserver.Options) { o.Limits = budget.Exact(limits) }
}

// largeForm is a form with one file of a size.
func largeForm(t *testing.T, size int) call {
	t.Helper()
	body, contentType := form(t, [][2]string{{"userbase.csv", strings.Repeat("x", size)}}, nil)
	return call{path: "/_mock/check", body: body, header: http.Header{"Content-Type": {contentType}}}
}

// TestBudgetsRefuse: each by its name, with numbers and the flag, and not as the fault of somebody else.
func TestBudgetsRefuse(t *testing.T) {
	rows := http.Header{"Content-Type": {"text/csv"}}
	s := newServer(t, within(t, budget.Limits{Body: 1024, Upload: 1 << 20, Disk: 2 << 20, DataRows: 3, Exports: 1 << 20}),
		func(o *mockserver.Options) { o.Profiles = 100_000 })
	large := call{path: userbasePath, body: strings.Repeat(" ", 2000) + userbaseBody}
	s.refused(s.do(large), 400, "MALFORMED_PARAMETER", "1024 bytes", "--limit body")
	s.refused(s.do(call{path: "/_mock/data/profiles", body: "profile_id\n" + strings.Repeat("a\n", 1<<20), header: rows}), 400,
		"MALFORMED_PARAMETER", "1MiB", "--limit body")
	s.refused(s.put(strings.Repeat(" ", 2<<20)), 400, "MALFORMED_PARAMETER", "2MiB", "1MiB", "--limit body")
	s.refused(s.do(largeForm(t, 3<<20)), 400, "MALFORMED_PARAMETER", "budget disk", "2MiB", "--limit disk")
	s.answers("two rows", s.do(call{path: "/_mock/data/profiles", body: "profile_id\nprofile_a\nprofile_b\n", header: rows}), 200)
	s.refused(s.do(call{path: "/_mock/data/profiles", body: "profile_id\nprofile_c\nprofile_d\n", header: rows}), 409, "CONFLICT",
		"budget data-rows", "2 of 3 rows of the dataset are in use", "DELETE /_mock/state", "--limit rows")
	id := s.create(userbasePath, userbaseBody, "progress=now")
	if record := s.lookup(id).body; record["status"] != "ERROR" || !strings.Contains(fmt.Sprint(record["error_msg"]), "budget disk") ||
		!strings.Contains(fmt.Sprint(record["error_msg"]), "--limit disk") {
		t.Errorf("a file larger than the disk: %v", record)
	}
	// A refusal is no error of the server. The log has the first of a second.
	if log := s.log.String(); strings.Contains(log, "level=ERROR") || strings.Count(log, "level=WARN") != 2 ||
		strings.Count(log, "a file was not written") != 1 {
		t.Errorf("the log: %s", log)
	}
	metrics := s.do(call{method: "GET", path: "/_mock/metrics", header: http.Header{}}).text
	for _, line := range []string{
		`rehearsal_budget_limit{budget="disk",unit="bytes"} 2.097152e+06`, `rehearsal_budget_used{budget="disk",unit="bytes"} 0`,
		`rehearsal_budget_used{budget="data-rows",unit="count"} 2`, `rehearsal_budget_refused_total{budget="data-rows",unit="count"} 1`,
	} {
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("the metrics lack %s:\n%s", line, metrics[:strings.Index(metrics, "rehearsal_ready")])
		}
	}
}

// TestRowsThatStay: rows count for as long as they are stored, also those that say what others have said, and those of a snapshot.
func TestRowsThatStay(t *testing.T) {
	s := newServer(t, within(t, budget.Limits{DataRows: 5000}))
	const rows = 2000
	load := call{path: "/_mock/data/profiles", body: "profile_id\n" + strings.Repeat("profile_a\n", rows),
		header: http.Header{"Content-Type": {"text/csv"}}}
	kept := func() string {
		text := s.do(call{method: "GET", path: "/_mock/metrics"}).text
		_, behind, _ := strings.Cut(text, `rehearsal_budget_used{budget="data-rows",unit="count"} `)
		used, _, _ := strings.Cut(behind, "\n")
		return used
	}
	for n := range 2 {
		if a := s.do(load); a.StatusCode != 200 || kept() != strconv.Itoa((n+1)*rows) {
			t.Fatalf("load %d: %s; %s rows are kept", n, a.text, kept())
		}
		s.do(call{method: "DELETE", path: "/_mock/data"})
	}
	refused := s.do(load)
	s.refused(refused, 409, "CONFLICT", "4000 of 5000 rows", "DELETE /_mock/state", "--limit rows")
	if strings.Contains(refused.text, "again") || refused.Header.Get("Retry-After") != "" {
		t.Errorf("another try is no help: %s", refused.text)
	}
	snapshot := s.do(call{method: "GET", path: "/_mock/state"}).text
	small := newServer(t, within(t, budget.Limits{DataRows: 3999}))
	small.refused(small.put(snapshot), 400, "MALFORMED_PARAMETER", "4000 rows", "budget data-rows", "3999")
	small.refused(small.do(call{path: load.path, body: load.body + load.body[len("profile_id\n"):], header: load.header}), 400,
		"MALFORMED_PARAMETER", "--limit rows")
	if again := newServer(t, within(t, budget.Limits{DataRows: 4000}),
		func(o *mockserver.Options) { o.State = keptIn(s.store) }); again.do(load).StatusCode != 409 {
		t.Error("after a restart nothing counts")
	}
	if a := s.do(call{method: "DELETE", path: "/_mock/state"}); a.StatusCode != 200 || kept() != "0" {
		t.Errorf("emptied: %s; %s rows are kept", a.text, kept())
	}
	s.answers("after that", s.do(load), 200)
}

// leaving is a body whose client is gone once it has sent all of it.
type leaving struct {
	io.Reader
	leave context.CancelFunc
}

func (l leaving) Read(into []byte) (int, error) {
	n, err := l.Reader.Read(into)
	if err == io.EOF {
		l.leave()
	}
	return n, err
}

// TestNobodyWaitsForRows: rows and a snapshot are not stored for a client that has gone before they were checked, and later ones are.
func TestNobodyWaitsForRows(t *testing.T) {
	from := newServer(t)
	from.loadPhone("", "of the snapshot")
	for target, sent := range map[string]struct{ method, body string }{
		"/_mock/data/installations": {"POST", `{"install_id":"phone-of-rows"}`},
		"/_mock/state":              {"PUT", from.do(call{method: "GET", path: "/_mock/state"}).text},
	} {
		s := newServer(t)
		s.loadPhone("", "before")
		ctx, cancel := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(ctx, sent.method, "http://localhost"+target, leaving{strings.NewReader(sent.body), cancel})
		if err != nil {
			t.Fatal(err)
		}
		request.RemoteAddr, request.ContentLength = "127.0.0.1:1", int64(len(sent.body))
		request.Header.Set("Content-Type", "application/json")
		s.service.ServeHTTP(httptest.NewRecorder(), request)
		if ctx.Err() == nil || s.phones("live_demo") != "before" {
			t.Errorf("%s: left: %v; there is %q", target, ctx.Err(), s.phones("live_demo"))
		}
		if s.loadPhone("", "after"); !strings.Contains(s.phones("live_demo"), "after") {
			t.Errorf("%s: after that there is %q", target, s.phones("live_demo"))
		}
		cancel()
	}
}

// TestTemporaryDiskIsTheServers: that files cannot be written in TMPDIR is told
// as the fault of the server, also where the length of a body is not known before.
func TestTemporaryDiskIsTheServers(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	s := newServer(t, func(o *mockserver.Options) {
		o.DataDisk = func(room blocks.Room) blocks.Store { return blocks.Disk("", room) }
	})
	rows := "custom_id,attributes.note\n" + strings.Repeat("c,"+strings.Repeat("x", 997)+"\n", 20_000)
	load := call{path: "/_mock/data/profiles", body: rows, header: http.Header{"Content-Type": {"text/csv"}}}
	chunked := load
	chunked.chunked = true
	for name, sent := range map[string]call{"files": largeForm(t, 45<<20), "rows": load, "rows in chunks": chunked} {
		a := s.do(sent)
		if s.refused(a, 503, "MAINTENANCE_ERROR", missing, "TMPDIR"); a.Header.Get("Retry-After") == "" {
			t.Errorf("%s: nothing says when to try again", name)
		}
	}
}
