package mocktest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
)

// create makes an export as a client does, and returns its status and body.
func create(t *testing.T, client *http.Client, base string) (int, string) {
	t.Helper()
	return do(t, client, "POST", base+"/1.0/live_demo/export/userbase", `{"ids":["install_id"]}`)
}

func do(t *testing.T, client *http.Client, method, address, body string) (int, string) {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body)))(t)
	if !strings.Contains(address, "/files/") {
		r.Header.Set("X-Authorization", mocktest.CompanyKey)
	}
	r.Header.Set("Content-Type", "application/json")
	response := must.Get(client.Do(r))(t)
	defer response.Body.Close()
	text := must.Get(io.ReadAll(response.Body))(t)
	return response.StatusCode, string(text)
}

// follow polls a legacy export to its end, downloads it, and returns the rows.
func follow(t *testing.T, client *http.Client, base string, between func()) string {
	t.Helper()
	status, body := create(t, client, base)
	var made struct{ RequestID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil || status != 202 {
		t.Fatalf("creating: %d %s", status, body)
	}
	for range 10 {
		_, body := do(t, client, "GET", base+"/1.0/live_demo/export/request/"+made.RequestID, "")
		var record struct {
			Status  string
			FileURL string `json:"file_url"`
		}
		must.Do(t, json.Unmarshal([]byte(body), &record))
		if record.Status == "SUCCESS" {
			_, file := do(t, client, "GET", record.FileURL, "")
			return file
		}
		between()
	}
	t.Fatal("the export does not end")
	return ""
}

// TestBothWays: a client sees the same over a socket and without one.
func TestBothWays(t *testing.T) {
	t.Parallel()
	mock := mocktest.Start(t, mocktest.Options{Now: noon, Lints: mocktest.FailOnWarnings})
	wait := func() { mock.Clock().Advance(time.Second) }
	inside := follow(t, mock.Client(), mocktest.Base, wait)
	mock.Clock().Set(noon)
	outside := follow(t, http.DefaultClient, mock.URL(), wait)
	if inside != outside || !strings.HasPrefix(inside, "install_id;is_optin_push") || strings.Count(inside, "\n") < 100 {
		t.Errorf("got %d and %d bytes: %.100s", len(inside), len(outside), inside)
	}
	if first, second := mock.URL(), mock.URL(); first != second {
		t.Errorf("every call listens anew: %s, then %s", first, second)
	}
	// Without a network, the client reaches the listening one as well.
	if status, _ := create(t, mock.Client(), mock.URL()); status != 202 {
		t.Errorf("answered %d", status)
	}
	mock.Allow("final_state_never_read")
	mock.Journal().Expect(mocktest.Filter{Route: "userbase", Status: "2xx"}).Times(3)
	mock.Journal().Expect(mocktest.Filter{Route: "legacy.status"}).Times(6)
	mock.Journal().Expect(mocktest.Filter{Route: "file", Status: "200"}).Times(2)
}

// TestManyMocks: each is a world of its own.
func TestManyMocks(t *testing.T) {
	t.Parallel()
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			mock := mocktest.Start(t, mocktest.Options{Lints: mocktest.Ignore, Now: noon.AddDate(0, 0, i)})
			for range i {
				create(t, mock.Client(), mocktest.Base)
			}
			mock.Journal().Expect(mocktest.Filter{}).Times(i)
			if now := mock.Clock().Now(); !now.Equal(noon.AddDate(0, 0, i)) {
				t.Errorf("the clock shows %s", now)
			}
		})
	}
}

