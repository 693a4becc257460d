package world

import (
	"cmp"
	"math/bits"
	"slices"
)

const golden = 0x9e3779b97f4a7c15

// mix is the finaliser of splitmix64, a bijection.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// keyed is a random number for a number under a key; under one key it is a bijection.
func keyed(key, number uint64) uint64 { return mix(key ^ mix(number*golden+golden)) }

// named is the key of a name under a seed.
func named(seed uint64, name string) uint64 {
	key := mix(seed + golden)
	for i := range len(name) {
		key = mix(key ^ uint64(name[i])*golden)
	}
	return keyed(key, uint64(len(name)))
}

type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += golden
	return mix(r.state)
}

func (r *random) below(n int64) int64 { return below(r.next(), n) }

// below maps a random number to [0, n).
func below(random uint64, n int64) int64 {
	high, _ := bits.Mul64(random, uint64(n))
	return int64(high)
}

// chance is a probability in 2^-53.
type chance uint64

func chanceOf(probability float64) chance {
	return chance(min(max(probability, 0), 1) * (1 << 53))
}

func (c chance) holds(random uint64) bool { return random>>11 < uint64(c) }

// quantiles are 64 values of a distribution, in 1024ths of its scale.
type quantiles [64]int64

// The distributions of delays: exponential with a mean of one, and log-normal with a median of one and a sigma of 1.4, and
// with 1.28 and 2.6. They are written out, so that all machines have the same.
var (
	exponential = quantiles{
		8, 24, 41, 58, 75, 93, 110, 128, 147, 165, 184, 204, 224, 244, 265, 286, 307, 329, 351, 374, 398, 421, 446, 471, 497, 523, 550,
		578, 607, 636, 666, 698, 730, 763, 797, 833, 870, 908, 947, 989, 1032, 1076, 1123, 1172, 1224, 1278, 1335, 1396, 1460, 1529,
		1602, 1681, 1767, 1861, 1964, 2079, 2207, 2355, 2527, 2733, 2992, 3338, 3864, 4995,
	}
	patient = quantiles{
		35, 63, 87, 109, 130, 151, 172, 194, 216, 238, 260, 284, 308, 333, 358, 385, 412, 441, 470, 501, 533, 566, 601, 637, 675, 714,
		756, 799, 845, 893, 943, 996, 1052, 1112, 1175, 1241, 1312, 1388, 1468, 1554, 1647, 1746, 1853, 1968, 2094, 2231, 2380, 2544,
		2726, 2927, 3152, 3406, 3695, 4026, 4411, 4866, 5412, 6083, 6934, 8057, 9632, 12062, 16546, 30214,
	}
	whenever = quantiles{
		2, 7, 13, 20, 28, 38, 48, 60, 73, 87, 103, 121, 141, 162, 186, 213, 242, 274, 309, 347, 389, 436, 487, 542, 604, 671, 745, 827,
		917, 1016, 1125, 1246, 1379, 1527, 1691, 1874, 2078, 2305, 2559, 2845, 3167, 3531, 3943, 4412, 4949, 5565, 6277, 7105, 8075,
		9218, 10579, 12215, 14205, 16662, 19743, 23686, 28858, 35859, 45728, 60436, 84200, 127858, 229956, 703614,
	}
)

// draw is a value for a random number, between two of the quantiles, by a scale.
func (q *quantiles) draw(random uint64, scale int64) int64 {
	at := random >> 58
	value := q[at]
	if at < 63 {
		value += (q[at+1] - value) * int64(random>>42&0xffff) >> 16
	}
	return scale * value >> 10
}

// within is the share of values below a limit, by a scale.
func (q *quantiles) within(limit, scale int64) float64 {
	at, _ := slices.BinarySearchFunc(q[:], limit, func(value, limit int64) int { return cmp.Compare(scale*value>>10, limit) })
	return float64(at) / float64(len(q))
}

// picker picks one of some things by their weights, in as many parts as it is long.
type picker []uint16

func newPicker(size int, weights ...float64) picker {
	made, all, at, upTo := make(picker, size), sumOf(weights), 0, 0.0
	for i, weight := range weights {
		for upTo += weight; at < size && float64(at)*all < upTo*float64(size); at++ {
			made[at] = uint16(i)
		}
	}
	return made
}

func (p picker) pick(random uint64) int { return int(p[below(random, int64(len(p)))]) }

func sumOf(weights []float64) (sum float64) {
	for _, weight := range weights {
		sum += weight
	}
	return sum
}
