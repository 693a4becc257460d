package server_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/server"
)

// within gives a server budgets of its own.
func within(t *testing.T, limits budget.Limits) func(*server.Options) {
	t.Helper()
	return func(o *server.Options) {
		set, err := budget.New(limits)
		if err != nil {
			t.Fatal(err)
		}
		o.Budgets = set
	}
}

// largeForm is a form with one file of a size.
func largeForm(t *testing.T, size int) call {
	t.Helper()
	body, contentType := form(t, [][2]string{{"userbase.csv", strings.Repeat("x", size)}}, nil)
	return call{path: "/_mock/check", body: body, header: http.Header{"Content-Type": {contentType}}}
}

// TestBudgetsRefuse: each by its name, with numbers and the flag, and not as the
// fault of somebody else.
func TestBudgetsRefuse(t *testing.T) {
	rows := http.Header{"Content-Type": {"text/csv"}}
	s := newServer(t, within(t, budget.Limits{Body: 1024, Upload: 1 << 20, Disk: 2 << 20, DataRows: 3, Layout: 1, Exports: 1 << 20}))
	large := call{path: userbasePath, body: strings.Repeat(" ", 2000) + userbaseBody}
	s.refused(s.do(large), 400, "MALFORMED_PARAMETER", "1024 bytes", "--max-body")
	s.refused(s.do(call{path: "/_mock/data/profiles", body: "profile_id\n" + strings.Repeat("a\n", 1<<20), header: rows}), 400, "MALFORMED_PARAMETER", "1MiB", "--max-upload")
	s.refused(s.put(strings.Repeat(" ", 2<<20)), 400, "MALFORMED_PARAMETER", "2MiB", "1MiB", "--max-upload")
	s.refused(s.do(largeForm(t, 3<<20)), 400, "MALFORMED_PARAMETER", "budget disk", "2MiB", "--max-disk")
	if a := s.do(call{path: "/_mock/data/profiles", body: "profile_id\nprofile_a\nprofile_b\n", header: rows}); a.StatusCode != 200 {
		t.Errorf("two rows: %d %s", a.StatusCode, a.text)
	}
	s.refused(s.do(call{path: "/_mock/data/profiles", body: "profile_id\nprofile_c\nprofile_d\n", header: rows}), 503, "MAINTENANCE_ERROR", "budget data-rows", "2 of 3", "--max-data-rows")
	id := s.create(userbasePath, userbaseBody, "progress=now")
	s.refused(s.get(s.links(id)[0]), 503, "MAINTENANCE_ERROR", "budget layout", "--max-layout")
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

// TestTemporaryDiskIsTheServers: that files cannot be written in TMPDIR is told
// as the fault of the server.
func TestTemporaryDiskIsTheServers(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	s := newServer(t)
	a := s.do(largeForm(t, 45<<20))
	s.refused(a, 503, "MAINTENANCE_ERROR", missing, "TMPDIR")
	if a.Header.Get("Retry-After") == "" {
		t.Error("nothing says when to try again")
	}
}
