package world

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Campaigns differ: an orchestration has an effect, the number of levels of
// activity by which people open and click its messages as if they were more
// active, or less. It wears off: a new design does better for a while, and worse
// before the next one. A third of the orchestrations begin each design with an A/B test, and
// go on with the variant that did better.
// See docs/explanation/world.md#why-does-one-campaign-do-better-than-another
const (
	designWeeks = 26
	freshWeeks  = 8  // in which a design does better
	tiredWeeks  = 8  // in which it does worse, before the next one
	testWeeks   = 6  // at the beginning of a design
	bestEffect  = 3  // of an orchestration, and the worst with the sign turned
	setEffect   = 10 // the best that settings can say, and the worst
	mostEffect  = setEffect + 2
)

// orchestrations are all those of a world.
type orchestrations struct {
	all     []orchestration
	parts   []orchestrationPart
	effects []effect           // by orchestration
	mixes   [channels]levelMix // of the messages of a channel
}

func newOrchestrations(key uint64, settings *Settings) (made orchestrations) {
	made.all = orchestrationsOf(orDefault(settings.Campaigns, DefaultCampaigns))
	sendLocally(key, made.all, localSending)
	made.parts, made.effects = partsOf(made.all), effectsOf(key, made.all)
	for of := range made.mixes {
		made.mixes[of] = mixOf(channel(of), made.all, made.effects)
	}
	return made
}

// effect is how an orchestration does.
type effect struct {
	key    uint64
	base   int
	more   int64 // in how many weeks of a design it is one level higher
	phase  int64 // of its designs, in weeks
	tested bool
	inApp  bool // its quality is one in the app: see [levelInApp]
}

// effectsOf are those of orchestrations. Those of a channel are spread evenly from
// the worst to the best, so the mean hardly depends on how many there are.
func effectsOf(key uint64, all []orchestration) []effect {
	made := make([]effect, len(all))
	var ranks [channels][]int
	for i, o := range all {
		made[i].key = draw(key, uint64(i))
		made[i].phase = below(mix(made[i].key+1), designWeeks)
		made[i].tested = made[i].key%3 == 0
		ranks[o.channel] = append(ranks[o.channel], i)
	}
	for of, list := range ranks {
		slices.SortFunc(list, func(a, b int) int { return cmp.Compare(made[a].key, made[b].key) })
		if channel(of) == channelPush {
			setQuality(made, list, usualPushQuality, true)
			continue
		}
		for rank, i := range list {
			made[i].base = (2*bestEffect+1)*(2*rank+1)/(2*len(list)) - bestEffect
		}
	}
	return made
}

// weeksInto is how many weeks before its design began.
func (e *effect) weeksInto(week int64) int64 { return (week + e.phase) % designWeeks }

// testing reports whether both variants go out in a week.
func (e *effect) testing(week int64) bool { return e.tested && e.weeksInto(week) < testWeeks }

// winner is the better of the variants 0 and 1 of the design of a week.
func (e *effect) winner(week int64) uint64 {
	return mix(e.key+2+uint64((week+e.phase)/designWeeks)) & 1
}

// secondVariant are the members of a block that get variant 1 in a week.
func (e *effect) secondVariant(week, block int64) memberSet {
	switch {
	case e.testing(week):
		return memberSet(draw(e.variantKey(week), uint64(block)))
	case e.winner(week) == 1:
		return wholeBlock
	}
	return 0
}

// moreEvery spreads the weeks of a design in which an effect is one level higher.
const moreEvery = 7

// in is the effect in a week, on those who get the variant that wins, and on
// those who get the other one; testing: both go out.
func (e *effect) in(week int64) (winning, losing int, testing bool) {
	of, into := e.base, e.weeksInto(week)
	if into*moreEvery%designWeeks < e.more {
		of++
	}
	switch {
	case e.inApp: // it does not wear off
	case into < freshWeeks:
		of++
	case into >= designWeeks-tiredWeeks:
		of--
	}
	if e.tested {
		return of + 1, of - 1, into < testWeeks
	}
	return of, of, false
}

// weekEffect is an effect in one week.
type weekEffect struct {
	winning, losing int // as [effect.in] says
	testing, second bool
	inApp           bool
	key             uint64 // of who gets the second variant
}

// effectsIn are the effects of the orchestrations in the week of a plan, which keeps them.
func (w *World) effectsIn(plan *weekPlan) []weekEffect {
	if kept := plan.effects.Load(); kept != nil {
		return *kept
	}
	made := make([]weekEffect, len(w.orchestrations.effects))
	for i := range made {
		e, of := &w.orchestrations.effects[i], &made[i]
		of.winning, of.losing, of.testing = e.in(plan.week)
		of.second, of.key, of.inApp = e.winner(plan.week) == 1, e.variantKey(plan.week), e.inApp
	}
	plan.effects.Store(&made)
	return made
}

// won are the members of a block that get the variant that wins, while both go out.
func (e *weekEffect) won(block int64) memberSet {
	second := memberSet(draw(e.key, uint64(block)))
	if e.second {
		return second
	}
	return ^second
}

// variantKey is the key of who gets variant 1 in a week in which both go out.
func (e *effect) variantKey(week int64) uint64 { return e.key + uint64((week+e.phase)/designWeeks) }

// variantOf is the key of a message to a profile, in whose last bit is its variant.
func (w *World) variantOf(key uint64, orchestration int32, week, profile int64) uint64 {
	if int(orchestration) >= len(w.orchestrations.effects) || !w.orchestrations.effects[orchestration].tested {
		return key
	}
	key &^= 1
	if w.orchestrations.effects[orchestration].secondVariant(week, profile>>blockBits)&setOf(profile) != 0 {
		key |= 1
	}
	return key
}

