package mocktest

import (
	"encoding/json"
	"net/url"
	"time"
)

// Scenario makes something happen that would otherwise be rare.
type Scenario struct {
	// Scenario are the parts, joined by semicolons, as in the header X-Mock-Scenario: "error=MAINTENANCE_ERROR;retry-after=5s",
	// "outcome=error", "rows=0", "latency=200ms", "file.cut=1000" and many more, see docs/reference/scenarios.md.
	Scenario string `json:"scenario"`
	// Match says for which requests it is; the zero value matches all.
	Match Match `json:"match,omitzero"`
	// Times is for how many requests it is; 0 means all until it is deleted.
	Times int `json:"times,omitempty"`
	// From and To limit when it is in force, by the clock of the mock.
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
}

// Match chooses requests: those that have everything that is set.
type Match struct {
	// Method is GET, HEAD or POST.
	Method string `json:"method,omitempty"`
	// Path is a path without its query, in which * stands for any text.
	Path string `json:"path,omitempty"`
	// Stage is create, status, list, download or file.
	Stage string `json:"stage,omitempty"`
	// Kind is a kind of export, such as campaign.events.
	Kind string `json:"kind,omitempty"`
	// Key is an application or project key.
	Key string `json:"key,omitempty"`
	// Target is the campaign token, group identifier or segment code.
	Target string `json:"target,omitempty"`
}

// Set sets a scenario for requests to come, and returns its identifier.
func (m *Mock) Set(scenario Scenario) string {
	m.t.Helper()
	var made struct{ ID string }
	m.control("POST", "/_mock/scenarios", scenario, &made)
	return made.ID
}

// Unset deletes a scenario, or all when no identifier is given.
func (m *Mock) Unset(identifiers ...string) {
	m.t.Helper()
	if len(identifiers) == 0 {
		m.control("DELETE", "/_mock/scenarios", nil, nil)
	}
	for _, id := range identifiers {
		m.control("DELETE", "/_mock/scenarios/"+url.PathEscape(id), nil, nil)
	}
}

// Snapshot is the whole state of the mock, for [Mock.Restore].
func (m *Mock) Snapshot() []byte {
	m.t.Helper()
	var state json.RawMessage
	m.control("GET", "/_mock/state", nil, &state)
	return state
}

// Restore puts a snapshot in the place of the state. The journal stays.
func (m *Mock) Restore(snapshot []byte) {
	m.t.Helper()
	m.control("PUT", "/_mock/state", json.RawMessage(snapshot), nil)
}

// Reset empties the state: exports, scenarios, rate limits, clocks and loaded
// data are those of a new mock with the same Options. The journal stays.
func (m *Mock) Reset() {
	m.t.Helper()
	m.control("DELETE", "/_mock/state", nil, nil)
	m.begin()
}
