package api

import (
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// scenarioHeader forces what would otherwise be rare: an error, an outcome, a
// number of rows, a progression.
const scenarioHeader = "X-Mock-Scenario"

// Hints for clients whose forced refusal carries a Retry-After header.
const (
	maintenanceRetry = 30 * time.Second
	busyRetry        = 12 * time.Minute // one token of the filtered-export bucket (export API section 8)
)

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
	switch {
	case scenario.Error == MaintenanceError:
		forced.RetryAfter = maintenanceRetry
	case scenario.Error == TooManyRequests:
		forced.RetryAfter = busyRetry
	case scenario.Error == AuthenticationInvalid && r.route.Interface == interfaceProfiles:
		forced = forced.with("WWW-Authenticate", challenge)
	}
	return exports.Scenario{}, forced
}
