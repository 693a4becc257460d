package mocktest_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
)

// TestExpectations: a check that fails says what came, and lets the test go on.
func TestExpectations(t *testing.T) {
	t.Parallel()
	result := inside(func(inner mocktest.T) {
		mock := mocktest.Start(inner, mocktest.Options{Now: noon, Lints: mocktest.Ignore})
		any := mock.Journal().Expect(mocktest.Filter{})
		any.Never()
		any.AtLeast(0)
		any.Once() // fails: nothing came
		for range 30 {
			create(t, mock.Client(), mocktest.Base)
		}
		created := mock.Journal().Expect(mocktest.Filter{Route: "userbase", Status: "202"})
		if entries := created.Times(30); len(entries) != 30 || entries[29].Sequence != 30 || entries[0].Body != `{"ids":["install_id"]}` {
			t.Errorf("got %+v", entries)
		}
		created.AtLeast(30)
		created.AtLeast(31) // fails
		created.Never()     // fails
		mock.Journal().Expect(mocktest.Filter{Error: "CONFLICT", Since: 3}).Once()
		mock.Journal().Clear(mocktest.Filter{Status: "2xx"})
		any.Never()
	})
	failed(t, result,
		"found 0 any request, want 1; the mock was asked nothing",
		"found 30 requests with route=userbase and status=202, want at least 31; the mock was asked:\n  (10 more)\n  11. POST /1.0/live_demo/export/userbase: 202, the export was created",
		"want 0", "found 0 requests with error=CONFLICT and since=3, want 1")
}

// TestWait: for a request of a client that runs beside the test.
func TestWait(t *testing.T) {
	t.Parallel()
	mock := mocktest.Start(t, mocktest.Options{Now: noon, Lints: mocktest.Ignore})
	var creating sync.WaitGroup
	defer creating.Wait() // a request that outlives its test fails it
	creating.Go(func() { create(t, mock.Client(), mocktest.Base) })
	if entries := mock.Journal().Wait(mocktest.Filter{Kind: "userbase"}, 1); len(entries) != 1 || entries[0].Export == "" {
		t.Errorf("got %+v", entries)
	}
}

// badly is a client that downloads with its credentials, and gives another export up.
func badly(t *testing.T, mock *mocktest.Mock) {
	t.Helper()
	export := mock.Create("userbase", mocktest.ExportOptions{})
	export.Finish()
	_, record := do(t, mock.Client(), "GET", mocktest.Base+"/1.0/live_demo/export/request/"+export.ID, "")
	_, link, _ := strings.Cut(record, `"file_url":"`)
	link, _, _ = strings.Cut(link, `"`)
	mock.Clock().Advance(21 * time.Minute)
	do(t, mock.Client(), "GET", link, "")
	do(t, mock.Client(), "POST", mocktest.Base+"/1.0/live_demo/export/userbase", `{"ids":["custom_id"]}`)
}

func TestLints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about   string
		options mocktest.Options
		errors  string
		logs    string
	}{
		{"the default", mocktest.Options{Now: noon}, "dead_link_used", "file_never_downloaded final_state_never_read"},
		{"strictly", mocktest.Options{Now: noon, Lints: mocktest.FailOnWarnings}, "dead_link_used file_never_downloaded final_state_never_read",
			""},
		{"leniently", mocktest.Options{Now: noon, Lints: mocktest.Log}, "", "dead_link_used file_never_downloaded final_state_never_read"},
		{"not at all", mocktest.Options{Now: noon, Lints: mocktest.Ignore}, "", ""},
		{"with permission", mocktest.Options{Now: noon, Allow: []string{"dead_link_used", "final_state_never_read"}}, "",
			"file_never_downloaded"},
	} {
		c.options.Now = noon
		result := inside(func(inner mocktest.T) { badly(t, mocktest.Start(inner, c.options)) })
		codes := func(texts []string) string {
			var list []string
			for _, text := range texts {
				_, text, _ = strings.Cut(text, "the client: ")
				list = append(list, strings.Split(text, ": ")[1])
				must.Hold(t, strings.Contains(text, "rule: section") && strings.Contains(text, "instead: "), "not explained: %s", text)
			}
			return strings.Join(list, " ")
		}
		if got := codes(result.errors); got != c.errors || len(result.fatals) > 0 {
			t.Errorf("%s: failed with %s %q, want %s", c.about, got, result.fatals, c.errors)
		}
		must.Equal(t, codes(result.logs), c.logs, "%s: logged", c.about)
	}
}

// TestPollInterval: what counts as too fast.
func TestPollInterval(t *testing.T) {
	t.Parallel()
	for interval, want := range map[time.Duration]int{0: 1, 100 * time.Millisecond: 0, 2 * time.Second: 1, -1: 0} {
		mock := mocktest.Start(t, mocktest.Options{Now: noon, PollInterval: interval, Lints: mocktest.Log})
		follow(t, mock.Client(), mocktest.Base, func() { mock.Clock().Advance(500 * time.Millisecond) })
		if findings := mock.Findings(); len(findings) != want || want == 1 &&
			(findings[0].Code != "polled_too_fast" || findings[0].Key != "live_demo") {
			t.Errorf("%s: %v", interval, findings)
		}
	}
}
