package e2e_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// nativeError is the body of an error of either interface, with every fault of the payload.
type nativeError struct {
	Code    int    `json:"code"`
	Type    string `json:"type"`
	Message string `json:"message"`

	ErrorCode    string `json:"error_code"`
	ErrorMessage string `json:"error_message"`

	Errors []struct{ Pointer, Keyword, Message string } `json:"errors"`
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

// TestScenarios forces outcomes, row counts and progressions by the header.
func TestScenarios(t *testing.T) {
	c := connect(t, "--state", "memory", "--profiles", "500")
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			c := &client{t, c.base, c.http}

			failed := c.create(k, k.month(), "X-Mock-Scenario", "outcome=error;progress=now")
			if status := c.status(k, failed); status != "ERROR" {
				t.Errorf("outcome=error: status %s", status)
			}
			if k.legacy {
				if record := c.lookup(failed); record.ErrorMsg == "" || record.FileURL != "" || record.CompletionDate == "" {
					t.Errorf("outcome=error: %+v", record)
				}
			}

			if rows := c.rows(k, c.files(k, c.create(k, k.month(), "X-Mock-Scenario", "rows=0;progress=now"))); len(rows) != 0 {
				t.Errorf("rows=0: %d rows", len(rows))
			}
			if rows := c.rows(k, c.files(k, c.create(k, k.month(), "X-Mock-Scenario", "progress=now; rows=3"))); len(rows) != 3 {
				t.Errorf("rows=3: %d rows", len(rows))
			}

			polled := c.create(k, k.month(), "X-Mock-Scenario", "progress=polls:3")
			for i, want := range []string{"CREATED", "PENDING", "SUCCESS", "SUCCESS"} {
				if status := c.status(k, polled); status != want {
					t.Errorf("progress=polls:3: lookup %d says %s, want %s", i+1, status, want)
				}
			}

			timed := c.create(k, k.month(), "X-Mock-Scenario", "progress=time:40s")
			for _, want := range []string{"CREATED", "PENDING", "PENDING", "PENDING", "SUCCESS"} {
				if status := c.status(k, timed); status != want {
					t.Errorf("progress=time:40s: status %s, want %s", status, want)
				}
				c.advance("10s")
			}

			manual := c.create(k, k.month(), "X-Mock-Scenario", "progress=manual")
			c.advance("1h")
			for i, want := range []string{"CREATED", "PENDING", "SUCCESS"} {
				if i > 0 {
					c.control(manual, `{"action":"step"}`)
				}
				if status := c.status(k, manual); status != want {
					t.Errorf("progress=manual: after %d steps the status is %s, want %s", i, status, want)
				}
			}
			byHand := c.create(k, k.month(), "X-Mock-Scenario", "progress=manual")
			c.control(byHand, `{"action":"fail","message":"the disk is full"}`)
			if status := c.status(k, byHand); status != "ERROR" {
				t.Errorf("failed by hand: status %s", status)
			}
			if k.legacy {
				if record := c.lookup(byHand); record.ErrorMsg != "the disk is full" {
					t.Errorf("failed by hand: error_msg %q", record.ErrorMsg)
				}
			}
			finished := c.create(k, k.month(), "X-Mock-Scenario", "progress=manual")
			c.control(finished, `{"action":"finish"}`)
			if len(c.files(k, finished)) == 0 {
				t.Error("finished by hand: no file")
			}
		})
	}
	for _, header := range []string{"error=NOBODY", "colour=red", "rows=many", "rows=-1", "progress=soon", "outcome=maybe", "error"} {
		k := kindOf("userbase")
		response := c.send(http.MethodPost, k.path, k.month(), append(k.headers(), "X-Mock-Scenario", header)...)
		if e := checkNativeError(t, response, true); response.Status != http.StatusBadRequest || !strings.Contains(e.Message, "X-Mock-Scenario") {
			t.Errorf("scenario %q: %d %s", header, response.Status, response.Body)
		}
	}
}

// control changes an export by hand.
func (c *client) control(id, change string) {
	c.t.Helper()
	if response := c.send(http.MethodPost, "/_mock/exports/"+id, change, "Content-Type", "application/json"); response.Status != http.StatusOK {
		c.t.Fatalf("control %s: %d %s", change, response.Status, response.Body)
	}
}

