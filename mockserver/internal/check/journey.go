package check

import "github.com/rehearsal-sdk/rehearsal/schemas"

// journey is the life of a message, read from the schema.
type journey struct {
	steps map[string]int
	names []string
	after []int // the step that comes before; -1 for a first one
	// root is the first step, channel that of its messages, consent the one that a step withdraws.
	root             []int
	channel, consent []string
	excludes         [][]bool
}

func newJourney(steps []schemas.Step) *journey {
	j := &journey{steps: map[string]int{}}
	for i, step := range steps {
		j.steps[step.Event] = i
		j.names = append(j.names, step.Event)
		j.consent = append(j.consent, step.Consent)
		j.excludes = append(j.excludes, make([]bool, len(steps)))
	}
	for i, step := range steps {
		parent := -1
		if at, there := j.steps[step.After]; there && step.After != "" {
			parent = at
		}
		j.after = append(j.after, parent)
		for _, other := range step.Unless {
			if at, there := j.steps[other]; there {
				j.excludes[i][at], j.excludes[at][i] = true, true
			}
		}
	}
	for i := range steps {
		root := i
		for turns := 0; j.after[root] >= 0 && turns < len(steps); turns++ {
			root = j.after[root]
		}
		j.root = append(j.root, root)
		j.channel = append(j.channel, steps[root].Channel)
	}
	return j
}

// step is the number of an event type, -1 if the journey does not know it.
func (j *journey) step(name string) int {
	if j != nil {
		if at, there := j.steps[name]; there {
			return at
		}
	}
	return -1
}
