package scenarios

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Most is how many rules a set may have.
const Most = 1000

// ErrTooMany is the error of a further rule beyond [Most].
var ErrTooMany = errors.New("too many scenarios are set")

// Set is all rules, in the order in which they were added. It is never changed: every change gives another set. The zero value is empty.
type Set struct {
	// Added counts the rules that were ever added: identifiers are not used twice.
	Added int64 `json:"added"`
	// Rules are those that are left.
	Rules []Rule `json:"rules"`
}

// Parse reads the JSON form of a set.
func Parse(data []byte) (Set, error) {
	var set Set
	if err := json.Unmarshal(data, &set); err != nil {
		return Set{}, fmt.Errorf("the stored scenarios are not readable: %w", err)
	}
	return set, nil
}

// Add adds a rule and returns it with its identifier. More than [Most] are ErrTooMany.
func (s Set) Add(rule Rule) (Set, Rule, error) {
	if len(s.Rules) >= Most {
		return s, rule, ErrTooMany
	}
	s.Added++
	rule.ID = fmt.Sprintf("scenario_%d", s.Added)
	s.Rules = append(slices.Clip(s.Rules), rule)
	return s, rule, nil
}

// Without leaves rules out, and returns how many these were.
func (s Set) Without(drop func(Rule) bool) (Set, int) {
	kept := slices.DeleteFunc(slices.Clone(s.Rules), drop)
	dropped := len(s.Rules) - len(kept)
	s.Rules = kept
	return s, dropped
}

// Find returns the rules that have a part in a request, the strongest first: of those for the next few requests the one that was added
// first, then those that stand, the last one first.
func (s Set) Find(request Request) []Rule {
	var found []Rule
	for i := range s.Rules { // by place: a rule is large, and there may be a thousand
		if rule := &s.Rules[i]; rule.Times > 0 && rule.appliesTo(&request) {
			found = append(found, *rule)
			break
		}
	}
	for i := range slices.Backward(s.Rules) {
		if rule := &s.Rules[i]; rule.Times == 0 && rule.appliesTo(&request) {
			found = append(found, *rule)
		}
	}
	return found
}

// Use counts a request of the rule for the next few. A rule that has had all of its requests is left out.
func (s Set) Use(id string) Set {
	s.Rules = slices.Clone(s.Rules)
	for i := range s.Rules {
		if s.Rules[i].ID != id || s.Rules[i].Times == 0 {
			continue
		}
		if s.Rules[i].Times--; s.Rules[i].Times == 0 {
			s.Rules = slices.Delete(s.Rules, i, i+1)
		}
		break
	}
	return s
}
