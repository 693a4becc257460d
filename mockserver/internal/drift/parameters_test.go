package drift_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestParameters: a query that the schema files refuse and the service takes is a drift, and so is the reverse; what both take or
// refuse is none, and nothing of a value is shown.
func TestParameters(t *testing.T) {
	t.Parallel()
	observer := must.Get(drift.New(fstest.MapFS{}))(t)
	const page, refusal = `{"exports": [], "count": 0, "has_more": false}`,
		`{"error_code": "MALFORMED_PARAMETER", "error_message": "it is wrong"}`
	const missing = `{"error_code": "MISSING_PARAMETER", "error_message": "id is missing"}`
	seen := 0
	for _, c := range []struct {
		path, query string
		status      int
		body        string
		finds       string // a part of what is found; "" for nothing
	}{
		{"list", "limit=2", 200, page, ""},
		{"list", "limit=2&other=x", 200, page, ""},
		{"list", "limit=secret", 400, refusal, ""},
		{"view", "", 400, missing, ""},
		{"list", "limit=2", 400, refusal, "request ?: allowed the parameters fit their schemas; came it is wrong"},
		{"list", "limit=secret", 200, page, "request ?limit: allowed a value that fits its schema; came aaaaaa was answered"},
		{"view", "other=x", 200, `{}`, "request ?id: allowed a request with it"},
	} {
		observer.Observe(passed(1, 0, 1, "GET", "/2.7/exports/"+c.path, c.query, "", c.status, c.body))
		found := describe(observer.Findings())
		about := strings.Count(found, " request ?")
		if c.finds != "" {
			seen++
		}
		if about != seen || !strings.Contains(found, c.finds) || strings.Contains(found, "secret") {
			t.Errorf("%s?%s %d: want %q in%s", c.path, c.query, c.status, c.finds, found)
		}
	}
}
