package rows

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/encode"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// mixture is a value of one of several types.
type mixture []generator

func (g mixture) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	index, draws := draws.Below(uint64(len(g)))
	return g[index].write(dst, draws)
}

// list is a JSON array.
type list struct {
	item        generator
	least, more uint64
}

func (b *generatorBuilder) array(all merged.Schema, depth int) generator {
	least, most := 0, 3
	for _, part := range all {
		least = max(least, part.MinItems)
		if part.MaxItems >= 0 {
			most = min(most, part.MaxItems)
		}
	}
	items := merged.Of(all.Items(), nil)
	if slices.ContainsFunc(all, func(s *jsonschema.Schema) bool { return s.UniqueItems }) {
		some, is := b.build(items, items.Keywords(), depth+1).(choice)
		if most = min(most, len(some.texts)); is && some.bounds == nil && len(some.texts) <= 64 && least <= most {
			return subset{some.texts, uint64(least), uint64(most-least) + 1}
		}
		b.sure = false
	}
	return list{b.build(items, items.Keywords(), depth+1), uint64(least), uint64(max(most-least, 0) + 1)}
}

func (g list) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	more, draws := draws.Below(g.more)
	dst = append(dst, '[')
	for i := range g.least + more {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst, draws = g.item.write(dst, draws)
	}
	return append(dst, ']'), draws
}

// subset is a JSON array of some of a few values, each at most once.
type subset struct {
	texts       [][]byte // at most 64
	least, more uint64
}

// each visits the values of an array.
func (g subset) each(draws world.Draws, visit func(text []byte)) world.Draws {
	more, draws := draws.Below(g.more)
	taken := uint64(0)
	for i := range g.least + more {
		var left uint64
		left, draws = draws.Below(uint64(len(g.texts)) - i)
		for at, text := range g.texts {
			if taken>>at&1 == 1 {
				continue
			}
			if left == 0 {
				taken |= 1 << at
				visit(text)
				break
			}
			left--
		}
	}
	return draws
}

func (g subset) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	dst = append(dst, '[')
	begin := len(dst)
	draws = g.each(draws, func(text []byte) {
		if len(dst) > begin {
			dst = append(dst, ',')
		}
		dst = append(dst, text...)
	})
	return append(dst, ']'), draws
}

// object is a JSON object with all its members.
type object []member

type member struct {
	name  []byte // with the text around it
	value generator
}

func (b *generatorBuilder) object(all merged.Schema, depth int) generator {
	names := map[string]bool{}
	for _, part := range all {
		for name := range part.Properties {
			if !merged.Of(all.Property(name), nil).Refused() {
				names[name] = true
			}
		}
		for _, name := range part.Required {
			names[name] = true
		}
	}
	made := object{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		property := merged.Of(all.Property(name), nil)
		made = append(made, member{append(encode.JSON(name), ':'), b.build(property, property.Keywords(), depth+1)})
	}
	return made
}

func (g object) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	dst = append(dst, '{')
	for i, m := range g {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst, draws = m.value.write(append(dst, m.name...), draws)
	}
	return append(dst, '}'), draws
}

func (g object) alternatives() uint64 {
	product := uint64(1)
	for _, m := range g {
		product = times(product, alternativesOf(m.value))
	}
	return product
}

// times multiplies two numbers of alternatives.
func times(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high > 0 {
		return math.MaxUint64
	}
	return low
}
