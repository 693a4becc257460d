package mocktest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
)

// The tests below look like those of a program that fetches exports. In a real one, t is the *testing.T of the test; here it prints.

func Example() {
	run(func(t mocktest.T) {
		mock := mocktest.Start(t, mocktest.Options{Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)})
		client := Client{Base: mocktest.Base, HTTP: mock.Client(), Sleep: mock.Clock().Sleep}

		status, err := client.Userbase(context.Background())
		fmt.Println(status, err)

		mock.Journal().Expect(mocktest.Filter{Route: "userbase", Status: "202"}).Once()
		mock.Journal().Expect(mocktest.Filter{Route: "legacy.status"}).Times(3)
		fmt.Println("the client took", mock.Clock().Now().Sub(time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)))
	})
	// Output:
	// SUCCESS <nil>
	// the client took 4s
}

// The service is down for a moment. A client that comes back before the time that Retry-After names fails the test.
func ExampleMock_Set() {
	run(func(t mocktest.T) {
		mock := mocktest.Start(t, mocktest.Options{Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)})
		mock.Set(mocktest.Scenario{Scenario: "error=MAINTENANCE_ERROR;retry-after=30s", Times: 1, Match: mocktest.Match{Stage: "create"}})
		client := Client{Base: mocktest.Base, HTTP: mock.Client(), Sleep: mock.Clock().Sleep}

		client.Userbase(context.Background()) // is refused
		_, err := client.Userbase(context.Background())
		fmt.Println(err)
	})
	// Output:
	// <nil>
	// the test fails: mocktest: the client: error: retry_after_ignored: POST /1.0/live_demo/export/userbase was sent again 0s after an answer 503 with Retry-After: 30 (requests [2])
}

// Months pass without waiting.
func ExampleClock_Advance() {
	run(func(t mocktest.T) {
		mock := mocktest.Start(t, mocktest.Options{Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC), Server: mockserver.Options{Progress: "time:2h"}})
		export := mock.Create("campaign.events", mocktest.ExportOptions{})
		fmt.Println(export.Status())
		mock.Clock().Advance(time.Hour)
		fmt.Println(export.Status())
		mock.Clock().Advance(time.Hour)
		fmt.Println(export.Status())
	})
	// Output:
	// CREATED
	// PENDING
	// SUCCESS
}

// Tests that share a mock give each key a clock of its own.
func ExampleMock_KeyClock() {
	run(func(t mocktest.T) {
		mock := mocktest.Start(t, mocktest.Options{Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)})
		mock.KeyClock(mocktest.DevKey).Advance(24 * time.Hour)
		fmt.Println(mock.Clock().Now().Format(time.DateOnly), mock.KeyClock(mocktest.DevKey).Now().Format(time.DateOnly))
	})
	// Output: 2026-03-15 2026-03-16
}

// A file of one's own people, without a word of HTTP.
func ExampleMock_Load() {
	run(func(t mocktest.T) {
		mock := mocktest.Start(t, mocktest.Options{Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC), Server: mockserver.Options{DataMode: "only"}})
		mock.Load("installations",
			map[string]any{"install_id": "phone-1", "custom_id": "ada"},
			map[string]any{"install_id": "phone-2", "custom_id": "grace"})
		for _, row := range mock.Create("userbase", mocktest.ExportOptions{}).Rows() {
			fmt.Println(row["install_id"], row["custom_id"])
		}
	})
	// Output:
	// phone-1 ada
	// phone-2 grace
}

// Tests that share a mock give each key a dataset of its own.
func ExampleMock_KeyData() {
	run(func(t mocktest.T) {
		mock := mocktest.Start(t, mocktest.Options{Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC), Server: mockserver.Options{DataMode: "only"}})
		mock.Load("installations", map[string]any{"install_id": "phone-of-all"})
		mock.KeyData(mocktest.DevKey).Load("installations", map[string]any{"install_id": "phone-of-dev"})
		for _, key := range []string{mocktest.LiveKey, mocktest.DevKey} {
			for _, row := range mock.Create("userbase", mocktest.ExportOptions{Key: key}).Rows() {
				fmt.Println(key, row["install_id"])
			}
		}
	})
	// Output:
	// live_demo phone-of-all
	// dev_demo phone-of-dev
}

// What a client did wrong is known before the test ends.
func ExampleMock_Findings() {
	run(func(t mocktest.T) {
		mock := mocktest.Start(t, mocktest.Options{Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)})
		impatient := Client{mocktest.Base, mock.Client(), func(context.Context, time.Duration) error { return errors.New("gave up") }}
		_, _ = impatient.Userbase(context.Background()) // looks once
		for _, finding := range mock.Findings() {
			fmt.Println(finding.Severity, finding.Code)
			fmt.Println(finding.Advice)
		}
	})
	// Output:
	// warning final_state_never_read
	// look the export up until its status is SUCCESS or ERROR, and treat both as the end
}

// Client is the program under test.
type Client struct {
	Base  string
	HTTP  *http.Client
	Sleep func(context.Context, time.Duration) error
}

// Userbase asks for an export, waits for its end, and downloads it.
func (c Client) Userbase(ctx context.Context) (status string, err error) {
	var created struct {
		RequestID string `json:"requestId"`
		Type      string
	}
	if err := c.call(ctx, "POST", "/1.0/live_demo/export/userbase", `{"ids":["install_id"]}`, &created); err != nil || created.Type != "" {
		return created.Type, err
	}
	for {
		var record struct {
			Status  string
			FileURL string `json:"file_url"`
		}
		if err := c.call(ctx, "GET", "/1.0/live_demo/export/request/"+created.RequestID, "", &record); err != nil {
			return "", err
		}
		if record.Status == "SUCCESS" {
			response, err := c.HTTP.Get(record.FileURL)
			if err != nil {
				return "", err
			}
			defer response.Body.Close()
			_, err = io.Copy(io.Discard, response.Body)
			return record.Status, err
		}
		if err := c.Sleep(ctx, 2*time.Second); err != nil {
			return "", err
		}
	}
}

func (c Client) call(ctx context.Context, method, path, body string, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, c.Base+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("X-Authorization", "rest_demo")
	r.Header.Set("Content-Type", "application/json")
	response, err := c.HTTP.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(into)
}

// run is a test that prints the first line of what would fail it.
func run(test func(t mocktest.T)) {
	result := inside(test)
	for _, text := range append(result.errors, result.fatals...) {
		line, _, _ := strings.Cut(text, "\n")
		fmt.Println("the test fails:", line)
	}
}
