package world

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Step is one kind of event in the life of a message (the schema keyword x-journey). A step without After begins a message; any
// other follows its predecessor with probability Rate, typically Delay later, unless one of the Unless steps happened.
type Step struct {
	Event   string
	After   string
	Rate    float64
	Delay   time.Duration
	Unless  []string
	Channel string
	Consent string // the step is a withdrawal of consent
	Person  bool   // the person does it
	Burst   bool
	Machine Machine
	Again   Again
}

// Machine is which part of those that reach a step a machine takes to it.
type Machine struct {
	Share float64
	Delay time.Duration
}

// Again is how many of those that took a step take it again.
type Again struct {
	Rate  float64
	Delay time.Duration
}

// journey is a checked list of steps.
type journey struct {
	steps  []step
	roots  []int
	behind [][]int // by root: the steps of it, in order
	// opens are the first steps that people take, by channel, and clicks those that follow from them; 0: there is none.
	opens, clicks [channels]int
}

// step is a step with the steps that it depends on.
type step struct {
	parent  int // -1: none
	root    int
	unless  []int
	channel channel
	salt    uint64
	rate    float64
	delay   int64
	delays  *quantiles
	is      nature
	machine struct {
		has, does chance
		delay     int64
	}
	again struct {
		rate  chance
		delay int64
	}
	// bounds are, by campaign and level, how likely a person does it.
	bounds [][16]chance
	// attention is how seldom people of a level look at messages at all: in one week of two to this power.
	attention [16]uint8
}

// nature is what kind of step it is.
type nature struct {
	person    bool
	follows   bool // it follows what a person did
	withdraws bool
	fails     bool // other steps do not happen if it does
	inApp     bool // the message has no channel
	complains bool // the provider of the mailbox tells of it
}

// A machine takes nearly every message of those that it serves.
const machineDoes = 0.9

// otherNames are those that events of push messages have in other files. A rate that is set for one name is that of both.
var otherNames = map[string]string{
	"push_open": "push_opened", "push_opened": "push_open", "push_bounced": "push_error", "push_error": "push_bounced",
}

