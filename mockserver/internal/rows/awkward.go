package rows

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// awkwardValues replaces values of one member.
type awkwardValues struct {
	*texture.Column
	Number func(*world.Row) uint64               // whom a value belongs to
	Leaves func(*world.Row) bool                 // which rows stay as they are; nil: none
	Read   func(written []byte) string           // the text that was written
	Append func(dst []byte, value string) []byte // writes a text
}

// Texts is an op whose texts become awkward.
func (v awkwardValues) Texts(plain op) op {
	return v.instead(plain, func(plain, dst []byte, number uint64) []byte {
		return v.Append(dst, string(v.Apply([]byte(v.Read(plain)), 0, number)))
	})
}

// Numbers is an op of which some numbers give way to others.
func (v awkwardValues) Numbers(plain op, numbers []string) op {
	return v.instead(plain, func(_, dst []byte, number uint64) []byte {
		return append(dst, numbers[v.Edge(number, len(numbers))]...)
	})
}

// instead is an op that writes something else in the place of some values.
func (v awkwardValues) instead(plain op, write func(plain, dst []byte, number uint64) []byte) op {
	touches := func(row *world.Row) bool {
		return (v.Leaves == nil || !v.Leaves(row)) && v.Touches(v.Number(row))
	}
	return textOp(func(dst []byte, row *world.Row) []byte {
		if touches(row) {
			return write(plain.write(nil, row, nil), dst, v.Number(row))
		}
		return plain.write(dst, row, nil)
	})
}

// awkwardText is the text that JSON stands for.
func awkwardText(written []byte) (text string) {
	_ = json.Unmarshal(written, &text) // it is one
	return text
}

// takesAnyText reports whether a schema is one of free text. One that refuses any of
// these has an idea of its own of what the value is, which stays as it is.
func takesAnyText(accepts func(any) bool) bool {
	for _, text := range []string{"", "a;b\r\n\"c\"", "\u202eé🎉", strings.Repeat("x", 12_000)} {
		if !accepts(text) {
			return false
		}
	}
	return true
}

// edges are numbers that readers get wrong; those of hostile ones lose digits in
// floating point, or have more of them than anything that is counted.
var (
	edges        = []string{"0", "-1", "1e-7"}
	hostileEdges = []string{"0", "-1", "9007199254740993", "-9223372036854775808", "18446744073709551615", "1e-7", "1.7976931348623157e308"}
)

// edgeNumbers returns the bounds of a schema, and numbers that readers mistake for them, as far as it accepts them.
func edgeNumbers(hostile bool, accepts func(any) bool, bounds ...*big.Rat) (numbers []string) {
	candidates := slices.Clone(edges)
	if hostile {
		candidates = slices.Clone(hostileEdges)
	}
	for _, bound := range bounds {
		if bound != nil && bound.IsInt() {
			candidates = append(candidates, bound.RatString())
		}
	}
	for _, text := range candidates {
		if accepts(json.Number(text)) {
			numbers = append(numbers, text)
		}
	}
	return numbers
}
