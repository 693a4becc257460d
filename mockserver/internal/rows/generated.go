package rows

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// usualNullShare is how often a generated value that may be null is null, when the schema does not say.
const usualNullShare = 0.1

// generated compiles a value without x-source: one that conforms to the schema,
// drawn from the seed, the place of the member and what the row is about.
func (c *compiler) generated(all merged.Schema, keywords schemas.Keywords, place string) (value, error) {
	if len(all) == 0 {
		return value{}, fmt.Errorf("%s may be asked for, and is not listed: add it under properties, or take it out of what requests allow",
			memberName(place))
	}
	valid := all
	if typed := attributeType(keywords, memberName(place)); typed != nil {
		valid = append(typed, all[0]) // the schema still decides what is valid
		all, keywords = typed, typed.Keywords()
	}
	if keywords.Source != "" {
		made, err := c.sourced(valid, keywords, place)
		return c.member(valid[len(valid)-1:], place, made), err
	}
	made, err := c.generator(all, valid, keywords)
	if err != nil {
		return value{}, err
	}
	column := c.world.Column(place)
	if keywords.Values.Unique {
		if column, err = c.distinct(column, made); err != nil {
			return value{}, err
		}
	}
	key, draws := (*world.Row).Key, column.Draws
	if !keywords.Values.Unique {
		key = (*world.Row).AttemptKey
		draws = func(row *world.Row) world.Draws { return column.DrawsFor(row.AttemptKey()) }
	}
	var isAbsent func(*world.Row) bool
	if absent := c.sometimesNull(all, keywords, place); absent != nil {
		isAbsent = func(row *world.Row) bool { return absent(key(row)) }
	}
	drawn := textOp(func(dst []byte, row *world.Row) []byte {
		dst, _ = made.write(dst, draws(row))
		return dst
	})
	if !keywords.Values.Unique {
		drawn = c.textured(drawn, all, place, key)
	}
	return c.member(valid[len(valid)-1:], place, single(drawn, isAbsent)), nil
}

// Drawn returns a writer of values without a source for a member of JSON: values that the schemas in allowed accept, from the place of
// the member and an identity. It reports false where there is none: of a share that the schema states, or the usual one of nulls.
func Drawn(library *schemas.Library, all, allowed merged.Schema, place string) (func(dst []byte, identity uint64) ([]byte, bool), error) {
	c := &compiler{library: library, world: new(world.World), generators: map[string]generator{}}
	keywords := all.Keywords()
	made, err := c.generator(all, allowed, keywords)
	absent, column := c.sometimesNull(all, keywords, place), c.world.Column(place)
	return func(dst []byte, identity uint64) ([]byte, bool) {
		if absent != nil && absent(identity) {
			return dst, false
		}
		dst, _ = made.write(dst, column.DrawsFor(identity))
		return dst, true
	}, err
}

// attributeType is what the schema of a member that is not listed says of its
// name (x-attribute-types), as it stands or in snake_case; nil: nothing.
func attributeType(keywords schemas.Keywords, name string) merged.Schema {
	words := inSnakeCase(name)
	for _, attribute := range keywords.Values.AttributeTypes {
		if attribute.Name.MatchString(name) || attribute.Name.MatchString(words) {
			return merged.Of([]*jsonschema.Schema{attribute.Schema}, nil)
		}
	}
	return nil
}

// inSnakeCase writes lastOrderDate as last_order_date.
func inSnakeCase(name string) string {
	var words strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			words.WriteByte('_')
		}
		words.WriteRune(unicode.ToLower(r))
	}
	return words.String()
}

// distinct makes a column of distinct values, if the schema has enough of them.
func (c *compiler) distinct(column world.Column, made generator) (world.Column, error) {
	count, needed := alternativesOf(made), c.view.Room()
	switch {
	case count == 0:
		return column,
			fmt.Errorf("x-unique: different draws may give the same value here: use a format such as uuid, an integer, a text, or a pattern " +
				"of fixed length")
	case count < needed && needed == math.MaxUint64:
		return column,
			fmt.Errorf("x-unique: the schema allows %d values, and events need 2^64 to be told apart: allow more, for example with "+
				"the format uuid", count)
	case count < needed:
		return column, fmt.Errorf("x-unique: the schema allows %d values, and this world has %d profiles or installations: allow more", count,
			needed)
	}
	return column.Distinct(count), nil
}

// sometimesNull says of which identities a value is missing: of a share that
// the schema states, or the usual one where null is allowed. nil: of none.
func (c *compiler) sometimesNull(all merged.Schema, keywords schemas.Keywords, place string) func(identity uint64) bool {
	share := 0.0
	switch {
	case keywords.Values.NullShare != nil:
		share = *keywords.Values.NullShare
	case !c.format.CSV && !slices.Contains(all.Enum(), nil) && all.Roots().Accepts(nil):
		share = usualNullShare
	}
	if share == 0 {
		return nil
	}
	column, bound := c.world.Column(place+" is null"), uint64(share*(1<<32))
	return func(identity uint64) bool {
		drawn, _ := column.DrawsFor(identity).Below(1 << 32)
		return drawn < bound
	}
}

// validSamples is how many values of a schema are validated when a plan is compiled.
const validSamples = 256

// generator makes the generator of a schema. It tries it: where the schema asks for more than the generator understands, every value is
// validated when it is written, and one that is known to be valid takes the place of a bad one.
func (c *compiler) generator(all, valid merged.Schema, keywords schemas.Keywords) (generator, error) {
	location := all[0].Location
	if made, known := c.generators[location]; known {
		return made, nil
	}
	valid = valid.Apart()
	b := generatorBuilder{format: c.format, unique: keywords.Values.Unique, sure: true, possible: true}
	made := b.build(all, keywords, 0)
	var samples [][]byte
	column := c.world.Column(location)
	for i := range uint64(validSamples) {
		if !b.possible {
			break
		}
		if text, _ := made.write(nil, column.DrawsFor(i)); b.accepts(valid, text) {
			samples = append(samples, text)
		}
	}
	switch {
	case len(samples) == 0 && c.format.CSV && !slices.Contains(all.Kinds(), "string"):
		return nil,
			fmt.Errorf("a column of a CSV file is text, and this one asks for another type, %s: write the type string, with a pattern for numbers, "+
				"such as ^[0-9]{1,4}$, or an enum", all.Kinds()[0])
	case len(samples) == 0:
		return nil,
			fmt.Errorf("no value that conforms was found: its bounds leave none, or they are more than the generator understands; loosen them, or " +
				"give it an enum, a const, or an x-source")
	case !b.sure || len(samples) < validSamples:
		made = checked{made, func(text []byte) bool { return b.accepts(valid, text) }, samples}
	}
	c.generators[location] = made
	return made, nil
}
