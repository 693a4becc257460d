package world

import (
	"strconv"
	"time"
)

// Machine is what machines do, such as the proxy of a mailbox that loads the pictures
// of each message.
type Machine struct {
	Share  float64       // from 0 to 1
	Delay  time.Duration // after the step before, typically
	Spread float64
}

// machineDoes is how often a machine does it for those whom it serves: whether there is one depends on the person, as their mailbox
// has a proxy or not, and hardly on the message.
const machineDoes = 0.95

// Again is how a step comes again.
type Again struct {
	Rate   float64       // from 0 to 1
	Delay  time.Duration // since the last time, typically
	Spread float64
}

// mostRepeats is how often a step comes again at most.
const mostRepeats = 2

// variant is what tells the steps of one event apart.
type variant struct {
	event   int    // the step as it is stated
	machine bool   // done by a machine
	behind  chance // of what machines do: who has one
	repeat  uint8  // the how manieth time again, from 1; 0: the first time
}

// withVariants are steps with their rates as set, and behind them a step for each thing
// that a machine does, and for each that comes again, under a name that none else has.
func withVariants(stated []Step, rates map[string]float64) (steps []Step, variants []variant) {
	people := map[string]float64{} // by event: which part of those it happens to do it themselves
	for i, s := range stated {
		s.Rate = rateOf(s, rates)
		if part, is := people[s.After]; is {
			s.Rate = min(s.Rate/part, 1) // of what people do
		}
		steps, variants = append(steps, s), append(variants, variant{event: i})
		if s.Machine.Share > 0 {
			people[s.Event] = 1 - s.Machine.Share
		}
	}
	for i := range stated {
		s := steps[i]
		if s.Machine.Share > 0 {
			name, rate := s.Event+" \x00 machine", float64(s.Rate*s.Machine.Share)
			steps = append(steps, Step{Event: name, After: s.After, Rate: rate, Delay: s.Machine.Delay, Spread: s.Machine.Spread, Unless: s.Unless})
			variants = append(variants, variant{event: i, machine: true})
			if rate < 1 {
				steps[i].Rate = (s.Rate - rate) / (1 - rate)
			}
			steps[i].Unless = append(s.Unless[:len(s.Unless):len(s.Unless)], name)
		}
		after := s.Event
		for repeat := uint8(1); repeat <= mostRepeats && s.Again.Rate > 0; repeat++ {
			name := s.Event + " \x00 again " + strconv.Itoa(int(repeat))
			steps = append(steps, Step{Event: name, After: after, Rate: s.Again.Rate, Delay: s.Again.Delay, Spread: s.Again.Spread})
			variants = append(variants, variant{event: i, repeat: repeat})
			after = name
		}
	}
	return steps, variants
}

// sameEvents are the names that one event of push messages has in the two
// interfaces: a rate that is set for one of them is that of both.
var sameEvents = map[string]string{
	"push_opened": "push_open", "push_open": "push_opened", "push_error": "push_bounced", "push_bounced": "push_error",
}

// rateOf is the rate of a step, as set or as its schema has it.
func rateOf(s Step, rates map[string]float64) float64 {
	for _, name := range []string{s.Event, sameEvents[s.Event]} {
		if set, is := rates[name]; is {
			return set
		}
	}
	return s.Rate
}