// newJourney checks steps and computes the rate of each in a world. A step stands behind the steps that it refers to.
func (w *World) newJourney(given []Step) (*journey, error) {
	j := &journey{behind: make([][]int, len(given))}
	place, count := map[string]int{}, make([]uint64, len(given))
	for i, of := range given {
		if _, twice := place[of.Event]; twice {
			return nil, fmt.Errorf("journey: step %q is there twice", of.Event)
		}
		s := step{
			parent: -1, root: i, rate: of.Rate, delay: int64(of.Delay / time.Second), delays: &exponential,
			is: nature{person: of.Person, withdraws: of.Consent != "", complains: of.Event == "email_spam_complaint"},
		}
		for _, name := range []string{max(of.Event, otherNames[of.Event]), min(of.Event, cmp.Or(otherNames[of.Event], of.Event))} {
			if set, is := w.settings.Rates[name]; is {
				s.rate = set // for push_open and push_bounced before the other names
			}
		}
		for _, name := range append(slices.Clone(of.Unless), of.After) {
			other, known := place[name]
			switch {
			case name == "":
			case !known:
				return nil, fmt.Errorf("journey: step %q refers to %q, which is no step before it", of.Event, name)
			case name == of.After:
				s.parent = other
			default:
				s.unless = append(s.unless, other)
			}
		}
		if s.parent >= 0 {
			before := &j.steps[s.parent]
			s.channel, s.is.inApp, s.root = before.channel, before.is.inApp, before.root
			j.behind[s.root] = append(j.behind[s.root], i)
		} else {
			at := slices.Index(channelNames[:], of.Channel)
			if at < 0 && of.Channel != "" {
				return nil, fmt.Errorf("journey: step %q has channel %q; email, sms and push are known", of.Event, of.Channel)
			}
			s.channel, s.is.inApp = channel(max(at, 0)), at < 0
			j.roots = append(j.roots, i)
		}
		// Interfaces that list the same life of a message among others, or under other names, tell the same: what is drawn depends on
		// the place of a step among those of its root.
		count[s.root]++
		s.salt = mix(count[s.root])
		if s.is.person {
			s.delays = &patient
			if s.channel == channelEmail {
				s.delays = &whenever
			}
		}
		place[of.Event] = i
		j.steps = append(j.steps, s)
	}
	for i := range j.steps {
		s, of := &j.steps[i], &given[i]
		for _, other := range s.unless {
			if s.parent >= 0 && j.steps[s.parent].parent < 0 && j.steps[other].parent == s.parent {
				j.steps[other].is.fails = true
			}
		}
		s.again.rate, s.again.delay = chanceOf(of.Again.Rate), int64(of.Again.Delay/time.Second)
		personal := s.rate
		if share := float64(of.Machine.Share * s.rate); share > 0 {
			has := min(share/machineDoes, 1)
			s.machine.has, s.machine.does, s.machine.delay = chanceOf(has), chanceOf(share/has), int64(of.Machine.Delay/time.Second)
			personal = (s.rate - share) / max(1-has, .01)
		}
		if s.parent >= 0 && given[s.parent].Machine.Share > 0 && !s.is.withdraws {
			personal = min(s.rate/(1-given[s.parent].Machine.Share), 1) // nothing follows a machine open
		}
		s.is.follows = !s.is.person && s.parent >= 0 && j.steps[s.parent].is.person && !s.is.inApp
		s.bounds = w.boundsOf(s, personal)
		for level := range levels {
			top := 0.0 // of all campaigns, on all platforms
			for i := range s.bounds {
				top = max(top, float64(s.bounds[i][level])*most*slices.Max(platformOpens[:]))
			}
			for ; s.is.person && !s.is.inApp && top*2 < float64(chanceOf(1)) && s.attention[level] < mostAttention; top *= 2 {
				s.attention[level]++
			}
			for i := range s.bounds {
				s.bounds[i][level] <<= s.attention[level]
			}
		}
		switch of := s.channel; {
		case s.is.person && !s.is.inApp && j.opens[of] == 0:
			j.opens[of] = i
		case s.is.follows && j.clicks[of] == 0:
			j.clicks[of] = i
		}
	}
	return j, nil
}

// boundsOf are, by campaign and level, how likely a step is whose mean is a rate.
func (w *World) boundsOf(s *step, rate float64) [][16]chance {
	made := make([][16]chance, len(w.campaigns))
	factorOf := func(c *campaign, level int) float64 {
		if s.is.follows {
			return c.clicks * 256 / clickShare
		}
		return c.opens * float64(levels[level]) / 1024
	}
	likely := func(scale float64, c *campaign, level int) float64 {
		return min(scale*factorOf(c, level), max(rate, .97))
	}
	if s.is.inApp || !s.is.person && !s.is.follows {
		for i := range made {
			for level := range levels {
				made[i][level] = chanceOf(rate)
			}
		}
		return made
	}
	// The scale is found for which the mean is the rate, though some people never click, and others are away, or too late.
	part := clickShare / 256.0
	if s.is.person {
		part = float64(w.odds.awake * s.delays.within(lives[s.channel], s.delay))
	}
	mean := func(scale float64) (sum, all float64) {
		for i := range w.campaigns {
			c := &w.campaigns[i]
			if c.channel != s.channel {
				continue
			}
			volume := c.volume
			if s.is.follows {
				volume *= c.opens
			}
			for level := range levels {
				sum += float64(volume * part * likely(scale, c, level))
				all += volume
			}
		}
		return sum, all
	}
	low, high := 0.0, 64.0
	for range 40 {
		middle := (low + high) / 2
		if sum, all := mean(middle); sum < rate*all {
			low = middle
		} else {
			high = middle
		}
	}
	for i := range w.campaigns {
		for level := range levels {
			made[i][level] = chanceOf(likely(high, &w.campaigns[i], level))
		}
	}
	return made
}

// messageLife is how long anything of a message happens, and pushLife of one that is no mail.
const (
	messageLife = 14 * day
	pushLife    = 3 * day
	mostAgain   = 5
	// mostAttention is the largest attention of a step: people look at messages once in eight weeks, or more often.
	mostAttention = 3
)

