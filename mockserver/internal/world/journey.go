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
	Spread  float64 // the power to which the ratio of a delay to the typical one is raised; 0: 1
	Unless  []string
	Channel string // of a first step: email, sms or push; the message then needs an address and consent
	Consent string // email or sms: the step is that person's withdrawal of consent
	Person  bool   // the person does it: some do it far more often than others
	Burst   bool   // of a first step: messages go out in bursts, not all the time
	// Machine is the part of those that reach the step of which a machine does it, soon
	// after the step before: it does so only once, and nothing follows.
	Machine Machine
	// Again is how many of those that the step happened to it happens to again, and so on.
	Again Again
}

// journey is a checked list of steps, a forest: every step but the roots has a
// parent.
type journey struct {
	steps  []step
	roots  []int
	rooted [maxSteps]stepSet // by root: the steps that follow from it, and itself
}

type step struct {
	name   string
	parent int // -1 for a first step
	root   int
	// place is the number of the step among those of its root. What is drawn for
	// a step depends on it, so that interfaces that list the same life of a
	// message among others, or under other names, tell the same.
	place   int
	salt    uint64 // of its place
	rate    activityRate
	delay   delay
	unless  []int
	channel channel
	share   float64 // of the ends of its kind, against others
	variant variant
	nature  nature
}

// delay is how long after the step before it a step happens.
type delay struct {
	median float64 // seconds
	spread float64 // 0: as usual
	salt   uint64
}

// nature is what kind of step it is.
type nature struct {
	inApp   bool // it happens in the app: nobody does it who does not start the app
	patient bool // people do it when they come to it, some after days
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
func newJourney(stated []Step, rates map[string]float64, mixes *[channels]levelMix) (*journey, error) {
	steps, variants := withVariants(stated, rates)
	if len(steps) > maxSteps {
		return nil, fmt.Errorf("journey: %d steps, with those of machines and those that come again; at most %d are allowed", len(steps), maxSteps)
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
			name: steps[variants[i].event].Event, parent: -1, root: i, delay: delay{median: s.Delay.Seconds(), spread: s.Spread}, channel: kind,
			variant: variants[i], nature: nature{consent: s.Consent != "", burst: s.Burst},
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
		j.steps[i].salt, j.steps[i].delay.salt = saltOf(uint64(j.steps[i].place)), saltOf(uint64(j.steps[i].place)+maxSteps)
		j.rooted[root].add(i)
		at := &j.steps[i]
		at.nature.inApp = at.parent >= 0 && at.channel == channelPush && steps[at.variant.event].Person
		rate := steps[i].Rate
		at.share = rate
		at.nature.patient = steps[i].Person && at.channel != channelNone
		weights := levelWeights{awake: &alwaysAwake, acting: steadyLevels()}
		if mixes != nil {
			weights.acting = mixes[at.channel]
		}
		if weights.reached = &engagement; at.channel == channelNone {
			weights.reached = &awakeShare
		}
		if at.nature.inApp {
			weights.awake = &awakeShare
		}
		for _, other := range at.unless {
			j.steps[other].nature.fails = j.steps[other].parent == root && at.parent == root
		}
		switch {
		case at.variant.machine:
			share := min(rate/machineDoes, 1)
			at.variant.behind, at.rate = chanceOf(share), uniformRate(ratio(rate, share))
		case !steps[i].Person:
			at.rate = uniformRate(rate)
		default:
			at.rate = rateByLevel(rate, &activity, weights)
		}
	}
	return j, nil
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

// stepsOf are the steps of the messages of a channel.
func (j *journey) stepsOf(by channel) (steps stepSet) {
	for i := range j.steps {
		if j.steps[i].channel == by {
			steps.add(i)
		}
	}
	return steps
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

// patientScale is delayScale for what people do in their own time: the midpoints of
// sixteen equal parts of a log-normal distribution with a median of one and a sigma of
// 2.5. Of e-mails with a median of three hours, a third is opened within one hour, three
// fifths within six, four fifths within a day, and one in sixteen after a week.
var patientScale = [delayClasses]float64{
	0.009497, 0.03707, 0.08006, 0.1436, 0.2351, 0.3658, 0.5527, 0.822, 1.217, 1.809, 2.734, 4.254, 6.966, 12.49, 26.98, 105.3,
}

// Every message has a delay class, which scales the delays of its steps: the
// factors are the midpoints of sixteen equal parts of an exponential
// distribution. They are written out, not computed, so that every machine has
// the same ones.
const delayClasses = 16

var delayScale = [delayClasses]float64{
	0.032, 0.098, 0.170, 0.247, 0.330, 0.421, 0.521, 0.633, 0.758, 0.901, 1.068, 1.269, 1.520, 1.856, 2.367, 3.466,
}
