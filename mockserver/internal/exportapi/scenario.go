package exportapi

import (
	"fmt"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/scenarios"
)

const (
	// scenarioHeader forces what would otherwise be rare.
	scenarioHeader = "X-Mock-Scenario"
	// forcedRetry is what a forced refusal says in its Retry-After header, unless something says how long one really has to wait.
	forcedRetry = 30 * time.Second
)

// source is a scenario that has a part in a request, and where it came from.
type source struct {
	kind       string // one of the kinds below
	rule       string // its identifier, if it was set under /_mock/scenarios
	place      string // for messages
	scenario   exports.Scenario
	remembered exports.Scenario // by the export that the request makes
	until      *time.Time       // when it ends by itself
}

// The kinds of a source, by precedence, the highest first.
const (
	sourceHeader  = "header"  // X-Mock-Scenario of the request itself
	sourceExport  = "export"  // the export remembers it from its creation
	sourceNext    = "next"    // set for the next few requests
	sourceRule    = "rule"    // set for all requests that match
	sourceDefault = "default" // of the server
)

// resolve puts together what the scenarios of all sources do to a request: for each part, the source with the highest precedence that
// says something about it decides.
func (a *API) resolve(r *request) error {
	sources, err := a.sources(r)
	if err != nil {
		return err
	}
	for _, source := range sources {
		r.Entry.Applied = append(r.Entry.Applied, journal.Applied{Source: source.kind, Rule: source.rule, Scenario: source.scenario.String()})
		r.Fault = r.Fault.Over(source.scenario.Of(r.Route.Stage))
		r.made.scenario = r.made.scenario.Over(source.scenario)
		r.made.remembered = r.made.remembered.Over(source.remembered)
	}
	if r.Fault.Error == "" || r.Fault.Reset == exports.ResetBefore {
		return nil
	}
	for _, source := range sources {
		if source.scenario.Of(r.Route.Stage).Error != "" {
			r.made.forced = a.forcedError(r, source)
			break
		}
	}
	return nil
}

// sources collects scenarios by precedence. One with "only" is the last.
func (a *API) sources(r *request) (sources []source, err error) {
	for _, look := range []func(*request) ([]source, error){headerSource, a.exportSource, a.ruleSources, a.defaultSource} {
		found, err := look(r)
		if err != nil {
			return nil, err
		}
		for _, source := range found {
			if err := a.Errors.Of(r.Route.InterfaceFor(r.Variables)).CheckScenario(source.place, source.scenario); err != nil {
				return nil, err
			}
			if sources = append(sources, source); source.scenario.Only {
				return sources, nil
			}
		}
	}
	return sources, nil
}

func headerSource(r *request) ([]source, error) {
	values := r.Header[scenarioHeader]
	if len(values) == 0 {
		return nil, nil
	}
	const place = "the header " + scenarioHeader
	scenario, err := exports.ParseScenario(strings.Join(values, ";"))
	if err != nil {
		return nil, exports.Refuse(exports.MalformedParameter, "%s: %v", place, err)
	}
	return []source{{kind: sourceHeader, place: place, scenario: scenario, remembered: scenario.Remembered()}}, nil
}

// exportSource is what an export remembers from its creation.
func (a *API) exportSource(r *request) ([]source, error) {
	record := a.about(r)
	if record == nil || record.Scenario.IsZero() || record.Scenario.Of(r.Route.Stage) == (exports.Answer{}) {
		return nil, nil
	}
	return []source{{kind: sourceExport, place: "the scenario with which the export was made", scenario: record.Scenario}}, nil
}

// ruleSources are the scenarios of /_mock/scenarios that match.
func (a *API) ruleSources(r *request) ([]source, error) {
	if len(a.Live.Scenarios().Rules) == 0 {
		return nil, nil
	}
	found, err := a.Live.TakeScenarios(r.Context(), a.described(r))
	if err != nil {
		return nil, err
	}
	var sources []source
	for _, rule := range found {
		kind := sourceRule
		if rule.Times > 0 {
			kind = sourceNext
		}
		sources = append(sources, source{
			kind: kind, rule: rule.ID, place: "the scenario " + rule.ID + " of /_mock/scenarios",
			scenario: rule.Scenario, remembered: rule.Remembered(), until: rule.To,
		})
	}
	return sources, nil
}

func (a *API) defaultSource(r *request) ([]source, error) {
	if !a.Scenario.Says(r.Route.Stage) {
		return nil, nil
	}
	return []source{{kind: sourceDefault, place: "the default scenario of the server", scenario: a.Scenario}}, nil
}

// described is what rules know of a request.
func (a *API) described(r *request) scenarios.Request {
	known := scenarios.Request{Method: r.Method, Path: r.SentPath(), Stage: r.Route.Stage, Key: r.caller.Owner, Now: r.Now}
	switch record := a.about(r); {
	case record != nil:
		known.Kind, known.Key, known.Target = record.Kind, record.Owner, record.File.Target
		if record.File.Segment != "" {
			known.Target = record.File.Segment
		}
	case r.Route.Creates() && len(r.Route.Exports) == 1:
		known.Kind, known.Target = r.Route.Exports[0].Kind, r.Route.Interface.TargetOf(r.Route.Path, r.Variables)
	case r.Route.Creates():
		known.Kind, known.Target = a.peek(r)
	}
	return known
}

// forcedError is the refusal that a scenario asks for. It says how long to wait as a real one does.
func (a *API) forcedError(r *request, from source) error {
	answer := r.Fault
	forced := exports.RefuseForced(answer.Error, "forced by %s", from.place)
	switch {
	case answer.RetryAfter != exports.RetryAfter{}:
		forced.RetryAfter, forced.Retry = answer.RetryAfter.Wait, answer.RetryAfter
	case from.until != nil:
		forced.RetryAfter = max(from.until.Sub(r.Now), time.Second)
		forced.Message += fmt.Sprintf(", until %s", from.until.UTC().Format(time.RFC3339))
	case answer.Error == exports.MaintenanceError:
		forced.RetryAfter = forcedRetry
	case answer.Error == exports.TooManyRequests:
		forced.RetryAfter = forcedRetry
		for _, export := range r.Route.Exports {
			if limit := export.RateLimit; limit != nil {
				forced.RetryAfter = limit.Every
			}
		}
	}
	if answer.Error == exports.AuthenticationInvalid && r.Route.Credential == httpd.ProjectToken {
		return auth.Challenged(forced, r.Route.Interface.Headers, "")
	}
	return forced
}
