package e2e_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// nativeError is the body of an error of either interface.
type nativeError struct {
	Code    int    `json:"code"`
	Type    string `json:"type"`
	Message string `json:"message"`

	ErrorCode    string `json:"error_code"`
	ErrorMessage string `json:"error_message"`
}

// name is the error's name in either shape.
func (e nativeError) name() string { return e.Type + e.ErrorCode }

// text is the error's sentence in either shape.
func (e nativeError) text() string { return e.Message + e.ErrorMessage }

// checkNativeError reads an error body and fails the test when it has not the shape of the interface.
func checkNativeError(t testing.TB, response answer, legacy bool) nativeError {
	t.Helper()
	var e nativeError
	response.decode(t, response.Status, &e)
	switch {
	case e.text() == "":
		t.Errorf("an error without a message: %s", response.Body)
	case legacy && (e.Code == 0 || e.Type == "" || e.ErrorCode != ""):
		t.Errorf("not a legacy error: %s", response.Body)
	case !legacy && (e.ErrorCode == "" || e.Code != 0 || e.Type != ""):
		t.Errorf("not a profile error: %s", response.Body)
	}
	return e
}

// errorTable is section 7 of the specification, and the conflict that has no code there.
var errorTable = []struct {
	name           string
	status, code   int
	statusEndpoint bool // applies to the status lookup as well
}{
	{"AUTHENTICATION_INVALID", 401, 10, true},
	{"API_MISUSE", 403, 12, false},
	{"ROUTE_NOT_FOUND", 404, 20, true},
	{"MISSING_PARAMETER", 400, 30, true},
	{"MALFORMED_PARAMETER", 400, 31, true},
	{"MALFORMED_JSON_BODY", 400, 32, false},
	{"SERVER_ERROR", 500, 1, true},
	{"MAINTENANCE_ERROR", 503, 2, true},
	{"CONFLICT", 409, 409, false},
}

// TestForcedErrors asks for every error of the table on every endpoint it applies to.
func TestForcedErrors(t *testing.T) {
	c := connect(t, "--state", "memory", "--profiles", "100")
	status := "/1.0/live_demo/export/request/00000000-0000-4000-8000-000000000000"
	for _, row := range errorTable {
		t.Run(row.name, func(t *testing.T) {
			c := &client{t, c.base, c.http}
			scenario := []string{"X-Mock-Scenario", "error=" + row.name}
			for _, k := range kinds {
				response := c.send(http.MethodPost, k.path, k.month(), append(k.headers(), scenario...)...)
				e := checkNativeError(t, response, k.legacy)
				if response.Status != row.status || e.name() != row.name || k.legacy && e.Code != row.code {
					t.Errorf("%s: status %d, %s", k.name, response.Status, response.Body)
				}
			}
			if row.statusEndpoint {
				response := c.send(http.MethodGet, status, "", "X-Authorization", companyKey, scenario[0], scenario[1])
				if e := checkNativeError(t, response, true); response.Status != row.status || e.Code != row.code {
					t.Errorf("status endpoint: %d %s", response.Status, response.Body)
				}
			}
		})
	}
}

// TestLookback checks the lookback of both interfaces, and that no reachability event of a profile is older than the first one.
func TestLookback(t *testing.T) {
	c := connect(t, "--state", "memory", "--profiles", "3000")
	floor := noon.AddDate(0, 0, -90)
	year := func(k kind) string { return k.body(noon.AddDate(-1, 0, 0), noon, nil) }
	for _, k := range kinds {
		if !k.windowed {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			c := &client{t, c.base, c.http}
			if k.legacy {
				rows := c.export(k, year(k))
				if len(rows) == 0 {
					t.Error("a window of a year has no rows")
				}
				for _, r := range rows {
					if k.dates != nil && instant(t, r.text(k.dates...)).Before(floor) {
						t.Fatalf("older than the lookback: %s", describe(r))
					}
				}
				return
			}
			response := c.send(http.MethodPost, k.path, year(k), k.headers()...)
			e := checkNativeError(t, response, false)
			if response.Status != http.StatusBadRequest || e.ErrorCode != "MALFORMED_PARAMETER" ||
				!strings.Contains(e.ErrorMessage, floor.Format("2006-01-02")) {
				t.Errorf("a year: %d %s, want the oldest date %s in the message", response.Status, response.Body, floor.Format(time.RFC3339))
			}
			for at, status := range map[time.Time]int{floor: 202, floor.Add(-time.Second): 400} {
				must.Equal(t, c.send(http.MethodPost, k.path, k.body(at, noon, nil), k.headers()...).Status, status, "the status from %v", at)
			}
		})
	}

	first := time.Date(2024, 10, 10, 0, 0, 0, 0, time.UTC)
	c.freeze(first.AddDate(0, 0, 30))
	k := kindOf("profiles.reachability")
	rows := c.export(k, k.body(first.AddDate(0, 0, -30), first.AddDate(0, 0, 30), nil))
	if len(rows) == 0 {
		t.Error("no reachability events after 2024-10-10")
	}
	for _, r := range rows {
		if instant(t, r.text(k.dates...)).Before(first) {
			t.Fatalf("before the first reachability event: %s", describe(r))
		}
	}
}
