package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/scenarios"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// scenariosList shows the scenarios that are set, in the order in which they
// were added; with a key those for that key alone.
func (s *Service) scenariosList(r *request) (response, error) {
	query, err := readQuery(r.URL.RawQuery, r.route.Query)
	if err != nil {
		return response{}, err
	}
	body := struct {
		Scenarios []scenarios.Rule `json:"scenarios"`
	}{[]scenarios.Rule{}}
	for _, rule := range s.rules.current().Rules {
		if key, given := query["key"]; !given || rule.Match.Key == key {
			body.Scenarios = append(body.Scenarios, rule)
		}
	}
	return response{status: http.StatusOK, body: mustJSON(body)}, nil
}

// scenariosAdd sets a scenario for the requests that it matches.
func (s *Service) scenariosAdd(r *request) (response, error) {
	members, err := s.readControl(r)
	if err != nil {
		return response{}, err
	}
	rule, err := s.ruleOf(members)
	if err != nil {
		return response{}, err
	}
	// Nobody's key: it is the whole server that is told something.
	rule.CreatedAt = s.Now()
	err = s.rules.change(r.Context(), func(set scenarios.Set) (scenarios.Set, error) {
		set, rule, err = set.Add(rule)
		return set, err
	})
	if errors.Is(err, scenarios.ErrTooMany) {
		return response{}, refuse(Conflict, "%d scenarios are set, which is the most; delete some with DELETE /_mock/scenarios/{id}, or all with DELETE /_mock/scenarios", scenarios.Most)
	}
	if err != nil {
		return response{}, err
	}
	return response{status: r.route.Status, body: mustJSON(rule)}, nil
}

// scenariosClear deletes all scenarios, or those for one key.
func (s *Service) scenariosClear(r *request) (response, error) {
	query, err := readQuery(r.URL.RawQuery, r.route.Query)
	if err != nil {
		return response{}, err
	}
	key, given := query["key"]
	return response{status: r.route.Status}, s.rules.change(r.Context(), func(set scenarios.Set) (scenarios.Set, error) {
		set, _ = set.Without(func(rule scenarios.Rule) bool { return !given || rule.Match.Key == key })
		return set, nil
	})
}

// scenariosDelete deletes one scenario.
func (s *Service) scenariosDelete(r *request) (response, error) {
	id := r.variables["id"]
	return response{status: r.route.Status}, s.rules.change(r.Context(), func(set scenarios.Set) (scenarios.Set, error) {
		set, dropped := set.Without(func(rule scenarios.Rule) bool { return rule.ID == id })
		if dropped == 0 {
			return set, refuse(RouteNotFound, "there is no scenario %q, or its requests are used up; GET /_mock/scenarios lists them", shortened(id))
		}
		return set, nil
	})
}

// ruleOf reads a payload that its schema accepts. What is left to refuse is
// what the schema cannot know.
func (s *Service) ruleOf(members Members) (rule scenarios.Rule, err error) {
	text, _ := members.String("scenario")
	if rule.Scenario, err = exports.ParseScenario(text); err != nil {
		return rule, refuseMember("/scenario", "scenario", "scenario: %v", err)
	}
	if rule.Scenario.IsZero() {
		return rule, refuseMember("/scenario", "scenario", "scenario is %q, which does nothing; give it a part, such as error=MAINTENANCE_ERROR", shortened(text))
	}
	for _, table := range s.tables {
		if err := unknownError(table, "scenario", rule.Scenario); err != nil {
			return rule, refuseMember("/scenario", "scenario", "%v", err)
		}
	}
	for name, into := range map[string]*string{
		"method": &rule.Match.Method, "path": &rule.Match.Path, "kind": &rule.Match.Kind, "key": &rule.Match.Key, "target": &rule.Match.Target,
	} {
		*into, _ = members.String("match", name)
	}
	stage, _ := members.String("match", "stage")
	rule.Match.Stage = exports.Stage(stage)
	if err := s.checkMatch(rule.Match); err != nil {
		return rule, err
	}
	if times, given := members["times"].(json.Number); given {
		number, err := times.Int64()
		if err != nil {
			return rule, refuseMember("/times", "maximum", "times is %s, which is no number of requests", times)
		}
		rule.Times = int(number)
	}
	for name, into := range map[string]**time.Time{"from": &rule.From, "to": &rule.To} {
		text, given := members.String(name)
		if !given {
			continue
		}
		instant, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return rule, refuseMember("/"+name, "format", "%s is %q; it must be an RFC 3339 date-time", name, shortened(text))
		}
		instant = instant.UTC()
		*into = &instant
	}
	if rule.From != nil && rule.To != nil && !rule.From.Before(*rule.To) {
		return rule, refuseMember("/to", "window", "to (%s) is not after from (%s); a window has to hold an instant", utcDateTime(*rule.To), utcDateTime(*rule.From))
	}
	return rule, nil
}

// checkMatch refuses what no request could match.
func (s *Service) checkMatch(match scenarios.Match) error {
	if match.Key != "" && !s.keys.owns(match.Key) {
		return refuseMember("/match/key", "key", "match.key is %q, which is no application key and no project key of this server", shortened(match.Key))
	}
	if match.Kind == "" {
		return nil
	}
	var kinds []string
	for _, export := range s.library.Exports() {
		kinds = append(kinds, export.Kind)
	}
	if slices.Contains(kinds, match.Kind) {
		return nil
	}
	hint := ""
	if likely := schemas.Likely(match.Kind, kinds); likely != "" {
		hint = "; did you mean " + likely + "?"
	}
	return refuseMember("/match/kind", "kind", "match.kind is %q; allowed: %s%s", shortened(match.Kind), strings.Join(kinds, ", "), hint)
}
