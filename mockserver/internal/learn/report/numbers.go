package report

import "math"

// Rounded has three significant digits: of two bases that differ in one person, nobody can tell the difference.
func Rounded(value float64) float64 { return Significant(value, 3) }

// Roughly is a number of people that does not tell one more from one less.
func Roughly(people int64) int64 { return int64(Significant(float64(people), 2)) }

// Significant is a value with so many digits; 0 for what is no number.
func Significant(value float64, digits int) float64 {
	if value == 0 || math.IsNaN(value) || math.IsInf(value, 0) {
		return 0
	}
	scale := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(math.Abs(value))))
	return math.Round(value*scale) / scale
}

// Judged is a comparison with its distance, what two samples of one world have, and what is accepted.
func (c Comparison) Judged(distance, floor, bound float64) Comparison {
	c.Distance, c.Floor, c.Bound, c.Within = Rounded(distance), Rounded(floor), Rounded(min(bound, 1)), distance <= bound
	return c
}

// Interval is the interval of Wilson around a share of n things, for z standard deviations; what is counted oftener than once is no share.
func Interval(p, n, z float64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(max(p*(1-p), 0)/n+z*z/(4*n*n))
	return max(middle-half, 0), min(middle+half, 1)
}

// FamilyLevel is how often chance alone puts any of all comparisons outside of its bounds, at most (Bonferroni).
const FamilyLevel = 0.01

// Deviations is within how many standard deviations a normal value is, but for so small a part of all cases.
func Deviations(level float64) float64 { return math.Sqrt2 * math.Erfinv(1-level) }
