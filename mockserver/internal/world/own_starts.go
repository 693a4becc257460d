package world

// People start an app of their own accord most on the days after they installed it, and the ones
// who always do go on with it, ever more rarely: the share of installations that are used on a day
// falls with their age by one power law.
// See docs/explanation/world.md#how-many-come-back-on-a-day

// firstDays are, by day of age of an installation, how many of 65,536 are started on it by people of the mean
// level of activity, beside the starts that messages make.
var firstDays = [...]int64{
	20_400, 14_500, 10_600, 9_200, 7_100, 5_300, 4_200, 3_800, 3_800, 3_700, 3_400, 3_100, 2_900, 2_700, 2_600, 2_500,
	2_500, 2_400, 2_300, 2_200, 2_100, 2_000, 2_000, 1_900, 1_700, 1_600, 1_400, 1_300, 1_100, 1_000, 1_000, 1_000,
}

// firstStarts is the age by which these have happened.
const firstStarts = int64(len(firstDays)) * day

// eagerness is, by level, the factor in sixteenths by which its people do so more or less often. The mean is one.
var eagerness = [levels]int64{1, 2, 3, 4, 6, 7, 9, 11, 14, 16, 19, 22, 27, 32, 38, 45}

// ownSpans are the ages from which on steady people start the app once in so many days, the oldest first.
var ownSpans = [...]struct{ from, every int64 }{{480 * day, 160 * day}, {160 * day, 120 * day}, {64 * day, 60 * day}, {firstStarts, 8 * day}}

// ownStart is the latest start of an installation that its user made of their own accord, up to now: the first
// one is that it was installed.
func (w *World) ownStart(installation int64, level int, installed, now int64) int64 {
	key := draw(w.keys.start, uint64(installation))
	if level >= steadyLevel {
		for i, span := range ownSpans {
			from := installed + span.from
			if now < from {
				continue
			}
			if at := lastOccurrence(key+uint64(i), span.every, now); at >= from {
				return at
			}
			now = from - 1
		}
	}
	for age := min((now-installed)/day, int64(len(firstDays))-1); age >= 0; age-- {
		random := draw(key, ^uint64(age))
		if int64(random>>44) >= firstDays[age]*eagerness[level] {
			continue
		}
		if at := installed + age*day + below(mix(random), day); at <= now {
			return at
		}
	}
	return installed
}
