package mocktest

import (
	"fmt"
	"slices"
	"strconv"
)

// Finding is something that a client does and should not, as it can be seen from its requests.
type Finding struct {
	// Code names it, such as polled_too_fast or download_abandoned; docs/reference/lints.md lists all of them.
	Code string `json:"code"`
	// Severity is "error" for what loses data or what the specification rules out, "warning" for what costs time, requests or surprises.
	Severity string `json:"severity"`
	// Rule is what the specification says, Advice what to do instead, Message what happened.
	Rule    string `json:"rule"`
	Advice  string `json:"advice"`
	Message string `json:"message"`
	// Key is that of the client, Export the export that it is about.
	Key    string `json:"key"`
	Export string `json:"export"`
	// Count is how often it happened, Requests the sequences in the journal.
	Count    int      `json:"count"`
	Requests []uint64 `json:"requests"`
}

// String explains the finding.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s: %s (requests %v)\n  rule: %s\n  instead: %s", f.Severity, f.Code, f.Message, f.Requests, f.Rule, f.Advice)
}

// Findings judges clients by all that they asked so far, but for codes that are allowed, and for what the test itself did with
// [Mock.Create]. Time is that of the clock of the mock.
func (m *Mock) Findings() []Finding {
	m.t.Helper()
	interval := ""
	switch {
	case m.options.PollInterval > 0:
		interval = strconv.FormatFloat(m.options.PollInterval.Seconds(), 'f', 6, 64) + "s"
	case m.options.PollInterval < 0:
		interval = "0s"
	}
	var page struct{ Lints []Finding }
	m.control("GET", "/_mock/lints"+query("poll_interval", interval), nil, &page)
	byTest := m.requestsOfTest(page.Lints)
	m.lock.Lock()
	defer m.lock.Unlock()
	return slices.DeleteFunc(page.Lints, func(f Finding) bool {
		byOthers := slices.ContainsFunc(f.Requests, func(request uint64) bool { return !byTest[request] })
		return slices.Contains(m.allowed, f.Code) || !byOthers
	})
}

// requestsOfTest are the requests that the test itself sent.
func (m *Mock) requestsOfTest(findings []Finding) map[uint64]bool {
	m.t.Helper()
	byTest := map[uint64]bool{}
	if len(findings) == 0 {
		return byTest
	}
	for _, entry := range m.Journal().Entries(Filter{}) {
		byTest[entry.Sequence] = entry.UserAgent == ownAgent
	}
	return byTest
}

// Allow lets the client do what has these codes: the test provokes it.
func (m *Mock) Allow(codes ...string) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.allowed = append(m.allowed, codes...)
}

// reportLints says what was found when the test ends.
func (m *Mock) reportLints() {
	m.t.Helper()
	if m.options.Lints == Ignore {
		return
	}
	for _, finding := range m.Findings() {
		if m.options.Lints == FailOnWarnings || m.options.Lints == Fail && finding.Severity == "error" {
			m.t.Errorf("mocktest: the client: %v", finding)
		} else {
			m.t.Logf("mocktest: the client: %v", finding)
		}
	}
}
