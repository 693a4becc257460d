package world

import (
	"math"
	"slices"
)

// usualPushQuality is that of push campaigns: nine parts of a log-normal distribution with a sigma of 0.6.
// Nobody opens one who does not start the app, so levels of activity alone would hardly tell push campaigns apart.
var usualPushQuality = []float64{0.385, 0.56, 0.702, 0.844, 1, 1.184, 1.424, 1.786, 2.6}

func meanOf(list []float64) float64 {
	sum := 0.0
	for _, each := range list {
		sum += each
	}
	return sum / float64(max(len(list), 1))
}

// answering is, by effect, how often people answer against those without one; the first is that of the worst. answeringInApp is that of
// what happens in the app.
var answering, answeringInApp = answersUnder(false, &alwaysAwake), answersUnder(true, &awakeShare)

func answersUnder(inApp bool, awake *[levels]float64) (made [2*setEffect + 1]float64) {
	for at := range made {
		for level := range levels {
			as := actingLevel(level, at-setEffect, inApp)
			made[at] += float64(awake[level] * activity[as] / awake[as])
		}
		made[at] /= levels
	}
	return made
}

// setQuality makes the effects of the orchestrations of a channel, in the order of their ranks, those of factors: they are spread
// evenly over the list. An effect that lies between two levels is the higher one in some of the weeks.
func setQuality(effects []effect, ranks []int, factors []float64, inApp bool) {
	factors = slices.Sorted(slices.Values(factors))
	mean := meanOf(factors)
	for rank, i := range ranks {
		place := float64((2*rank+1)*len(factors))/float64(2*len(ranks)) - 0.5
		place = min(max(place, 0), float64(len(factors)-1))
		low := int(place)
		high := min(low+1, len(factors)-1)
		effects[i].inApp = inApp
		effects[i].set((factors[low] + float64((place-float64(low))*(factors[high]-factors[low]))) / mean)
	}
}

// set makes an effect that of a factor.
func (e *effect) set(factor float64) {
	of, at := &answering, 0
	if e.inApp {
		of = &answeringInApp
	}
	for at < len(of)-2 && of[at+1] <= factor {
		at++
	}
	part := (factor - of[at]) / (of[at+1] - of[at])
	e.more = int64(math.Round(min(max(part, 0), 1) * designWeeks))
	e.base = at - setEffect
}
