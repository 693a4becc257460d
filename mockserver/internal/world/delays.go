package world

import "math"

// A spread raises the ratio of delays to their median to a power: the median stays, and of a log-normal distribution, the sigma is
// multiplied. How often the longest are longer than the median is bounded, for what happens at a time is looked for that far back.
const mostDelayed = 400

// delayScale are the delays of a step by delay class, against the typical one.
func (s *step) delayScale() *[delayClasses]float64 {
	usual := &delayScale
	if s.nature.patient {
		usual = &patientScale
	}
	if s.delay.spread == 0 || s.delay.spread == 1 {
		return usual
	}
	median := math.Sqrt(usual[delayClasses/2-1] * usual[delayClasses/2])
	made := *usual
	for t := range made {
		made[t] = min(median*raised(made[t]/median, s.delay.spread), mostDelayed)
	}
	return &made
}

// raised is a power, of roots and products alone, so that every machine finds the same one.
func raised(base, exponent float64) float64 {
	made := 1.0
	for ; exponent >= 1; exponent-- {
		made *= base
	}
	for range 30 {
		base, exponent = math.Sqrt(base), exponent*2
		if exponent >= 1 {
			made, exponent = made*base, exponent-1
		}
	}
	return made
}