func TestClocks(t *testing.T) {
	t.Parallel()
	mock := mocktest.Start(t, mocktest.Options{Now: noon})
	clock, own := mock.Clock(), mock.KeyClock("dev_demo")
	own.Advance(time.Hour)
	clock.Advance(90 * time.Minute)
	must.Do(t, clock.Sleep(t.Context(), 1500*time.Microsecond))
	if now := clock.Now(); !now.Equal(noon.Add(90*time.Minute + 1500*time.Microsecond)) {
		t.Errorf("the clock shows %s", now)
	}
	if now := own.Now(); !now.Equal(noon.Add(time.Hour)) {
		t.Errorf("the clock of the key shows %s", now)
	}
	clock.Set(noon)
	clock.Run(1_000_000)
	clock.Freeze()
	if now := clock.Now(); now.Before(noon) || !now.Equal(clock.Now()) {
		t.Errorf("the clock shows %s, then %s", now, clock.Now())
	}
	mock.Reset()
	if now := clock.Now(); now.Before(noon) || now.After(noon.Add(time.Minute)) {
		t.Errorf("after a reset the clock shows %s", now)
	}
}

// TestScenarios: those of the options, those that are set, and those that are used up.
func TestScenarios(t *testing.T) {
	t.Parallel()
	mock := mocktest.Start(t, mocktest.Options{Now: noon, Lints: mocktest.Ignore, Scenarios: []mocktest.Scenario{
		{Scenario: "error=MAINTENANCE_ERROR;retry-after=7s", Times: 1, Match: mocktest.Match{Stage: "create"}},
	}})
	statuses := func() string {
		first, _ := create(t, mock.Client(), mocktest.Base)
		second, _ := create(t, mock.Client(), mocktest.Base)
		return fmt.Sprint(first, second)
	}
	must.Equal(t, statuses(), "503 202", "statuses of the options")
	id := mock.Set(mocktest.Scenario{Scenario: "error=CONFLICT"})
	must.Equal(t, statuses(), "409 409", "statuses when set")
	mock.Unset(id)
	mock.Set(mocktest.Scenario{Scenario: "error=SERVER_ERROR", Match: mocktest.Match{Kind: "userbase", Key: "live_demo"}})
	mock.Unset()
	must.Equal(t, statuses(), "202 202", "statuses when unset")
	refused := mock.Journal().Expect(mocktest.Filter{Status: "503"}).Once()
	if entry := refused[0]; entry.ErrorName != "MAINTENANCE_ERROR" || entry.ErrorCode != 2 || entry.RetryAfter != 7 ||
		len(entry.Scenarios) != 1 || entry.Key != "live_demo" {
		t.Errorf("the entry is %+v", entry)
	}
}

// TestExports: every kind can be made and read without a word of HTTP, and nothing that this does is found fault with.
func TestExports(t *testing.T) {
	t.Parallel()
	mock := mocktest.Start(t, mocktest.Options{Now: noon, Lints: mocktest.FailOnWarnings, Server: mockserver.Options{PartSize: 20_000, RefuseAuthorization: true}})
	for _, kind := range []string{"campaign.ids", "campaign.events", "transactional.ids", "transactional.events",
		"in-app-campaign.ids", "in-app-campaign.events", "reachability.events", "userbase"} {
		export := mock.Create(kind, mocktest.ExportOptions{From: noon.AddDate(0, 0, -90)})
		must.Equal(t, export.Status(), "CREATED", "the status of %s", kind)
		rows := export.Rows()
		must.Hold(t, len(rows) != 0 && rows[0]["install_id"] != "", "%s has %d rows", kind, len(rows))
	}
	for _, kind := range []string{"profiles.attributes", "profiles.events", "profiles.reachability"} {
		export := mock.Create(kind, mocktest.ExportOptions{From: noon.AddDate(0, 0, -90)})
		var rows []struct{ Identifiers map[string]any }
		export.Decode(&rows)
		must.Hold(t, len(rows) != 0 && rows[0].Identifiers["profile_id"] != "", "%s has %d rows", kind, len(rows))
	}
	rows := mock.Create("campaign.events", mocktest.ExportOptions{
		Key: mocktest.DevKey, Target: "welcome", IDs: []string{"custom_id"}, Events: []string{"push_open"}, From: noon.AddDate(0, 0, -30),
		To: noon.AddDate(0, 0, -1), Scenario: "rows=3",
	}).Rows()
	if len(rows) > 3 || len(rows) > 0 && (rows[0]["event_type"] != "push_opened" || len(rows[0]) != 3) {
		t.Errorf("got %v", rows)
	}
	segment := mock.Create("profiles.attributes", mocktest.ExportOptions{Segment: "loyal", Attributes: []string{"$language"},
		Identifiers: []string{"custom_id"}})
	if parts := segment.Download(); len(parts) == 0 || !strings.HasPrefix(string(parts[0]), "[") {
		t.Errorf("a segment: %.50q", parts)
	}
	failing := mock.Create("userbase", mocktest.ExportOptions{Scenario: "progress=manual;rows=1"})
	failing.Step()
	must.Equal(t, failing.Status(), "PENDING", "the status after a step")
	failing.Fail("the disk is full")
	must.Equal(t, failing.Status(), "ERROR", "the status after a failure")
	mock.Allow("final_state_never_read")
}

