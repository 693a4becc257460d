package check

import (
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
	if step := plan.Step(r.value(eventType)); r.value(customID) == "" || !r.hasTime || step < 0 || plan.Channel[step] != "push" {
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
}

func (s *sendings) add(e *engine, r *row) {
	if r.time != s.now {
		s.flush(e)
		s.now = r.time
	}
	switch e.files[r.file].export.View {
	case vocabulary.ViewInstallationMessages:
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
		for _, f := range e.files {
			if f.export.View == vocabulary.ViewProfileMessages && e.coverage.covers(f.streamName(), event, s.now, s.now) {
				e.assert(rules.Sendings, s.inEvents[event], s.legacy[i].at, nil, "no %s of the profile at %s, though the files cover that time", event, s.now)
				break
			}
		}
	}
	s.legacy, s.events, s.inEvents = s.legacy[:0], s.events[:0], nil
}
