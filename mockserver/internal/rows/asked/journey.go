package asked

import (
	"slices"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// An event type that the schema allows but gives no step happens to one message in ten, half an hour after it was sent.
const (
	defaultRate  = 0.1
	defaultDelay = 30 * time.Minute
)

// JourneyOf is the life of the messages that an export tells of; nil: it tells of none. Callers must not change it.
func JourneyOf(library *schemas.Library, export schemas.Export) []world.Step {
	type key struct{ kind string }
	return schemas.Derived(library, key{export.Kind}, func() []world.Step {
		root := []*jsonschema.Schema{library.Schema(export.Output)}
		if export.Format != "csv" {
			root = merged.Of(root, nil).Items()
		}
		return Journey(merged.Of(root, nil), library)
	})
}

// Events are the events of a file: those that its request asks for, and those that come unasked; nil: all.
func Events(library *schemas.Library, export schemas.Export, row merged.Schema, requested []string) []string {
	events := Requested(library, export, "events").WireNames(requested)
	if events == nil {
		return nil
	}
	for _, name := range row.Names(library) {
		for _, s := range merged.Of(row.Property(name), nil) {
			events = append(events, schemas.KeywordsOf(s).Unasked...)
		}
	}
	return events
}

// Journey is the life of a message: the steps that the schema gives, and a
// step of its own for each further value that its event type allows.
func Journey(all merged.Schema, library *schemas.Library) []world.Step {
	for _, name := range all.Names(library) {
		property := merged.Of(all.Property(name), nil)
		keywords := property.Keywords()
		if keywords.Source != vocabulary.EventType {
			continue
		}
		var steps []world.Step
		for _, step := range keywords.Journey {
			steps = append(steps, world.Step{
				Event: step.Event, After: step.After, Rate: step.Rate, Delay: step.Delay, Unless: step.Unless, Channel: step.Channel,
				Consent: step.Consent, Person: step.Person, Burst: step.Burst, Machine: world.Machine(step.Machine), Again: world.Again(step.Again),
			})
		}
		stated := len(steps)
		for _, allowed := range property.Enum() {
			event, is := allowed.(string)
			if !is || slices.ContainsFunc(steps, func(s world.Step) bool { return s.Event == event }) {
				continue
			}
			added := world.Step{Event: event}
			if stated > 0 {
				added = world.Step{Event: event, After: firstStep(steps[:stated], event), Rate: defaultRate, Delay: defaultDelay}
			}
			steps = append(steps, added)
		}
		return steps
	}
	return nil
}

// firstStep is the step that an event without one follows: the beginning of the messages of its channel, if its name says which
// (push_dismissed), and else the first step.
func firstStep(steps []world.Step, event string) string {
	for _, step := range steps {
		if step.After == "" && step.Channel != "" && strings.HasPrefix(event, step.Channel+"_") {
			return step.Event
		}
	}
	return steps[0].Event
}
