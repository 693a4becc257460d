package check

import (
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// inApp reports whether an event happens in an app that was started.
func inApp(event string) bool {
	switch event {
	case "push_open", "push_opened", "inapp_shown", "inapp_clicked", "inapp_closed":
		return true
	}
	return false
}

// checkStarts checks that a snapshot from after an event knows of the start of the app.
func (e *engine) checkStarts(r *row, shown *snapshot, of source) {
	if started, ok := shown.date(of); ok && inApp(r.value(eventType)) && r.time < shown.shownAt.from {
		e.assert(rules.Starts, r.time <= started, r.place, &shown.place, "%s at %s, but %s is %s",
			r.value(eventType), r.time, e.nameOf(e.files[shown.file], of), started)
	}
}

// checkEnded checks that nothing is sent to an address that is gone.
func (s *profileSweep) checkEnded(r *row, sent bool) {
	address := r.value(emailAddress)
	if address == "" {
		return
	}
	if gone, found := s.gone[address]; found && sent {
		s.assert(rules.Ended, r.time <= gone.time, r.place, &gone.at, "%s at %s to an address from which mail bounced for good at %s",
			r.value(eventType), r.time, gone.time)
	} else if !found && r.value(bounceType) == "hard" {
		s.gone[address] = occurrence{r.time, r.place}
		s.assert(rules.Ended, true, r.place, nil, "")
	}
}

// pushEvents are the names that the events of push messages have in the EVENTS export, by those of the legacy interface.
var pushEvents = map[string]string{"push_sent": "push_sent", "push_opened": "push_open", "push_error": "push_bounced"}

// collectSending passes an event of a push message on to the sweep over customers.
func (e *engine) collectSending(r *row) error {
	plan := e.journeys[e.files[r.file].export.Kind]
	if step := plan.step(r.value(eventType)); r.value(customID) == "" || !r.hasTime || step < 0 || plan.channel[step] != "push" {
		return nil
	}
	about := *r
	about.class = untimedRow // they are no rows of their own
	return e.collect(e.customers, r.value(customID), &about, sendingValues)
}

// sendings are the events of push messages to one person in one second.
type sendings struct {
	now      moment
	legacy   []occurrence
	events   []string        // of legacy
	inEvents map[string]bool // by the EVENTS export
	// streams are, by their names, campaigns and groups: what both tell, and what the EVENTS export lacks.
	streams map[string]*filePair
}

func (s *sendings) add(e *engine, r *row) {
	if r.time != s.now {
		s.flush(e)
		s.now = r.time
	}
	switch e.files[r.file].export.View {
	case vocabulary.ViewInstallationMessages:
		if name := e.files[r.file].streamName(); s.streams[name] == nil {
			s.streams[name] = &filePair{}
		}
		s.legacy, s.events = append(s.legacy, occurrence{r.time, r.place}), append(s.events, pushEvents[r.value(eventType)])
	case vocabulary.ViewProfileMessages:
		if s.inEvents == nil {
			s.inEvents = map[string]bool{}
		}
		s.inEvents[r.value(eventType)] = true
	}
}

// flush compares the events of a second.
func (s *sendings) flush(e *engine) {
	for i, event := range s.events {
		at, of := s.legacy[i].at, s.streams[e.files[s.legacy[i].at.file].streamName()]
		covers := func(f *file) bool {
			return f.export.View == vocabulary.ViewProfileMessages && e.coverage.covers(f.streamName(), event, s.now, s.now)
		}
		switch {
		case !slices.ContainsFunc(e.files, covers):
		case s.inEvents[event]:
			of.both++
		default:
			of.onlyOne++
			of.missing = e.appendExample(of.missing, sharedRow{time: s.now, at: at, event: event})
		}
	}
	s.legacy, s.events, s.inEvents = s.legacy[:0], s.events[:0], nil
}

// fewShared: of the events of a group of which it does not tell, the EVENTS export has at most one in so many, by chance.
const fewShared = 20

// report reports the events of push messages that the EVENTS export lacks. It may lack all of a group, which then is sent by an
// orchestration of which it does not tell, such as one of another project.
func (s *sendings) report(e *engine) {
	t := e.tallies[rules.Sendings]
	for _, f := range e.files {
		of := s.streams[f.streamName()]
		delete(s.streams, f.streamName()) // once for all parts
		if of == nil || f.export.Target == "group" && fewShared*of.both < of.both+of.onlyOne {
			if of != nil {
				e.note(rules.Sendings, "%s is of a group of which the EVENTS export tells nothing", f.input.Name)
			}
			continue
		}
		for _, r := range of.missing {
			e.assert(rules.Sendings, false, r.at, nil, "no %s of the profile at %s, though the files cover that time", r.event, r.time)
		}
		rest := of.onlyOne - int64(len(of.missing))
		t.checked, t.violations = t.checked+of.both+rest, t.violations+rest
	}
}