// TestState: a snapshot brings back what a reset took.
func TestState(t *testing.T) {
	t.Parallel()
	mock := mocktest.Start(t, mocktest.Options{Now: noon, Lints: mocktest.Ignore})
	export := mock.Create("userbase", mocktest.ExportOptions{})
	export.Finish()
	before := mock.Snapshot()
	mock.Reset()
	result := inside(func(t mocktest.T) {
		other := mocktest.Start(t, mocktest.Options{Now: noon, Lints: mocktest.Ignore})
		other.Restore(before)
		if now := other.Clock().Now(); !now.Equal(noon) {
			t.Errorf("the clock shows %s", now)
		}
		other.Restore([]byte(`{"version":1,"exports":[{}]}`))
	})
	failed(t, result, "id is missing")
	mock.Restore(before)
	must.Equal(t, export.Status(), "SUCCESS", "the export")
}

func TestOwnData(t *testing.T) {
	t.Parallel()
	mock := mocktest.Start(t, mocktest.Options{
		Now: noon, Server: mockserver.Options{DataMode: "only", Data: fstest.MapFS{"installations.json": {Data: []byte(`[{"install_id":"phone-1","custom_id":"ada"}]`)}}},
	})
	mock.Load("installations", map[string]any{"install_id": "phone-2", "custom_id": "bob"})
	var users []string
	for _, row := range mock.Create("userbase", mocktest.ExportOptions{}).Rows() {
		users = append(users, row["custom_id"])
	}
	must.Equal(t, strings.Join(users, " "), "ada bob", "the users")
	failed(t, inside(func(t mocktest.T) {
		mocktest.Start(t, mocktest.Options{Now: noon}).Load("installations", map[string]any{"install": "phone-2"})
	}), "install")
}

// TestMistakes: what a test asks for and cannot have ends it, with a reason.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for says, test := range map[string]func(t mocktest.T){
		`progress "later"`: func(t mocktest.T) {
			mocktest.Start(t, mocktest.Options{Now: noon, Server: mockserver.Options{Progress: "later"}})
		},
		"schema file": func(t mocktest.T) {
			mocktest.Start(t, mocktest.Options{Now: noon, Server: mockserver.Options{Schemas: fstest.MapFS{"x.json": {Data: []byte("{")}}}})
		},
		"starting instant": func(t mocktest.T) { mocktest.Start(t, mocktest.Options{Now: noon.AddDate(-100, 0, 0)}) },
		`the key "x" is not known`: func(t mocktest.T) {
			mocktest.Start(t, mocktest.Options{Now: noon, Scenarios: []mocktest.Scenario{{Scenario: "x=1"}}})
		},
		"the kinds are campaign.ids": func(t mocktest.T) {
			mocktest.Start(t, mocktest.Options{Now: noon}).Create("userbases", mocktest.ExportOptions{})
		},
		"older than the lookback": func(t mocktest.T) {
			mocktest.Start(t, mocktest.Options{Now: noon}).Create("profiles.events", mocktest.ExportOptions{From: noon.AddDate(-2, 0, 0)})
		},
		"AUTHENTICATION_INVALID": func(t mocktest.T) {
			mocktest.Start(t, mocktest.Options{Now: noon}).Create("userbase", mocktest.ExportOptions{Key: "nobody"})
		},
		"has no file: gone": func(t mocktest.T) {
			export := mocktest.Start(t, mocktest.Options{Now: noon}).Create("userbase", mocktest.ExportOptions{})
			export.Fail("gone")
			export.Download()
		},
		"status": func(t mocktest.T) {
			mocktest.Start(t, mocktest.Options{Now: noon}).Journal().Entries(mocktest.Filter{Status: "600"})
		},
	} {
		failed(t, inside(test), says)
	}
}

