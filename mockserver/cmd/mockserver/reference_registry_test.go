package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// scenariosPage lists the parts of scenarios, and what a scenario is set with.
func scenariosPage(t *testing.T, library *schemas.Library) string {
	d := newDocument("Scenarios", "the parts of scenarios")
	d.text("This page lists all parts of a scenario, which are separated by semicolons, such as `error=MAINTENANCE_ERROR;retry-after=5s`. [Force errors and slow answers](../how-to/force-errors.md) " +
		"shows how to use them.")
	d.heading(2, "Parts about a response")
	var stages []string
	for _, stage := range exports.Stages() {
		stages = append(stages, string(stage))
	}
	d.text("These may be limited to one stage, as in `status.error=SERVER_ERROR;file.cut=1000`. The stages are %s: a creation, a lookup of one export, a list of exports, "+
		"a redirect to a file, and the file. What a creation says about a later stage is kept with its export. Ranges, `HEAD` and entity tags stay true to the file, "+
		"so that a client that resumes gets all of it.", codes(stages))
	d.table([]string{"part", "effect"}, partRows(t, true))
	d.heading(2, "Parts about an export")
	d.table([]string{"part", "effect"}, partRows(t, false))
	d.heading(2, "Precedence")
	d.text("Precedence, highest first; each source decides only the parts that no source above it has:\n\n" +
		"1. the header `X-Mock-Scenario` of the request;\n" +
		"2. `POST /_mock/scenarios` with `times`: the next requests that match, the scenario set first before the others;\n" +
		"3. `POST /_mock/scenarios` without `times`: every request that matches until the scenario is deleted, the one set last before the others;\n" +
		"4. the flags `--scenario` and `--progress`.")
	d.heading(2, "Body of `POST /_mock/scenarios`")
	d.properties(library, "mock/scenario.request.json", nil)
	d.heading(3, "Members of `match`")
	d.propertiesOf(library, library.Schema("mock/scenario.request.json").Properties["match"].Ref, nil)
	return d.String()
}

// partRows are the parts of scenarios, those about answers or the others.
func partRows(t *testing.T, staged bool) (rows [][]string) {
	for _, part := range exports.Parts() {
		must.Hold(t, part.About != "", "part %s of a scenario says nothing about itself", part.Name)
		for _, form := range part.Forms {
			if _, err := exports.ParseScenario(form); err != nil {
				t.Errorf("part %s is shown as %s: %v", part.Name, form, err)
			}
		}
		if part.Staged == staged {
			rows = append(rows, []string{codes(part.Forms), part.About})
		}
	}
	return rows
}

// lintsPage lists what the journal finds in the behaviour of clients.
func lintsPage() string {
	d := newDocument("Lints", "the lints")
	d.text("This page lists the mistakes of clients that `GET /_mock/lints` finds in the journal. An `error` loses data or breaks a rule of the specification; a `warning` costs time, requests or surprises. " +
		"Times are by the server's clock. See [Find mistakes of a client](../how-to/lint-a-client.md).")
	for _, lint := range journal.Lints() {
		d.heading(2, code(lint.Code))
		d.table([]string{"", ""}, [][]string{{"severity", string(lint.Severity)}, {"rule", sentence(lint.Rule)}, {"cure", sentence(lint.Advice)}})
	}
	return d.String()
}

// rulesPage lists the rules of the command check.
func rulesPage() string {
	d := newDocument("Rules of check", "the rules of the command check")
	d.text("This page lists the rules of `mockserver check FILE...`, which reports each one as held, violated, or not checkable with these files. `--rules` selects rules. " +
		"See [Validate real files](../how-to/validate-real-files.md).")
	for _, rule := range check.Rules() {
		d.heading(2, code(rule.Name))
		innocent := rule.Innocent
		if innocent == "" {
			innocent = "none"
		}
		d.table([]string{"", ""}, [][]string{{"what holds", sentence(rule.About)}, {"needs", sentence(rule.Needs)}, {"false positives", sentence(innocent)}})
	}
	return d.String()
}

// errors lists the errors of both interfaces.
func (d *document) errors(library *schemas.Library) {
	d.heading(2, "Errors")
	d.text("The legacy interface answers `{\"code\", \"type\", \"message\"}`, the profile interface `{\"error_code\", \"error_message\"}`. When a payload is at fault, both add `errors`: a list of " +
		"`{\"pointer\", \"keyword\", \"message\"}`, sorted, at most a hundred. Any of these can be forced with a [scenario](scenarios.md): `error=NAME`. Do not parse the messages.")
	var rows [][]string
	for _, branch := range library.ErrorBranches("legacy/error.json") {
		rows = append(rows, []string{code(branch.Name), fmt.Sprint(branch.Status), fmt.Sprint(branch.Code), branch.Description})
	}
	d.table([]string{"name", "HTTP status", "`code`", "meaning"}, rows)
	d.text("[Fidelity](../explanation/specification.md#credentials-and-errors) says which of these are from the specification, and in which order requests are checked.")
}

// metrics lists the counters of /_mock/metrics.
func (d *document) metrics(t *testing.T) {
	server := must.Get(mockserver.New(mockserver.Options{StartAt: noon}))(t)
	defer server.Close()
	answer, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://localhost/_mock/metrics", nil)
	request.RemoteAddr = "" // from inside the process
	server.ServeHTTP(answer, request)
	d.heading(2, "Metrics")
	d.text("`GET /_mock/metrics` answers in the text format of Prometheus. Every server counts for itself, also when several share a state.")
	var rows [][]string
	types := map[string]string{}
	for line := range strings.Lines(answer.Body.String()) {
		if name, kind, found := strings.Cut(strings.TrimPrefix(line, "# TYPE "), " "); found && strings.HasPrefix(line, "# TYPE ") {
			types[name] = strings.TrimSpace(kind)
		}
	}
	for line := range strings.Lines(answer.Body.String()) {
		if name, help, found := strings.Cut(strings.TrimPrefix(line, "# HELP "), " "); found && strings.HasPrefix(line, "# HELP ") {
			rows = append(rows, []string{code(name), types[name], strings.TrimSpace(help)})
		}
	}
	must.Hold(t, len(rows) != 0, "no metrics: %d %s", answer.Code, answer.Body)
	d.table([]string{"metric", "type", "meaning"}, rows)
}
