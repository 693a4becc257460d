package check

import "github.com/rehearsal-sdk/rehearsal/schemas"

// journey is the life of a message by x-journey: a list of steps, with what is known of each by its number.
// See docs/how-to/validate-real-files.md#when-is-an-event-without-its-cause-a-violation
type journey struct {
	names    []string // the types of the events
	parent   []int    // the step before; -1 for a first one
	root     []int    // the first step
	channel  []string // of the message, which its first step gives
	consent  []string // the consent that the step withdraws; "" for none
	excludes [][]bool // whether two steps exclude each other

	numbers map[string]int
}

// newJourney reads the steps of a schema.
func newJourney(steps []schemas.Step) *journey {
	j := &journey{numbers: map[string]int{}}
	for i, step := range steps {
		j.numbers[step.Event] = i
		j.names = append(j.names, step.Event)
		j.consent = append(j.consent, step.Consent)
		j.excludes = append(j.excludes, make([]bool, len(steps)))
	}
	for i, step := range steps {
		parent := -1
		if at, there := j.numbers[step.After]; there && step.After != "" {
			parent = at
		}
		j.parent = append(j.parent, parent)
		for _, other := range step.Unless {
			if at, there := j.numbers[other]; there {
				j.excludes[i][at], j.excludes[at][i] = true, true
			}
		}
	}
	for i := range steps {
		root := i
		for turns := 0; j.parent[root] >= 0 && turns < len(steps); turns++ {
			root = j.parent[root]
		}
		j.root = append(j.root, root)
		j.channel = append(j.channel, steps[root].Channel)
	}
	return j
}

// step is the number of an event type; -1: the journey does not have it.
func (j *journey) step(name string) int {
	if j != nil {
		if at, there := j.numbers[name]; there {
			return at
		}
	}
	return -1
}
