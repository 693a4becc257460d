package api

import (
	"fmt"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/scenarios"
)

const (
	// scenarioHeader forces what would otherwise be rare.
	scenarioHeader = "X-Mock-Scenario"
	// scenarioToken begins campaign tokens, group identifiers and segment codes
	// that are scenarios, for clients that cannot send a header.
	scenarioToken = "mock:"
	// forcedRetry is what a forced refusal says in its Retry-After header, unless
	// something says how long one really has to wait.
	forcedRetry = 30 * time.Second
)

// layer is a scenario that has a part in a request, and where it came from.
type layer struct {
	source
	place      string // for messages
	scenario   exports.Scenario
	remembered exports.Scenario // by the export that the request makes
	until      *time.Time       // when it ends by itself
}

// decide puts together what the scenarios of all sources do to a request: the
// strongest that says something about a part decides it.
func (s *Service) decide(r *request) error {
	layers, err := s.layers(r)
	if err != nil {
		return err
	}
	for _, l := range layers {
		d := &r.decision
		d.sources = append(d.sources, l.source)
		d.answer = d.answer.Over(l.scenario.Of(r.route.Stage))
		d.scenario = d.scenario.Over(l.scenario)
		d.remembered = d.remembered.Over(l.remembered)
	}
	if r.decision.answer.Error == "" || r.decision.answer.Reset == exports.ResetBefore {
		return nil
	}
	for _, l := range layers {
		if l.scenario.Of(r.route.Stage).Error != "" {
			r.forced = s.forcedError(r, l)
			break
		}
	}
	return nil
}

// layers collects scenarios, the strongest first. One with "only" is the last.
func (s *Service) layers(r *request) (layers []layer, err error) {
	for kind := range weakestLayers + 1 {
		var found []layer
		switch kind {
		case headerLayers:
			found, err = headerLayer(r)
		case tokenLayers:
			found, err = s.tokenLayer(r)
		case exportLayers:
			found = s.exportLayer(r)
		case ruleLayers:
			found, err = s.ruleLayers(r)
		default:
			found = s.defaultLayer(r)
		}
		if err != nil {
			return nil, err
		}
		for _, l := range found {
			if err := s.knowsErrors(r, l); err != nil {
				return nil, err
			}
			l.Scenario = l.scenario.String()
			if layers = append(layers, l); l.scenario.Only {
				return layers, nil
			}
		}
	}
	return layers, nil
}

// The kinds of layers, the strongest first.
const (
	headerLayers = iota
	tokenLayers
	exportLayers
	ruleLayers
	weakestLayers // the default
)

func headerLayer(r *request) ([]layer, error) {
	values := r.Header[scenarioHeader]
	if len(values) == 0 {
		return nil, nil
	}
	const place = "the header " + scenarioHeader
	scenario, err := exports.ParseScenario(strings.Join(values, ";"))
	if err != nil {
		return nil, refuse(MalformedParameter, "%s: %v", place, err)
	}
	return []layer{{source: source{Kind: sourceHeader}, place: place, scenario: scenario, remembered: scenario.Remembered()}}, nil
}

// tokenLayer reads a scenario that stands where the request names a campaign, a
// group or a segment.
func (s *Service) tokenLayer(r *request) ([]layer, error) {
	if !r.route.creates() {
		return nil, nil
	}
	name, token, pointer := "", "", ""
	for _, placeholder := range r.route.placeholders {
		if strings.HasPrefix(r.variables[placeholder], scenarioToken) && placeholder != "api_key" {
			name, token = placeholder, r.variables[placeholder]
		}
	}
	if segment := s.peek(r).segment; strings.HasPrefix(segment, scenarioToken) {
		name, token, pointer = "filter.segment", segment, "/filter/segment"
	}
	if token == "" {
		return nil, nil
	}
	scenario, err := exports.ParseScenario(strings.TrimPrefix(token, scenarioToken))
	switch {
	case err != nil && pointer != "":
		return nil, refuseMember(pointer, "scenario", "%s begins with %s and is no scenario: %v", name, scenarioToken, err)
	case err != nil:
		return nil, refuse(MalformedParameter, "%s in the path begins with %s and is no scenario: %v", name, scenarioToken, err)
	}
	return []layer{{source: source{Kind: sourceToken}, place: name, scenario: scenario, remembered: scenario.Remembered()}}, nil
}

