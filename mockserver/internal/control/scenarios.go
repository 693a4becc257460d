package control

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/scenarios"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// scenariosList shows the scenarios that are set, in the order in which they were added; with a key those for that key alone.
func (a *API) scenariosList(r *httpd.Request) (httpd.Response, error) {
	key, err := a.seenKey(r)
	if err != nil {
		return httpd.Response{}, err
	}
	body := struct {
		Scenarios []scenarios.Rule `json:"scenarios"`
	}{[]scenarios.Rule{}}
	for _, rule := range a.Live.Scenarios().Rules {
		if key == "" || rule.Match.Key == key {
			body.Scenarios = append(body.Scenarios, rule)
		}
	}
	return httpd.OK(body), nil
}

// scenariosAdd sets a scenario for the requests that it matches.
func (a *API) scenariosAdd(r *httpd.Request) (httpd.Response, error) {
	members, err := a.readMembers(r)
	if err != nil {
		return httpd.Response{}, err
	}
	rule, err := a.ruleOf(members)
	if err != nil {
		return httpd.Response{}, err
	}
	// Nobody's key: it is the whole server that is told something.
	rule.CreatedAt = a.Live.Now()
	err = a.Live.ChangeScenarios(r.Context(), func(set scenarios.Set) (scenarios.Set, error) {
		set, rule, err = set.Add(rule)
		return set, err
	})
	if errors.Is(err, scenarios.ErrTooMany) {
		return httpd.Response{},
			exports.Refuse(exports.Conflict,
				"%d scenarios are set, which is the most; delete some with DELETE /_mock/scenarios/{id}, or all with DELETE /_mock/scenarios",
				scenarios.Most)
	}
	if err != nil {
		return httpd.Response{}, err
	}
	return httpd.Response{Status: r.Route.Status, Body: httpd.JSON(rule)}, nil
}

// scenariosClear deletes all scenarios, or those for one key.
func (a *API) scenariosClear(r *httpd.Request) (httpd.Response, error) {
	key, err := a.seenKey(r)
	if err != nil {
		return httpd.Response{}, err
	}
	return httpd.Response{Status: r.Route.Status}, a.Live.ChangeScenarios(r.Context(), func(set scenarios.Set) (scenarios.Set, error) {
		set, _ = set.Without(func(rule scenarios.Rule) bool { return key == "" || rule.Match.Key == key })
		return set, nil
	})
}

// scenariosDelete deletes one scenario.
func (a *API) scenariosDelete(r *httpd.Request) (httpd.Response, error) {
	id := r.Variables["id"]
	return httpd.Response{Status: r.Route.Status}, a.Live.ChangeScenarios(r.Context(), func(set scenarios.Set) (scenarios.Set, error) {
		set, dropped := set.Without(func(rule scenarios.Rule) bool { return rule.ID == id })
		if dropped == 0 {
			return set,
				exports.Refuse(exports.RouteNotFound, "there is no scenario %q, or its requests are used up; GET /_mock/scenarios lists them",
					exports.Shorten(id))
		}
		return set, nil
	})
}

// ruleOf reads a payload that its schema accepts. What is left to refuse is what the schema cannot know.
func (a *API) ruleOf(members exports.Members) (rule scenarios.Rule, err error) {
	text, _ := members.String("scenario")
	if rule.Scenario, err = exports.ParseScenario(text); err != nil {
		return rule, exports.RefuseMember("/scenario", "scenario", "scenario: %v", err)
	}
	if rule.Scenario.IsZero() {
		return rule, exports.RefuseMember("/scenario", "scenario",
			"scenario is %q, which does nothing; give it a part, such as error=MAINTENANCE_ERROR", exports.Shorten(text))
	}
	for _, table := range a.Errors {
		if err := table.CheckScenario("scenario", rule.Scenario); err != nil {
			return rule, exports.RefuseMember("/scenario", "scenario", "%v", err)
		}
	}
	for name, into := range map[string]*string{
		"method": &rule.Match.Method, "path": &rule.Match.Path, "kind": &rule.Match.Kind, "key": &rule.Match.Key, "target": &rule.Match.Target,
	} {
		*into, _ = members.String("match", name)
	}
	stage, _ := members.String("match", "stage")
	rule.Match.Stage = exports.Stage(stage)
	if err := a.checkMatch(rule.Match); err != nil {
		return rule, err
	}
	if times, given := members["times"].(json.Number); given {
		number, err := times.Int64()
		if err != nil {
			return rule, exports.RefuseMember("/times", "maximum", "times is %s, which is no number of requests", times)
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
			return rule, exports.RefuseMember("/"+name, "format", "%s is %q; it must be an RFC 3339 date-time", name, exports.Shorten(text))
		}
		instant = instant.UTC()
		*into = &instant
	}
	if rule.From != nil && rule.To != nil && !rule.From.Before(*rule.To) {
		return rule, exports.RefuseMember("/to", "window", "to (%s) is not after from (%s); a window has to hold an instant", rfc3339(*rule.To),
			rfc3339(*rule.From))
	}
	return rule, nil
}

// checkMatch refuses what no request could match.
func (a *API) checkMatch(match scenarios.Match) error {
	if match.Key != "" && !a.Keys.Owns(match.Key) {
		return exports.RefuseMember("/match/key", "key", "match.key is %q, which is no application key and no project key of this server",
			exports.Shorten(match.Key))
	}
	if match.Kind == "" {
		return nil
	}
	var kinds []string
	for _, export := range a.Library.Exports() {
		kinds = append(kinds, export.Kind)
	}
	if slices.Contains(kinds, match.Kind) {
		return nil
	}
	return exports.RefuseMember("/match/kind", "kind", "match.kind is %q; allowed: %s%s", exports.Shorten(match.Kind),
		strings.Join(kinds, ", "), schemas.DidYouMean(match.Kind, kinds))
}