// levelUnder is the level at which people of a level act under an effect.
func levelUnder(level, effect int) int { return max(min(level+effect, levels-1), 0) }

// steadyAsAwake is the level of people who do as much while they start the app as those of the level steadyLevel, who always do.
const steadyAsAwake = 6

// levelInApp is levelUnder of what people do in the app. Rates of levels are those of the time in which their people start it, so those
// who always do act like others who do as much while they are there.
func levelInApp(level, effect int) int {
	switch {
	case effect == 0:
		return level
	case level >= steadyLevel:
		level -= steadyLevel - steadyAsAwake
	}
	return max(min(level+effect, steadyLevel-1), 0)
}

// actingLevel is the level at which people of a level act under an effect of so many levels.
func actingLevel(level, effect int, inApp bool) int {
	if inApp {
		return levelInApp(level, effect)
	}
	return levelUnder(level, effect)
}

// levelMix is how often people of a level act as if they were of another one.
type levelMix [levels][levels]float64

// steadyLevels is the mix of messages without effects.
func steadyLevels() (mix levelMix) {
	for level := range mix {
		mix[level][level] = 1
	}
	return mix
}

// mixOf is that of the messages of the orchestrations of a channel.
func mixOf(of channel, all []orchestration, effects []effect) levelMix {
	var counts [2*mostEffect + 1]int
	total, under := 0, &effect{}
	for i, o := range all {
		if o.channel != of || !o.shown {
			continue
		}
		under = &effects[i] // all of a channel are alike in how they act
		for week := range int64(designWeeks) {
			winning, losing, testing := effects[i].in(week)
			if !testing {
				losing = winning
			}
			counts[winning+mostEffect]++
			counts[losing+mostEffect]++
			total += 2
		}
	}
	if total == 0 {
		return steadyLevels()
	}
	var made levelMix
	for level := range made {
		for at, count := range counts {
			made[level][actingLevel(level, at-mostEffect, under.inApp)] += float64(count) / float64(total)
		}
	}
	return made
}

// underEffects are the members of a batch by the level at which they act: sets are
// those by their own level.
func (w *World) underEffects(b *batch, sets *[levels]memberSet) (acting [levels]memberSet) {
	var (
		by      [2*mostEffect + 1]memberSet
		inApp   [2*mostEffect + 1]memberSet // of effects that are
		used    uint32                      // of both
		effects = w.effectsIn(b.plan)
		part    *orchestrationPart
		end     = int64(math.MinInt64)
	)
	for at := int64(0); at < blockSize; at += 1 << turnBits {
		members := (firstMembers(1<<turnBits) << at).permuted(b.xorMask)
		number := b.first + at
		if number >= end {
			part, end = b.partOf(number)
		}
		if part == nil {
			by[mostEffect] |= members
			used |= 1 << mostEffect
			continue
		}
		e, into := &effects[part.sender(number)], &by
		if e.inApp {
			into = &inApp
		}
		if e.testing {
			won := e.won(b.member >> blockBits)
			into[e.losing+mostEffect] |= members &^ won
			used |= 1 << (e.losing + mostEffect)
			members &= won
		}
		into[e.winning+mostEffect] |= members
		used |= 1 << (e.winning + mostEffect)
	}
	if used == 1<<mostEffect {
		return *sets
	}
	for ; used != 0; used &= used - 1 {
		at := bits.TrailingZeros32(used)
		if members := by[at]; members != 0 {
			for level := range sets {
				acting[levelUnder(level, at-mostEffect)] |= sets[level] & members
			}
		}
		if members := inApp[at]; members != 0 {
			for level := range sets {
				acting[levelInApp(level, at-mostEffect)] |= sets[level] & members
			}
		}
	}
	return acting
}

// levelUnderEffects is the level at which one member of a batch acts.
func (w *World) levelUnderEffects(b *batch, bit int) int {
	level, number := levelIn(b.ownWords(w), int64(bit)), b.numberOf(bit)
	part, _ := b.partOf(number &^ (1<<turnBits - 1)) // a turn is of one part
	if part == nil {
		return level
	}
	e := &w.effectsIn(b.plan)[part.sender(number)]
	if e.testing && !e.won(b.member>>blockBits).has(bit) {
		return actingLevel(level, e.losing, e.inApp)
	}
	return actingLevel(level, e.winning, e.inApp)
}

// partOf is the part of the messages of a week in which a message of a batch lies, and
// the first message behind it; nil: it is of an orchestration that has no effect.
func (b *batch) partOf(number int64) (part *orchestrationPart, end int64) {
	for i, end := range b.plan.ends {
		if end > number {
			return &b.stream.recipients.parts[i], end
		}
	}
	return nil, math.MaxInt64
}

// orchestrationPart is a part of the messages of a week, and who sends it: several
// take turns.
type orchestrationPart struct {
	before, width  int64
	orchestrations []int
}

// sender is the orchestration that sends a message of the part.
func (p *orchestrationPart) sender(number int64) int {
	return p.orchestrations[number>>turnBits%int64(len(p.orchestrations))]
}

// partsOf are the parts of orchestrations, in order.
func partsOf(all []orchestration) (list []orchestrationPart) {
	for number, o := range all {
		if i := slices.IndexFunc(list, func(p orchestrationPart) bool { return p.before == o.part.before }); i >= 0 {
			list[i].orchestrations = append(list[i].orchestrations, number)
			continue
		}
		list = append(list, orchestrationPart{o.part.before, o.part.width, []int{number}})
	}
	slices.SortFunc(list, func(a, b orchestrationPart) int { return cmp.Compare(a.before, b.before) })
	return list
}