var lives = [channels]int64{channelEmail: messageLife, channelSMS: pushLife, channelPush: pushLife}

// follow draws what becomes of a message, in the order of its steps: nothing happens once the address is gone, or the consent. What a
// message brought about is known by its key.
func (p *Person) follow(j *journey, root int, s *sending, key uint64, device int, until int64, ended *change) []happening {
	list := append(p.happenings[:0], happening{at: s.at, step: root})
	life := min(s.at+lives[j.steps[root].channel], until)
	var reached [64]int32 // by step: the place in list, plus one
	reached[root] = 1
	withdraws := -1
	if ended != nil && ended.kind == changeConsent {
		withdraws = j.withdrawal(root, key, p.mailbox(p.standing(channelEmail, -1, s.at).version).name == tellsNobody)
	}
steps:
	for _, i := range j.behind[root] {
		step := &j.steps[i]
		if i >= len(reached) || reached[step.parent] == 0 {
			continue
		}
		for _, other := range step.unless {
			if reached[other] != 0 {
				continue steps
			}
		}
		before := list[reached[step.parent]-1]
		if before.machine {
			continue
		}
		drawn := mix(key ^ step.salt)
		made := happening{step: i}
		switch {
		case step.is.withdraws:
			if i != withdraws {
				continue
			}
			made.at = ended.at
		case step.is.fails && ended != nil:
			if ended.kind == changeConsent {
				continue
			}
			made.at, made.final = ended.at-1, true
		default:
			if !p.takes(step, s, device, drawn, &made) {
				continue
			}
			if made.machine {
				made.at = before.at + 1 + exponential.draw(mix(drawn), step.machine.delay)
			} else if made.at = before.at + 1 + step.delays.draw(mix(drawn), step.delay); step.is.person {
				if made.at = p.awakeAt(made.at, drawn); !p.isActive(made.at) {
					continue
				}
			}
		}
		if made.at >= life && !(ended != nil && made.at <= ended.at && (step.is.withdraws || made.final)) {
			continue
		}
		list = append(list, made)
		reached[i] = int32(len(list))
		for again := mix(drawn + 1); !made.machine && made.nth < mostAgain && step.again.rate.holds(again); again = mix(again) {
			made.at += 1 + patient.draw(mix(again+1), step.again.delay)
			if made.nth++; made.at >= life || step.is.person && !p.isActive(made.at) {
				break
			}
			list = append(list, made)
		}
	}
	p.happenings = list
	return list
}

func (p *Person) attends(step *step, week int64) bool {
	weeks := step.attention[p.who.level]
	return weeks == 0 || (keyed(p.key^step.salt, uint64(week)>>weeks)+uint64(week))&(1<<weeks-1) == 0
}

// takes reports whether a message takes a step, and whether a machine does it.
func (p *Person) takes(step *step, s *sending, device int, drawn uint64, made *happening) bool {
	if step.machine.has > 0 && step.machine.has.holds(p.who.machine) {
		made.machine = true
		return step.machine.does.holds(drawn)
	}
	if step.is.follows && !p.who.clicks {
		return false
	}
	if step.is.person && !p.attends(step, s.week) {
		return false
	}
	bound := step.bounds[s.campaign.number][p.who.level]
	if step.is.person && device >= 0 {
		bound = chance(float64(bound) * platformOpens[p.installations[device].platform])
	}
	if step.is.person && s.campaign.tested {
		bound = chance(float64(bound) * s.campaign.gain(p.key, s.week))
	}
	return bound.holds(drawn)
}

// tellsNobody is the provider of mailboxes that tells nobody of complaints.
const tellsNobody = "Postbox"

// withdrawal is the step by which a message ends a consent, by how often each does; -1: there is none. In silence nobody is told of
// complaints.
func (j *journey) withdrawal(root int, key uint64, silence bool) int {
	found, all := -1, 0.0
	for i := range j.steps {
		if s := &j.steps[i]; s.is.withdraws && s.channel == j.steps[root].channel && s.rate > 0 && !(silence && s.is.complains) {
			all += s.rate
			if found < 0 || float64(mix(key+uint64(i))>>11)*all < s.rate*(1<<53) {
				found = i
			}
		}
	}
	return found
}
