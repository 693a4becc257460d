package rows

import (
	"fmt"
	"math/rand/v2"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// generatedValues is how many different values a member without a source has
// at most. They are generated and validated when the plan is compiled, so
// writing a row cannot fail.
const generatedValues = 256

// generated compiles a value without x-source: one that conforms to the
// schema, the same for the same row.
func (c *compiler) generated(all mergedSchema, keywords schemas.Keywords, place string) (value, error) {
	if len(all) == 0 {
		return value{}, fmt.Errorf("there is no schema to make a value from")
	}
	schema := all[0].Location
	texts, made := c.samples[schema]
	if !made {
		texts = c.sample(all, keywords)
		c.samples[schema] = texts
	}
	if len(texts) == 0 {
		return value{}, fmt.Errorf("no value that conforms to %s was found: give it an enum, a const, or an x-source; a column of a CSV file is text", schema)
	}
	key := hashText(schema + place)
	if c.overlay != nil {
		return c.member(all, place, texts, key), nil
	}
	return single(program.Op{Kind: program.Choice, Texts: texts, Choice: func(row *world.Row) int {
		return int((row.Key() ^ key) * 0x9e3779b97f4a7c15 >> 32 % uint64(len(texts)))
	}}, nil), nil
}

// sample generates texts of values that conform; a cell of CSV is a string.
func (c *compiler) sample(all mergedSchema, keywords schemas.Keywords) [][]byte {
	maker := sampler{random: rand.New(rand.NewPCG(1, hashText(all[0].Location)))}
	texts := make([][]byte, 0, generatedValues)
	for attempt := 0; attempt < 4*generatedValues && len(texts) < generatedValues; attempt++ {
		made := maker.value(all, keywords, 0)
		if _, text := made.(string); all.accepts(made) && (text || !c.format.csv) {
			texts = append(texts, c.format.value(made))
		}
	}
	return texts
}

// hashText is FNV-1a.
func hashText(text string) uint64 {
	hash := uint64(14_695_981_039_346_656_037)
	for i := 0; i < len(text); i++ {
		hash = (hash ^ uint64(text[i])) * 1_099_511_628_211
	}
	return hash
}
