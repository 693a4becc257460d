package world

// levels are how many levels of activity there are; each has as many people.
const levels = 16

// activity is how much more or less often than on average people of each
// level open and click: a third of them hardly ever, a few nearly always. The
// mean is one.
var activity = [levels]float64{0.05, 0.1, 0.15, 0.25, 0.35, 0.45, 0.6, 0.7, 0.85, 1, 1.2, 1.4, 1.7, 2, 2.4, 2.8}

// activityOf is the level of activity of a profile.
func (w *World) activityOf(profile int64) int {
	return int(draw(w.keys.activity, uint64(profile)) % levels)
}

// ratesOf spreads a rate over the levels of activity, so that the mean over all
// levels is the rate.
func ratesOf(rate float64) (rates [levels]chance) {
	// No level can pass one, so the higher the rate the more the others take
	// over.
	low, high := 0.0, 1/activity[0]
	for range 60 {
		middle, sum := (low+high)/2, 0.0
		for _, factor := range activity {
			sum += min(middle*factor, 1)
		}
		if sum < rate*levels {
			low = middle
		} else {
			high = middle
		}
	}
	for level, factor := range activity {
		rates[level] = chanceOf(high * factor)
	}
	return rates
}
