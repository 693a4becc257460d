package check

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"

// Rule is one rule of coherence.
type Rule = rules.Rule

// Rules returns every rule in order. The caller owns the slice.
func Rules() []Rule { return rules.All() }

// KnownRule is an error for a name that [Options].Rules must not hold; it suggests a similar one.
func KnownRule(name string) error {
	_, err := rules.Choose([]string{name})
	return err
}
