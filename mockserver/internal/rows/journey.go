package rows

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// alikeEvents finds the events that no condition of a schema speaks of. Such an event has the members of another one of its channel, of
// the one with the fewest, and not all that the schema lists.
func (c *compiler) alikeEvents(root []*jsonschema.Schema, journey []world.Step) map[string]string {
	conditions := merged.Of(root, nil)
	spokenOf := func(event string) bool {
		known := c.eventMembers(conditions, event)
		return slices.ContainsFunc(conditions, func(s *jsonschema.Schema) bool {
			return s.If != nil && merged.Decided(s.If, known) && (s.Else != nil || s.If.Validate(known) == nil)
		})
	}
	begins := map[string]string{} // by event: the event that its messages begin with
	fewest := map[string]string{} // by that event
	counts := map[string]int{}
	for _, step := range journey {
		begin := step.Event
		if step.After != "" {
			begin = begins[step.After]
		}
		begins[step.Event] = begin
		if !spokenOf(step.Event) {
			continue
		}
		count := c.countMembers(root, c.eventMembers(conditions, step.Event))
		if least, found := counts[begin]; !found || count < least {
			fewest[begin], counts[begin] = step.Event, count
		}
	}
	alike := map[string]string{}
	for _, step := range journey {
		if other := fewest[begins[step.Event]]; other != "" && !spokenOf(step.Event) {
			alike[step.Event] = other
		}
	}
	return alike
}

// eventMembers are the members that say which event a row is about.
func (c *compiler) eventMembers(all merged.Schema, event string) map[string]any {
	of := compiler{library: c.library, constants: map[string]string{vocabulary.EventType: event}}
	return of.constantMembers(all)
}

// countMembers is how many members a row may have when some are known.
func (c *compiler) countMembers(root []*jsonschema.Schema, known map[string]any) (count int) {
	all := merged.Of(root, known)
	for _, name := range all.Names(c.library) {
		if !merged.Of(all.Property(name), nil).Refused() {
			count++
		}
	}
	return count
}
