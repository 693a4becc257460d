package world

import (
	"fmt"
	"math/bits"
	"time"
)

// Step is one kind of event in the life of a message (the schema keyword
// x-journey). A step without After begins a message; any other follows its
// predecessor with probability Rate, typically Delay later, unless one of the
// Unless steps happens to the same message.
type Step struct {
	Event   string // the name that the exports print
	After   string
	Rate    float64 // from 0 to 1
	Delay   time.Duration
	Unless  []string
	Channel string // of a first step: email, sms or push; the message then needs an address and consent
	Consent string // email or sms: the step is that person's withdrawal of consent
	Person  bool   // the person does it: some do it far more often than others
	Burst   bool   // of a first step: messages go out in bursts, not all the time
}

// journey is a checked list of steps, a forest: every step but the roots has a
// parent.
type journey struct {
	steps  []step
	roots  []int
	rooted [maxSteps]stepSet // by root: the steps that follow from it, and itself
	human  stepSet           // those that no machine does: they follow an open that a person made
}

type step struct {
	name   string
	parent int // -1 for a first step
	root   int
	// place is the number of the step among those of its root. What is drawn for
	// a step depends on it, so that interfaces that list the same life of a
	// message among others, or under other names, tell the same.
	place   int
	rate    activityRate
	delay   float64 // seconds
	unless  []int
	channel channel
	share   float64 // of the ends of its kind, against others
	nature
}

// nature is what kind of step it is.
type nature struct {
	inApp   bool // it happens in the app: nobody does it who does not start the app
	fails   bool // other steps do not happen if it does
	consent bool
	burst   bool
}

type channel uint8

const (
	channelNone channel = iota
	channelEmail
	channelSMS
	channelPush
	channels // how many there are
)

var channelNames = []string{"", "email", "sms", "push"}

func channelNamed(name string) (channel, bool) {
	for i, known := range channelNames {
		if name == known {
			return channel(i), true
		}
	}
	return channelNone, false
}

const maxSteps = 64

// newJourney makes one of steps, some with other rates. The levels at which people act
// on the messages of a channel are those of mixes; nil: their own.
func newJourney(steps []Step, rates map[string]float64, mixes *[channels]levelMix) (*journey, error) {
	if len(steps) > maxSteps {
		return nil, fmt.Errorf("journey: %d steps, at most %d are allowed", len(steps), maxSteps)
	}
	index := map[string]int{}
	for i, s := range steps {
		if _, twice := index[s.Event]; twice {
			return nil, fmt.Errorf("journey: step %q is there twice", s.Event)
		}
		index[s.Event] = i
	}
	find := func(s Step, name string) (int, error) {
		i, found := index[name]
		if !found {
			return 0, fmt.Errorf("journey: step %q refers to %q, which is no step", s.Event, name)
		}
		return i, nil
	}
	j := &journey{}
	for i, s := range steps {
		kind, known := channelNamed(s.Channel)
		if !known {
			return nil, fmt.Errorf("journey: step %q has channel %q; email, sms and push are known", s.Event, s.Channel)
		}
		made := step{
			name: s.Event, parent: -1, root: i, delay: s.Delay.Seconds(), channel: kind,
			nature: nature{consent: s.Consent != "", burst: s.Burst},
		}
		if s.After != "" {
			parent, err := find(s, s.After)
			if err != nil {
				return nil, err
			}
			made.parent = parent
		} else {
			j.roots = append(j.roots, i)
		}
		for _, name := range s.Unless {
			other, err := find(s, name)
			if err != nil {
				return nil, err
			}
			made.unless = append(made.unless, other)
		}
		j.steps = append(j.steps, made)
	}
	if len(steps) > 0 && len(j.roots) == 0 {
		return nil, fmt.Errorf("journey: no step begins a message (one without \"after\")")
	}
	if err := j.refuseCircles(); err != nil {
		return nil, err
	}
	for i := range j.steps {
		root := i
		for j.steps[root].parent >= 0 {
			root = j.steps[root].parent
		}
		j.steps[i].root, j.steps[i].channel = root, j.steps[root].channel
		j.steps[i].place = bits.OnesCount64(uint64(j.rooted[root]))
		j.rooted[root].add(i)
		at := &j.steps[i]
		human := at.channel == channelEmail && at.parent >= 0 && steps[at.parent].Person
		at.inApp = at.parent >= 0 && (at.channel == channelNone || at.channel == channelPush && steps[i].Person)
		rate := rateOf(steps[i], rates)
		at.share = rate
		weights := levelWeights{awake: &alwaysAwake, acting: steadyLevels()}
		if mixes != nil {
			weights.acting = mixes[at.channel]
		}
		if at.channel != channelNone {
			weights.reached = &engagement
		}
		if at.inApp {
			weights.awake = &awakeShare
		}
		if human { // of the opens of people
			j.human.add(i)
			rate = min(rate*machineOpens/(machineOpens-1), 1)
		}
		for _, other := range at.unless {
			j.steps[other].fails = j.steps[other].parent == root && at.parent == root
		}
		switch {
		case !steps[i].Person:
			at.rate = uniformRate(rate)
		default:
			at.rate = rateByLevel(rate, &activity, weights)
		}
	}
	return j, nil
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

// rootsOf are the first steps of a channel.
func (j *journey) rootsOf(by channel) (roots []int) {
	for _, root := range j.roots {
		if j.steps[root].channel == by {
			roots = append(roots, root)
		}
	}
	return roots
}

func (j *journey) refuseCircles() error {
	const entered, left = 1, 2
	marks := make([]int, len(j.steps))
	var walk func(int) error
	walk = func(i int) error {
		switch marks[i] {
		case left:
			return nil
		case entered:
			return fmt.Errorf("journey: step %q depends on itself", j.steps[i].name)
		}
		marks[i] = entered
		needs := j.steps[i].unless
		if j.steps[i].parent >= 0 {
			needs = append([]int{j.steps[i].parent}, needs...)
		}
		for _, other := range needs {
			if err := walk(other); err != nil {
				return err
			}
		}
		marks[i] = left
		return nil
	}
	for i := range j.steps {
		if err := walk(i); err != nil {
			return err
		}
	}
	return nil
}

// Every message has a delay class, which scales the delays of its steps: the
// factors are the midpoints of sixteen equal parts of an exponential
// distribution. They are written out, not computed, so that every machine has
// the same ones.
const delayClasses = 16

var delayScale = [delayClasses]float64{
	0.032, 0.098, 0.170, 0.247, 0.330, 0.421, 0.521, 0.633, 0.758, 0.901, 1.068, 1.269, 1.520, 1.856, 2.367, 3.466,
}
