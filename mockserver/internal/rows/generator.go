package rows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/encode"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// generator writes values of one schema, as they stand in a file. The same draws give the same value. Draws are passed on by value: a
// pointer in a call of an interface would cost an allocation for every value.
type generator interface {
	write(dst []byte, draws world.Draws) ([]byte, world.Draws)
}

// alternativesOf is how many values a generator has, when different draws give different values; math.MaxUint64 stands for
// more, 0 for draws that may give the same.
func alternativesOf(g generator) uint64 {
	if counted, is := g.(interface{ alternatives() uint64 }); is {
		return counted.alternatives()
	}
	return 0
}

// generatorBuilder makes generators out of schemas. It aims at what people write in schemas.
type generatorBuilder struct {
	format encode.Format
	unique bool // values must be distinct
	sure   bool // every value will be valid
	// possible is false when no value can be.
	possible bool
}

const maxGeneratedDepth = 8

func (b *generatorBuilder) build(all merged.Schema, keywords schemas.Keywords, depth int) generator {
	b.sure = b.sure && isPlain(all)
	if fixed, is := all.Constant(); is {
		return constant(b.format.Value(fixed))
	}
	allowed := all.Enum()
	if keywords.Values.NullShare != nil { // nulls are drawn apart
		allowed = slices.DeleteFunc(allowed, func(value any) bool { return value == nil })
	}
	if len(allowed) > 0 {
		return b.choice(allowed, keywords.Values.Weights)
	}
	if depth > maxGeneratedDepth {
		return constant("null")
	}
	kinds := all.Kinds()
	if b.format.CSV && slices.Contains(kinds, "string") {
		kinds = []string{"string"} // a cell is text
	}
	var alternatives mixture
	for _, kind := range kinds {
		alternatives = append(alternatives, b.kind(kind, all, keywords, depth))
	}
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return alternatives
}

func (b *generatorBuilder) kind(kind string, all merged.Schema, keywords schemas.Keywords, depth int) generator {
	if b.format.CSV && kind != "string" {
		b.possible = false
		return constant("")
	}
	switch kind {
	case "boolean":
		return b.choice([]any{true, false}, keywords.Values.Weights)
	case "integer", "number":
		return numbersOf(all, kind == "integer", b.unique)
	case "array":
		return b.array(all, depth)
	case "object":
		return b.object(all, depth)
	case "null":
		return constant("null")
	}
	return b.text(all, keywords)
}

// accepts reports whether a written value conforms.
func (b *generatorBuilder) accepts(all merged.Schema, text []byte) bool {
	if b.format.CSV {
		return all.Accepts(b.format.Read(text))
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	return decoder.Decode(&value) == nil && all.Accepts(value)
}

// isPlain reports whether the generators heed every keyword of the schemas.
func isPlain(all merged.Schema) bool {
	return !slices.ContainsFunc(all, func(s *jsonschema.Schema) bool {
		return s.Not != nil || len(s.OneOf) > 0 || s.If != nil || s.PropertyNames != nil ||
			len(s.DependentRequired)+len(s.DependentSchemas) > 0 ||
			s.MinProperties >= 0 || s.MaxProperties >= 0 || s.UnevaluatedProperties != nil || len(s.PrefixItems) > 0 ||
			s.Contains != nil || s.UnevaluatedItems != nil || s.ContentEncoding != "" || s.ContentMediaType != "" || s.DynamicRef != nil
	})
}

// constant is one value.
type constant []byte

func (g constant) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	return append(dst, g...), draws
}
func (g constant) alternatives() uint64 { return 1 }

// choice is one of a few values.
type choice struct {
	texts [][]byte
	// bounds are the shares of the texts up to each one, in 2^-62; nil: all come equally often.
	bounds []uint64
}

// choiceDraws is the number of draws that bounds divide.
const choiceDraws = 1 << 62

func (b *generatorBuilder) choice(values []any, weights map[string]float64) generator {
	made := choice{}
	sum := new(big.Rat)
	var sums []*big.Rat
	for _, value := range values {
		if _, text := value.(string); b.format.CSV && !text {
			continue // a cell is text
		}
		made.texts = append(made.texts, b.format.Value(value))
		weight := new(big.Rat)
		if weights != nil {
			weight.SetFloat64(weights[fmt.Sprint(value)])
		}
		sum = new(big.Rat).Add(sum, weight)
		sums = append(sums, sum)
	}
	if len(made.texts) == 0 {
		b.possible = false
		return constant("")
	}
	if weights == nil || b.unique {
		return made
	}
	for _, part := range sums {
		bound := new(big.Rat).Mul(new(big.Rat).Quo(part, sum), new(big.Rat).SetInt64(choiceDraws))
		made.bounds = append(made.bounds, new(big.Int).Quo(bound.Num(), bound.Denom()).Uint64())
	}
	return made
}

func (g choice) pick(draws world.Draws) (int, world.Draws) {
	if g.bounds == nil {
		index, draws := draws.Below(uint64(len(g.texts)))
		return int(index), draws
	}
	drawn, draws := draws.Below(choiceDraws)
	for i, bound := range g.bounds {
		if drawn < bound {
			return i, draws
		}
	}
	return len(g.bounds) - 1, draws
}

func (g choice) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	index, draws := g.pick(draws)
	return append(dst, g.texts[index]...), draws
}

func (g choice) alternatives() uint64 { return uint64(len(g.texts)) }

// checked is a generator that may be wrong.
type checked struct {
	plain   generator
	accepts func(text []byte) bool
	valid   [][]byte // values to fall back on
}

// maxAttempts is how often a value is drawn again before a known one is taken.
const maxAttempts = 16

func (g checked) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	begin := len(dst)
	for range maxAttempts {
		if dst, draws = g.plain.write(dst[:begin], draws); g.accepts(dst[begin:]) {
			return dst, draws
		}
	}
	index, draws := draws.Below(uint64(len(g.valid)))
	return append(dst[:begin], g.valid[index]...), draws
}
