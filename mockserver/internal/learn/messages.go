package learn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// journey is the steps of all exports, by the names that events have here: an event of push messages has a name in each
// interface, and is one.
type journey struct {
	steps  map[string]world.Step
	events []string // in order
}

// inOrder are the steps in order.
func (j *journey) inOrder() (steps []world.Step) {
	for _, name := range j.events {
		steps = append(steps, j.steps[name])
	}
	return steps
}

// sameEvent is the name that an event has here.
func sameEvent(name string) string {
	switch name {
	case "push_opened":
		return "push_open"
	case "push_error":
		return "push_bounced"
	}
	return name
}

func journeyOf(library *schemas.Library) journey {
	made := journey{steps: map[string]world.Step{}}
	listed := library.Exports()
	// The profile exports tell most of a message.
	slices.SortStableFunc(listed, func(a, b schemas.Export) int { return strings.Compare(b.Interface, a.Interface) })
	for _, export := range listed {
		for _, step := range rows.Journey(library, export) {
			name := sameEvent(step.Event)
			if _, known := made.steps[name]; known {
				continue
			}
			step.Event, step.After = name, sameEvent(step.After)
			step.Unless = slices.Clone(step.Unless)
			for i := range step.Unless {
				step.Unless[i] = sameEvent(step.Unless[i])
			}
			made.steps[name] = step
			made.events = append(made.events, name)
		}
	}
	return made
}

// message is one message and when each of its steps happened.
type message struct {
	channel string
	sender  string // an orchestration; "": it is not told
	sent    instant
	first   map[string]instant
	again   map[string][]instant // after the first time
	machine map[string]bool
	hard    bool // it bounced, and the address is used no more
}

// messagesOf puts the events of a person together. What files of one kind call by an identifier of the message belongs to
// that; what others do not, to the last message before of the same campaign on the same installation.
func (j *journey) messagesOf(events []eventRow) []*message {
	slices.SortStableFunc(events, func(a, b eventRow) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(j.depth(a.Type), j.depth(b.Type)))
	})
	var list []*message
	byID, last := map[string]*message{}, map[[3]string]*message{}
	for _, e := range events {
		name := sameEvent(e.Type)
		step, known := j.steps[name]
		if !known {
			continue
		}
		channel, _, _ := strings.Cut(name, "_")
		place := [3]string{channel, e.InstallID, cmp.Or(e.Campaign, e.Group)}
		if step.After == "" {
			if e.SentID != "" && byID[e.SentID] != nil {
				continue
			}
			made := &message{
				channel: channel, sender: e.Orchestration, sent: e.Date,
				first: map[string]instant{name: e.Date}, again: map[string][]instant{}, machine: map[string]bool{},
			}
			list = append(list, made)
			if e.SentID != "" {
				byID[e.SentID] = made
			}
			last[place] = made
			continue
		}
		of := byID[e.SentID]
		if e.SentID == "" {
			of = last[place]
		}
		if of == nil {
			continue // it was sent before the files begin
		}
		if _, happened := of.first[name]; happened {
			if step.Again.Rate > 0 && e.Date > of.first[name] {
				of.again[name] = append(of.again[name], e.Date)
			}
			continue
		}
		of.first[name] = e.Date
		of.machine[name] = e.MachineOpen
		of.hard = of.hard || e.drawn.BounceType == "hard"
	}
	return list
}

// isAnswered reports whether a person, and not a machine, did anything with a message.
func (j *journey) isAnswered(m *message) bool {
	for event := range m.first {
		if j.steps[event].Person && !m.machine[event] {
			return true
		}
	}
	return false
}

// depth is how many steps come before an event.
func (j *journey) depth(event string) int {
	count := 0
	for step := j.steps[sameEvent(event)]; step.After != "" && count <= len(j.events); step = j.steps[step.After] {
		count++
	}
	return count
}