// TestEndedMock: a client that outlives its test is told so.
func TestEndedMock(t *testing.T) {
	t.Parallel()
	var client *http.Client
	failed(t, inside(func(t mocktest.T) {
		mock := mocktest.Start(t, mocktest.Options{Now: noon})
		client = mock.Client()
		mock.URL() // listens
	}))
	if _, err := client.Get(mocktest.Base); err == nil || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("got %v", err)
	}
	if _, err := client.Get("https://example.com/"); err == nil || !strings.Contains(err.Error(), "reaches the mock only") {
		t.Errorf("got %v", err)
	}
	if _, err := client.Get("ftp://mock.test/"); err == nil || !strings.Contains(err.Error(), "http or https") {
		t.Errorf("got %v", err)
	}
}

// TestResetIsTheBeginning: the clock stands still again, at what the options say, and their scenarios are set.
func TestResetIsTheBeginning(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	mock := mocktest.Start(t, mocktest.Options{Now: now, Lints: mocktest.Ignore,
		Scenarios: []mocktest.Scenario{{Scenario: "error=MAINTENANCE_ERROR"}}})
	mock.Clock().Advance(time.Hour)
	mock.Unset()
	mock.Reset()
	if shown := mock.Clock().Now(); !shown.Equal(now) {
		t.Errorf("the clock shows %s", shown)
	}
	if status, body := create(t, mock.Client(), mocktest.Base); status != 503 {
		t.Errorf("%d %s", status, body)
	}
}

// TestOwnExportsAreNotTheClients: what the test prepared and nobody fetched is no fault of the client; what the client does with it is.
func TestOwnExportsAreNotTheClients(t *testing.T) {
	t.Parallel()
	mock := mocktest.Start(t, mocktest.Options{Now: noon, Lints: mocktest.FailOnWarnings})
	mock.Create("userbase", mocktest.ExportOptions{})
	mock.Create("campaign.events", mocktest.ExportOptions{From: mock.Clock().Now().AddDate(-1, 0, 0)})
	if found := mock.Findings(); len(found) != 0 {
		t.Errorf("found %v", found)
	}
	other := mocktest.Start(t, mocktest.Options{Now: noon, Lints: mocktest.Ignore})
	left := other.Create("userbase", mocktest.ExportOptions{})
	if found := other.Findings(); len(found) != 0 {
		t.Errorf("found %v", found)
	}
	do(t, other.Client(), "GET", mocktest.Base+"/1.0/live_demo/export/request/"+left.ID, "")
	if found := other.Findings(); len(found) != 1 || found[0].Code != "final_state_never_read" || found[0].Export != left.ID {
		t.Errorf("found %v", found)
	}
}

// TestKeyData: a key shows its own rows alone when it is told to, and after a reset what all keys show.
func TestKeyData(t *testing.T) {
	t.Parallel()
	mock := mocktest.Start(t, mocktest.Options{Now: noon, Server: mockserver.Options{Profiles: 50}})
	data := mock.KeyData(mocktest.DevKey)
	rows := func(key string) int { return len(mock.Create("userbase", mocktest.ExportOptions{Key: key}).Rows()) }
	all := rows(mocktest.DevKey)
	data.Load("installations", map[string]any{"install_id": "phone-1"})
	data.Show("only")
	if dev, live := rows(mocktest.DevKey), rows(mocktest.LiveKey); dev != 1 || live != all {
		t.Errorf("the key shows %d rows, want its own; the other shows %d, want %d", dev, live, all)
	}
	data.Reset()
	if dev := rows(mocktest.DevKey); dev != all {
		t.Errorf("after a reset the key shows %d rows, want %d", dev, all)
	}
}