// exportLayer is what an export remembers from its creation.
func (s *Service) exportLayer(r *request) []layer {
	record := s.about(r)
	if record == nil || record.Scenario.IsZero() || record.Scenario.Of(r.route.Stage) == (exports.Answer{}) {
		return nil
	}
	return []layer{{source: source{Kind: sourceExport}, place: "the scenario with which the export was made", scenario: record.Scenario}}
}

// ruleLayers are the scenarios of /_mock/scenarios that match.
func (s *Service) ruleLayers(r *request) ([]layer, error) {
	if len(s.rules.current().Rules) == 0 {
		return nil, nil
	}
	found, err := s.rules.take(r.Context(), s.described(r))
	if err != nil {
		return nil, err
	}
	var layers []layer
	for _, rule := range found {
		kind := sourceRule
		if rule.Times > 0 {
			kind = sourceNext
		}
		layers = append(layers, layer{
			source: source{Kind: kind, Rule: rule.ID}, place: "the scenario " + rule.ID + " of /_mock/scenarios",
			scenario: rule.Scenario, remembered: rule.Remembered(), until: rule.To,
		})
	}
	return layers, nil
}

func (s *Service) defaultLayer(r *request) []layer {
	if !s.scenario.Says(r.route.Stage) {
		return nil
	}
	return []layer{{source: source{Kind: sourceDefault}, place: "the default scenario of the server", scenario: s.scenario}}
}

// described is what rules know of a request.
func (s *Service) described(r *request) scenarios.Request {
	known := scenarios.Request{Method: r.Method, Path: r.URL.EscapedPath(), Stage: r.route.Stage, Key: r.caller.owner, Now: r.now}
	switch record := s.about(r); {
	case record != nil:
		known.Kind, known.Key, known.Target = record.Kind, record.Owner, record.File.Target
		if record.File.Segment != "" {
			known.Target = record.File.Segment
		}
	case r.route.creates() && len(r.route.Exports) == 1:
		known.Kind, known.Target = r.route.Exports[0].Kind, target(r.route.Path, r.variables)
	case r.route.creates():
		known.Kind, known.Target = s.peek(r).kind, s.peek(r).segment
	}
	return known
}

// knowsErrors refuses a scenario with an error that the interface has not.
func (s *Service) knowsErrors(r *request, l layer) error {
	table := s.tables[interfaceLegacy]
	if r.route.Interface == interfaceProfiles {
		table = s.tables[interfaceProfiles]
	}
	return unknownError(table, l.place, l.scenario)
}

func unknownError(table errorTable, place string, scenario exports.Scenario) error {
	for _, name := range scenario.Errors() {
		if _, known := table[name]; !known {
			return refuse(MalformedParameter, "%s: error %q is not known; allowed: %s", place, shortened(name), table.names())
		}
	}
	return nil
}

// forcedError is the refusal that a scenario asks for. It says how long to wait
// as a real one does.
func (s *Service) forcedError(r *request, from layer) *Error {
	answer := r.decision.answer
	forced := refuse(answer.Error, "forced by %s", from.place)
	forced.forced = true
	switch {
	case answer.RetryAfter > 0:
		forced.RetryAfter = answer.RetryAfter
	case from.until != nil:
		forced.RetryAfter = max(from.until.Sub(r.now), time.Second)
		forced.Message += fmt.Sprintf(", until %s", from.until.UTC().Format(time.RFC3339))
	case answer.Error == MaintenanceError:
		forced.RetryAfter = forcedRetry
	case answer.Error == TooManyRequests:
		forced.RetryAfter = forcedRetry
		for _, export := range r.route.Exports {
			if limit := s.rateLimit(export); limit != nil {
				forced.RetryAfter = limit.Every
			}
		}
	}
	if answer.Error == AuthenticationInvalid && r.route.Interface == interfaceProfiles {
		forced = forced.with("WWW-Authenticate", challenge)
	}
	return forced
}