// TestCredentials checks section 5, and that an export is seen only with the key that made it.
func TestCredentials(t *testing.T) {
	c := connect(t, "--state", "memory", "--profiles", "100")
	userbase, attributes := kindOf("userbase"), kindOf("profiles.attributes")
	made := c.create(userbase, userbase.month())
	lookup := "/1.0/live_demo/export/request/" + made
	view := "/2.7/exports/view?id=" + c.create(attributes, attributes.month())
	cases := []struct {
		name         string
		method, path string
		headers      []string
		status       int
		code         string
	}{
		{"no key", "POST", userbase.path, nil, 401, "AUTHENTICATION_INVALID"},
		{"wrong key", "POST", userbase.path, []string{"X-Authorization", "rest_other"}, 401, "AUTHENTICATION_INVALID"},
		{"empty key", "POST", userbase.path, []string{"X-Authorization", ""}, 401, "AUTHENTICATION_INVALID"},
		{"key in the wrong header", "POST", userbase.path, []string{"Authorization", "Bearer " + companyKey}, 401, "AUTHENTICATION_INVALID"},
		{"unknown application", "POST", "/1.0/other_app/export/userbase", []string{"X-Authorization", companyKey}, 401, "AUTHENTICATION_INVALID"},
		{"dev application", "POST", "/1.0/dev_demo/export/userbase", []string{"X-Authorization", companyKey}, 202, ""},
		{"lookup without key", "GET", lookup, nil, 401, "AUTHENTICATION_INVALID"},
		{"lookup", "GET", lookup, []string{"X-Authorization", companyKey}, 200, ""},
		{"lookup by another application", "GET", strings.Replace(lookup, liveKey, devKey, 1), []string{"X-Authorization", companyKey}, 404,
			"ROUTE_NOT_FOUND"},
		{"lookup of an unknown export", "GET", "/1.0/live_demo/export/request/00000000-0000-4000-8000-000000000000",
			[]string{"X-Authorization", companyKey}, 404, "ROUTE_NOT_FOUND"},
		{"lookup of no identifier", "GET", "/1.0/live_demo/export/request/latest", []string{"X-Authorization", companyKey}, 400,
			"MALFORMED_PARAMETER"},
		{"no token", "POST", attributes.path, []string{"X-Service-Project", project}, 401, "AUTHENTICATION_INVALID"},
		{"no project", "POST", attributes.path, []string{"Authorization", "Bearer " + token}, 401, "AUTHENTICATION_INVALID"},
		{"wrong token", "POST", attributes.path, []string{"Authorization", "Bearer other", "X-Service-Project", project}, 401,
			"AUTHENTICATION_INVALID"},
		{"wrong project", "POST", attributes.path, []string{"Authorization", "Bearer " + token, "X-Service-Project", "project_other"}, 401,
			"AUTHENTICATION_INVALID"},
		{"wrong scheme", "POST", attributes.path, []string{"Authorization", "Basic " + token, "X-Service-Project", project}, 401,
			"AUTHENTICATION_INVALID"},
		{"scheme in lower case", "POST", attributes.path, []string{"Authorization", "bearer " + token, "X-Service-Project", project}, 202, ""},
		{"view without token", "GET", view, []string{"X-Service-Project", project}, 401, "AUTHENTICATION_INVALID"},
		{"view", "GET", view, profileHeaders, 200, ""},
		{"view of an unknown export", "GET", "/2.7/exports/view?id=export_unknown", profileHeaders, 404, "ROUTE_NOT_FOUND"},
		{"view without id", "GET", "/2.7/exports/view", profileHeaders, 400, "MISSING_PARAMETER"},
	}
	for _, test := range cases {
		body := userbase.month()
		if strings.HasPrefix(test.path, "/2.7/") {
			body = attributes.month()
		}
		response := c.send(test.method, test.path, body, append([]string{"Content-Type", "application/json"}, test.headers...)...)
		if response.Status != test.status {
			t.Errorf("%s: status %d, want %d: %s", test.name, response.Status, test.status, response.Body)
		} else if test.code != "" {
			if e := checkNativeError(t, response, strings.HasPrefix(test.path, "/1.0/")); e.name() != test.code {
				t.Errorf("%s: %s, want %s", test.name, e.name(), test.code)
			}
		}
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
				if response := c.send(http.MethodPost, k.path, k.body(at, noon, nil), k.headers()...); response.Status != status {
					t.Errorf("from %v: status %d, want %d", at, response.Status, status)
				}
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

// TestRateOfFilteredExports empties the bucket and moves the clock until it has a token again.
func TestRateOfFilteredExports(t *testing.T) {
	c := connect(t, "--state", "memory", "--profiles", "100")
	k := kindOf("profiles.attributes")
	filtered := k.body(noon, noon, map[string]any{"filter": map[string]any{"segment": "loyal"}})
	ask := func(body string) answer { return c.send(http.MethodPost, k.path, body, k.headers()...) }
	for i := range 10 {
		if response := ask(filtered); response.Status != http.StatusAccepted {
			t.Fatalf("request %d of the burst: %d %s", i+1, response.Status, response.Body)
		}
	}
	refused := ask(filtered)
	if e := checkNativeError(t, refused, false); refused.Status != http.StatusTooManyRequests || e.ErrorCode != "TOO_MANY_REQUESTS" ||
		refused.Header.Get("Retry-After") != "720" {
		t.Errorf("request 11: %d, Retry-After %q: %s", refused.Status, refused.Header.Get("Retry-After"), refused.Body)
	}
	if response := ask(k.month()); response.Status != http.StatusAccepted {
		t.Errorf("without a filter: %d %s", response.Status, response.Body)
	}
	c.advance("11m59s")
	if response := ask(filtered); response.Status != http.StatusTooManyRequests || response.Header.Get("Retry-After") != "1" {
		t.Errorf("after 11:59: %d, Retry-After %q", response.Status, response.Header.Get("Retry-After"))
	}
	c.advance("1s")
	for _, want := range []int{202, 429} {
		if response := ask(filtered); response.Status != want {
			t.Errorf("after 12:00: %d, want %d", response.Status, want)
		}
	}
}
