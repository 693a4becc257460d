package world

import "math"

// Only the people of the highest levels of activity start the app all the time. The
// others do so in one season of a few, in which they start it at least once a week while they
// are new (see [starts]), and in their first weeks, ever fewer of them.
// See docs/explanation/world.md#who-comes-back
const (
	seasonWeeks  = 8
	seasonTurns  = 4 // one of so many seasons
	steadyLevel  = levels - 2
	newWeeks     = 8
	awakeInTurns = 1.0 / seasonTurns
)

// tryingOut are, by how many weeks ago they were created, the people who start the app
// although it is not their season. Whoever does so in a week did in the ones before.
var tryingOut = [newWeeks]chance{math.MaxUint64, chanceOf(0.5), chanceOf(0.25), chanceOf(0.125), chanceOf(0.125), chanceOf(0.0625), chanceOf(0.0625), chanceOf(0.03125)}

// alwaysAwake and awakeShare are, by level, in which part of the time people do
// anything at all, in any channel and in the app.
var (
	alwaysAwake = [levels]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	awakeShare  = [levels]float64{
		awakeInTurns, awakeInTurns, awakeInTurns, awakeInTurns, awakeInTurns, awakeInTurns, awakeInTurns,
		awakeInTurns, awakeInTurns, awakeInTurns, awakeInTurns, awakeInTurns, awakeInTurns, awakeInTurns, 1, 1,
	}
)

// seasons are those of the profiles of a block.
type seasons struct {
	block         int64
	random        uint64
	always        memberSet // who starts the app all the time
	first, second memberSet // the bits of the turn of each
}

// seasonsOf are the seasons of the profiles of a block with these levels of activity.
func (w *World) seasonsOf(block int64, words *[4]uint64) seasons {
	random := draw(w.keys.season, uint64(block))
	return seasons{
		block: block, random: random, first: memberSet(mix(random)), second: memberSet(mix(random + 1)),
		always: memberSet(words[1]) & memberSet(words[2]) & memberSet(words[3]),
	}
}

// awakeIn are those of some profiles of a block that start the app in a week; the same
// ones do so in so many weeks before, if none of them is new.
func (w *World) awakeIn(s *seasons, inWeek int64, members memberSet) (awake memberSet, since int64) {
	turn, since := s.turnIn(inWeek)
	awake = (s.always | s.in(turn)) & members
	return awake | w.newIn(s.block, inWeek, s.random, members&^awake), since
}

// turnIn is the number of the season of a week, and how many weeks of it were before that.
func (s *seasons) turnIn(inWeek int64) (turn, since int64) {
	number := inWeek + int64(s.random%(seasonWeeks*seasonTurns))
	turn = floorDivide(number, seasonWeeks)
	return turn, number - turn*seasonWeeks
}

// in are the profiles whose season is one of a number.
func (s *seasons) in(turn int64) memberSet {
	first, second := s.first, s.second
	if turn&1 == 1 {
		first = ^first
	}
	if turn&2 == 2 {
		second = ^second
	}
	return first & second
}

// isSettled reports whether no profile of a block is new in a week.
func (w *World) isSettled(block, inWeek int64) bool {
	return (block+1)<<blockBits <= w.created.lowerBound((inWeek-newWeeks)*week)
}

// newIn are those of some profiles of a block that try the app out in a week.
func (w *World) newIn(block, inWeek int64, random uint64, members memberSet) (trying memberSet) {
	if w.isSettled(block, inWeek) {
		return 0
	}
	for rest := members & firstMembers(w.profiles-block<<blockBits); rest != 0; {
		bit := rest.pop()
		age := inWeek - floorDivide(w.createdAt(block<<blockBits+int64(bit)), week)
		if age >= 0 && age < newWeeks {
			trying |= tryingOut[age].sample(mix(random+2), setOf(int64(bit)))
		}
	}
	return trying
}

// sessionsShorter are how many weeks after their creation people come to use half of the weeks that they did before.
var sessionsShorter = [...]int64{15, 47}

// sharedWeeks is from how many profiles on all of a block see in-app messages in the same weeks, so that nobody looks at
// the others. In a smaller world its quarters take turns, since some are to see them in each week.
const sharedWeeks = 1 << 12

// usingIn are those of some profiles of a block who start the app in a week in which in-app messages are shown to them.
func (w *World) usingIn(s *seasons, inWeek int64, members memberSet) memberSet {
	if members &= w.withSessions(s, inWeek); members == 0 {
		return 0
	}
	using, _ := w.awakeIn(s, inWeek, members)
	return using
}

// withSessions are those of the profiles of a block to whom in-app messages are shown in a week if they start the app in it. Those
// who are no longer new see them in the last weeks of a season only.
func (w *World) withSessions(s *seasons, inWeek int64) memberSet {
	weeks := int64(seasonWeeks)
	for _, age := range sessionsShorter {
		if (s.block+1)<<blockBits > w.created.lowerBound((inWeek-age)*week) {
			break
		}
		weeks /= 2
	}
	shown := func(number int64) bool {
		return number-floorDivide(number, seasonWeeks)*seasonWeeks >= seasonWeeks-weeks
	}
	number := inWeek + int64(s.random%(seasonWeeks*seasonTurns))
	if w.profiles >= sharedWeeks {
		if shown(number) {
			return wholeBlock
		}
		return 0
	}
	var members memberSet
	for quarter := range int64(4) {
		if shown(number + quarter*seasonWeeks/4) {
			members |= 0x1111_1111_1111_1111 << quarter
		}
	}
	return members
}
