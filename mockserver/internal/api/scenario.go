package api

import (
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// scenarioHeader forces what would otherwise be rare: an error, an outcome, a
// number of rows, a progression.
const scenarioHeader = "X-Mock-Scenario"

// forcedRetry is what a forced refusal says in its Retry-After header, unless a
// rate limit says how long one really has to wait.
const forcedRetry = 30 * time.Second

// scenarioOf reads the scenario header of a request. A forced error is its
// refusal.
func (s *Service) scenarioOf(r *request) (exports.Scenario, *Error) {
	values := r.Header[scenarioHeader]
	if len(values) == 0 {
		return exports.Scenario{}, nil
	}
	scenario, err := exports.ParseScenario(strings.Join(values, ";"))
	if err != nil {
		return exports.Scenario{}, refuse(MalformedParameter, "the header %s: %v", scenarioHeader, err)
	}
	r.decision.sources = []source{{Kind: sourceHeader, Scenario: scenario.String()}}
	if scenario.Error == "" {
		return scenario, nil
	}
	table := s.tables[interfaceLegacy]
	if r.route.Interface == interfaceProfiles {
		table = s.tables[interfaceProfiles]
	}
	if _, ok := table[scenario.Error]; !ok {
		return exports.Scenario{}, refuse(MalformedParameter, "the header %s: error %q is not known; allowed: %s",
			scenarioHeader, shortened(scenario.Error), table.names())
	}
	forced := refuse(scenario.Error, "forced by the header %s", scenarioHeader)
	forced.forced = true
	switch {
	case scenario.Error == MaintenanceError:
		forced.RetryAfter = forcedRetry
	case scenario.Error == TooManyRequests:
		forced.RetryAfter = forcedRetry
		for _, export := range r.route.Exports {
			if limit := s.rateLimit(export); limit != nil {
				forced.RetryAfter = limit.Every
			}
		}
	case scenario.Error == AuthenticationInvalid && r.route.Interface == interfaceProfiles:
		forced = forced.with("WWW-Authenticate", challenge)
	}
	return exports.Scenario{}, forced
}
