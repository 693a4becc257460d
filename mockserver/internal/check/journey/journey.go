// Package journey is the life of a message, as the schema keyword x-journey tells it.
package journey

import "github.com/rehearsal-sdk/rehearsal/schemas"

// Journey is a list of steps, with what is known of each by its number.
// See docs/explanation/checking-files.md#when-is-an-event-without-its-cause-a-violation
type Journey struct {
	Names    []string // the types of the events
	Parent   []int    // the step before; -1 for a first one
	Root     []int    // the first step
	Channel  []string // of the message, which its first step gives
	Consent  []string // the consent that the step withdraws; "" for none
	Excludes [][]bool // whether two steps exclude each other

	numbers map[string]int
}

// New reads the steps of a schema.
func New(steps []schemas.Step) *Journey {
	j := &Journey{numbers: map[string]int{}}
	for i, step := range steps {
		j.numbers[step.Event] = i
		j.Names = append(j.Names, step.Event)
		j.Consent = append(j.Consent, step.Consent)
		j.Excludes = append(j.Excludes, make([]bool, len(steps)))
	}
	for i, step := range steps {
		parent := -1
		if at, there := j.numbers[step.After]; there && step.After != "" {
			parent = at
		}
		j.Parent = append(j.Parent, parent)
		for _, other := range step.Unless {
			if at, there := j.numbers[other]; there {
				j.Excludes[i][at], j.Excludes[at][i] = true, true
			}
		}
	}
	for i := range steps {
		root := i
		for turns := 0; j.Parent[root] >= 0 && turns < len(steps); turns++ {
			root = j.Parent[root]
		}
		j.Root = append(j.Root, root)
		j.Channel = append(j.Channel, steps[root].Channel)
	}
	return j
}

// Step is the number of an event type; -1: the journey does not have it.
func (j *Journey) Step(name string) int {
	if j != nil {
		if at, there := j.numbers[name]; there {
			return at
		}
	}
	return -1
}
