package world

// Some people, those of the four lowest levels of activity, do not start the app for
// a season, start it in the next one, and so on. Whoever starts it in a season
// does so at least once in each of its weeks (see [starts]).
const (
	seasonWeeks  = 32
	sleepyLevels = 4
)

// alwaysAwake and awakeShare are, by level, in which part of the time people do
// anything at all, in any channel and in the app.
var (
	alwaysAwake = [levels]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	awakeShare  = [levels]float64{0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
)

// seasons are those of a block of profiles, as seen from a week. All members of
// a block change at the same time, half of the sleepy ones each way.
type seasons struct {
	since  int64     // weeks since the season began
	asleep memberSet // those who do not start the app in it
	woken  memberSet // those who did not in the season before
}

func (w *World) seasonsOf(block, inWeek int64) seasons {
	random := draw(w.keys.season, uint64(block))
	words := w.activityWords(block)
	sleepy, early := ^memberSet(words[2])&^memberSet(words[3]), memberSet(mix(random))
	number := inWeek + int64(random%(2*seasonWeeks))
	if floorDivide(number, seasonWeeks)&1 == 1 {
		early = ^early
	}
	return seasons{since: number - floorDivide(number, seasonWeeks)*seasonWeeks, asleep: sleepy & early, woken: sleepy &^ early}
}

// asleep reports whether a profile does not start the app in a week.
func (w *World) asleep(profile, inWeek int64) bool {
	return w.seasonsOf(profile>>blockBits, inWeek).asleep&setOf(profile) != 0
}
