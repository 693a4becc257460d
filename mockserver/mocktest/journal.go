package mocktest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// patience is how long a wait for requests takes at most, in real time.
const patience = 10 * time.Second

// Entry is one request in the journal: what was asked, what was decided, and
// why. What does not apply to a request is left at its zero value.
type Entry struct {
	Sequence  uint64    `json:"sequence"` // counts requests from 1
	RequestID string    `json:"request_id"`
	Time      time.Time `json:"time"` // by the clock of the mock
	Method    string    `json:"method"`
	Path      string    `json:"path"`
	Query     string    `json:"query"`
	Route     string    `json:"route"` // such as campaign.events, legacy.status, file
	// Key is the application or project key.
	Key         string   `json:"key"`
	Credentials []string `json:"credentials"` // names of headers
	UserAgent   string   `json:"user_agent"`
	Body        string   `json:"body"` // its beginning
	// Status is the HTTP status; 0 when the connection was ended without one.
	Status int `json:"status"`
	// ErrorName, ErrorCode and ErrorMessage are those of a refusal.
	ErrorName, ErrorMessage string
	ErrorCode               int
	// RetryAfter is the header of the answer, in seconds.
	RetryAfter int `json:"retry_after_seconds"`
	// Scenarios had a part in the answer.
	Scenarios []string
	Kind      string `json:"kind"`   // of the export
	Export    string `json:"export"` // its identifier
	// ExportStatus and Parts are what a lookup answered.
	ExportStatus string `json:"export_status"`
	Parts        int    `json:"parts"`
	Part         int    `json:"part"` // that was downloaded
	Broken       bool   `json:"broken"`
	Bytes        int64  `json:"response_bytes"`
	// Reason says in a sentence what was decided and why.
	Reason string `json:"reason"`
}

// String is the entry in a line.
func (e Entry) String() string {
	return fmt.Sprintf("%d. %s %s: %d, %s", e.Sequence, e.Method, e.Path, e.Status, e.Reason)
}

// Filter chooses requests: those for which everything holds that is set.
type Filter struct {
	// Route is the name of a route: a kind of export for its creation, profiles.create, legacy.status, profiles.view, profiles.list,
	// profiles.download or file; "none" for requests that no route fits.
	Route string
	// Key is an application or project key.
	Key string
	// Status is a status such as "202", or a class such as "4xx".
	Status string
	// Method is an HTTP method.
	Method string
	// Path is a path without its query; with a star at its end, the beginning of one.
	Path string
	// Export is the identifier of an export, Kind the kind of one.
	Export, Kind string
	// Error is the name of an error, such as MALFORMED_PARAMETER.
	Error string
	// Since is the sequence of a request: only those after it.
	Since uint64
}

func (f Filter) query(more ...string) string {
	since := ""
	if f.Since > 0 {
		since = strconv.FormatUint(f.Since, 10)
	}
	return query(append(more, "route", f.Route, "key", f.Key, "status", f.Status, "method", f.Method, "path", f.Path,
		"export", f.Export, "kind", f.Kind, "error", f.Error, "since", since)...)
}

// String lists what is set.
func (f Filter) String() string {
	text := strings.TrimPrefix(f.query(), "?")
	if text == "" {
		return "any request"
	}
	return "requests with " + strings.ReplaceAll(text, "&", " and ")
}

// Journal is what clients asked of a mock. Requests to the paths under /_mock/ are not in it.
type Journal struct {
	mock *Mock
}

// Journal is the journal of the mock.
func (m *Mock) Journal() Journal { return Journal{m} }

// Entries are the requests that the filter chooses, in the order in which they were answered.
func (j Journal) Entries(filter Filter) []Entry {
	j.mock.t.Helper()
	var page struct {
		Requests []struct {
			Entry
			Error *struct {
				Name, Message string
				Code          int
			}
			Applied []struct{ Scenario string }
		}
	}
	j.mock.control("GET", "/_mock/journal"+filter.query("limit", "0"), nil, &page)
	entries := make([]Entry, len(page.Requests))
	for i, request := range page.Requests {
		entries[i] = request.Entry
		if request.Error != nil {
			entries[i].ErrorName, entries[i].ErrorCode, entries[i].ErrorMessage = request.Error.Name, request.Error.Code, request.Error.Message
		}
		for _, applied := range request.Applied {
			entries[i].Scenarios = append(entries[i].Scenarios, applied.Scenario)
		}
	}
	return entries
}

// Wait waits until the filter chooses at least count requests, and returns them. The test ends when they do not come within ten seconds.
func (j Journal) Wait(filter Filter, count int) []Entry {
	j.mock.t.Helper()
	var result struct {
		Count     int
		Satisfied bool
	}
	j.mock.control("GET", "/_mock/journal/wait"+filter.query("count", strconv.Itoa(count), "timeout", patience.String()), nil, &result)
	if !result.Satisfied {
		j.mock.t.Fatalf("mocktest: waited for %d %s; after %s there were %d%s", count, filter, patience, result.Count, j.listing())
	}
	return j.Entries(filter)
}

// Clear forgets the requests that the filter chooses.
func (j Journal) Clear(filter Filter) {
	j.mock.t.Helper()
	j.mock.control("DELETE", "/_mock/journal"+filter.query(), nil, nil)
}

// Expect begins a check of how often the filter chooses a request. It checks nothing yet.
func (j Journal) Expect(filter Filter) Expectation { return Expectation{j, filter} }

// Expectation checks how often requests came. A check that fails tells all that came, and lets the test go on.
type Expectation struct {
	journal Journal
	filter  Filter
}

// Times fails the test unless there were exactly this number. It returns them.
func (e Expectation) Times(count int) []Entry {
	e.journal.mock.t.Helper()
	return e.check(fmt.Sprint(count), func(found int) bool { return found == count })
}

// Once fails the test unless there was exactly one.
func (e Expectation) Once() []Entry {
	e.journal.mock.t.Helper()
	return e.Times(1)
}

// Never fails the test if there was one.
func (e Expectation) Never() {
	e.journal.mock.t.Helper()
	e.Times(0)
}

// AtLeast fails the test if there were fewer. It returns them.
func (e Expectation) AtLeast(count int) []Entry {
	e.journal.mock.t.Helper()
	return e.check(fmt.Sprint("at least ", count), func(found int) bool { return found >= count })
}

func (e Expectation) check(want string, good func(int) bool) []Entry {
	e.journal.mock.t.Helper()
	entries := e.journal.Entries(e.filter)
	if !good(len(entries)) {
		e.journal.mock.t.Errorf("mocktest: found %d %s, want %s%s", len(entries), e.filter, want, e.journal.listing())
	}
	return entries
}

// listing shows the last requests, for messages.
func (j Journal) listing() string {
	const most = 20
	j.mock.t.Helper()
	all := j.Entries(Filter{})
	if len(all) == 0 {
		return "; the mock was asked nothing"
	}
	var text strings.Builder
	text.WriteString("; the mock was asked:")
	if len(all) > most {
		fmt.Fprintf(&text, "\n  (%d more)", len(all)-most)
		all = all[len(all)-most:]
	}
	for _, entry := range all {
		text.WriteString("\n  " + entry.String())
	}
	return text.String()
}
