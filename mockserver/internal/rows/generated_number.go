package rows

import (
	"math"
	"math/big"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// numbers are the multiples of a step between two bounds, written as decimals.
type numbers struct {
	first, step int64 // in units of 10^-decimals
	count       uint64
	decimals    int
}

// Numbers without bounds lie in a range of usualWidth, or of uniqueWidth if each must differ, which doubles hold
// exactly. They have usualDecimals unless they are whole, and no number has more than maxDecimals.
const (
	usualWidth    = 1_000
	uniqueWidth   = 1 << 53
	usualDecimals = 4
	maxDecimals   = 9
)

func numbersOf(all merged.Schema, whole, unique bool) generator {
	low, high, step := bounds(all)
	width := big.NewRat(usualWidth, 1)
	if unique {
		width = big.NewRat(uniqueWidth, 1)
	}
	switch {
	case low == nil && high == nil:
		low, high = new(big.Rat), width
	case high == nil:
		high = new(big.Rat).Add(low, width)
	case low == nil && high.Sign() > 0:
		low = new(big.Rat)
	case low == nil:
		low = new(big.Rat).Sub(high, width)
	}
	made := numbers{}
	one := big.NewRat(1, 1)
	switch {
	case step != nil:
	case whole:
		step = one
	default:
		made.decimals = usualDecimals
		for span := new(big.Rat).Sub(high, low); made.decimals < maxDecimals && span.Sign() > 0 && span.Cmp(one) < 0; made.decimals++ {
			span.Mul(span, big.NewRat(10, 1))
		}
		step = new(big.Rat).Inv(power(made.decimals))
	}
	if whole && !step.IsInt() {
		step = new(big.Rat).SetInt(step.Num()) // the least whole multiple
	}
	for made.decimals < maxDecimals && !new(big.Rat).Mul(step, power(made.decimals)).IsInt() {
		made.decimals++
	}
	scale := power(made.decimals)
	least, most := ceil(new(big.Rat).Quo(low, step)), floor(new(big.Rat).Quo(high, step))
	unit := new(big.Rat).Mul(step, scale)
	first := new(big.Int).Mul(least, unit.Num())
	count := new(big.Int).Add(new(big.Int).Sub(most, least), big.NewInt(1))
	made.first, made.step = clampInt64(first), clampInt64(unit.Num())
	made.count = 1
	if count.Sign() > 0 && made.step > 0 {
		room := new(big.Int).Quo(new(big.Int).Sub(big.NewInt(math.MaxInt64), big.NewInt(max(made.first, 0))), unit.Num())
		if count.Cmp(room) > 0 && room.Sign() > 0 {
			count = room
		}
		made.count = uint64(clampInt64(count))
	}
	return made
}

// bounds are the strictest ones; nil without one. An exclusive bound is moved by the draw of the multiples that lie inside.
func bounds(all merged.Schema) (low, high, step *big.Rat) {
	tiny := big.NewRat(1, 1_000_000_000)
	for _, part := range all {
		for _, bound := range []*big.Rat{part.Minimum, moved(part.ExclusiveMinimum, tiny)} {
			if bound != nil && (low == nil || bound.Cmp(low) > 0) {
				low = bound
			}
		}
		for _, bound := range []*big.Rat{part.Maximum, moved(part.ExclusiveMaximum, new(big.Rat).Neg(tiny))} {
			if bound != nil && (high == nil || bound.Cmp(high) < 0) {
				high = bound
			}
		}
		if part.MultipleOf != nil {
			step = part.MultipleOf
		}
	}
	return low, high, step
}

func moved(bound, by *big.Rat) *big.Rat {
	if bound == nil {
		return nil
	}
	return new(big.Rat).Add(bound, by)
}

func power(decimals int) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil))
}

func floor(x *big.Rat) *big.Int { return new(big.Int).Div(x.Num(), x.Denom()) }

func ceil(x *big.Rat) *big.Int { return new(big.Int).Neg(floor(new(big.Rat).Neg(x))) }

func clampInt64(x *big.Int) int64 {
	switch {
	case x.IsInt64():
		return x.Int64()
	case x.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

func (g numbers) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	index, draws := draws.Below(g.count)
	return appendDecimal(dst, g.first+int64(index)*g.step, g.decimals), draws
}

func (g numbers) alternatives() uint64 { return g.count }

// appendDecimal writes a number of units of 10^-decimals, without zeros at its end.
func appendDecimal(dst []byte, number int64, decimals int) []byte {
	magnitude := uint64(number)
	if number < 0 {
		dst, magnitude = append(dst, '-'), -magnitude
	}
	begin := len(dst)
	dst = strconv.AppendUint(dst, magnitude, 10)
	if decimals == 0 {
		return dst
	}
	for len(dst)-begin <= decimals {
		dst = append(dst, 0)
		copy(dst[begin+1:], dst[begin:])
		dst[begin] = '0'
	}
	dst = append(dst, 0)
	point := len(dst) - 1 - decimals
	copy(dst[point+1:], dst[point:])
	dst[point] = '.'
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	if dst[len(dst)-1] == '.' {
		dst = dst[:len(dst)-1]
	}
	return dst
}
