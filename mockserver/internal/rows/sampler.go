package rows

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// sampler draws JSON values that a schema may accept. It aims at what people
// write in schemas; whoever uses it checks the value.
type sampler struct{ random *rand.Rand }

const maxSampleDepth = 8

func (s *sampler) value(all mergedSchema, keywords schemas.Keywords, depth int) any {
	if fixed, is := all.constant(); is {
		return fixed
	}
	if allowed := all.enum(); len(allowed) > 0 {
		return s.weighted(allowed, keywords.Weights)
	}
	if depth > maxSampleDepth {
		return nil
	}
	switch kind := s.kind(all); kind {
	case "boolean":
		return s.weighted([]any{true, false}, keywords.Weights)
	case "integer", "number":
		return s.number(all, kind == "integer")
	case "array":
		return s.array(all, depth)
	case "object":
		return s.object(all, depth)
	case "null":
		return nil
	}
	return s.text(all)
}

// kind is one of the types that all conjuncts allow; a string where nothing is
// said, and null only where nothing else is allowed.
func (s *sampler) kind(all mergedSchema) string {
	var allowed []string
	for _, part := range all {
		if len(part.Types) == 0 {
			continue
		}
		if allowed == nil {
			allowed = slices.Clone(part.Types)
		}
		allowed = slices.DeleteFunc(allowed, func(kind string) bool {
			return !slices.Contains(part.Types, kind) && !(kind == "integer" && slices.Contains(part.Types, "number"))
		})
	}
	if len(allowed) > 1 {
		allowed = slices.DeleteFunc(allowed, func(kind string) bool { return kind == "null" })
	}
	if len(allowed) == 0 {
		return impliedKind(all)
	}
	return allowed[s.random.IntN(len(allowed))]
}

// impliedKind is the type that the keywords of a schema without type speak of.
func impliedKind(all mergedSchema) string {
	for _, part := range all {
		switch {
		case part.Minimum != nil || part.Maximum != nil || part.ExclusiveMinimum != nil || part.ExclusiveMaximum != nil || part.MultipleOf != nil:
			return "number"
		case part.Items2020 != nil:
			return "array"
		case len(part.Properties) > 0:
			return "object"
		}
	}
	return "string"
}

func (s *sampler) weighted(values []any, weights map[string]float64) any {
	if weights == nil {
		return values[s.random.IntN(len(values))]
	}
	sum := 0.0
	for _, value := range values {
		sum += weights[fmt.Sprint(value)]
	}
	rest := s.random.Float64() * sum
	for _, value := range values {
		if rest -= weights[fmt.Sprint(value)]; rest < 0 {
			return value
		}
	}
	return values[len(values)-1]
}

func (s *sampler) number(all mergedSchema, whole bool) any {
	low, high := new(big.Rat), (*big.Rat)(nil)
	step := (*big.Rat)(nil)
	bounded := false
	for _, part := range all {
		for _, bound := range []*big.Rat{part.Minimum, part.ExclusiveMinimum} {
			if bound != nil && (!bounded || bound.Cmp(low) > 0) {
				low, bounded = bound, true
			}
		}
		for _, bound := range []*big.Rat{part.Maximum, part.ExclusiveMaximum} {
			if bound != nil && (high == nil || bound.Cmp(high) < 0) {
				high = bound
			}
		}
		if part.MultipleOf != nil {
			step = part.MultipleOf
		}
	}
	if high == nil {
		high = new(big.Rat).Add(low, big.NewRat(1000, 1))
	} else if !bounded && high.Sign() <= 0 {
		low = new(big.Rat).Sub(high, big.NewRat(1000, 1))
	}
	width := new(big.Rat).Sub(high, low)
	at := new(big.Rat).Mul(width, big.NewRat(s.random.Int64N(10_001), 10_000))
	at.Add(at, low)
	if whole && step == nil {
		step = big.NewRat(1, 1)
	}
	if step != nil {
		count := new(big.Rat).Quo(at, step)
		floor := new(big.Int).Div(count.Num(), count.Denom())
		at.Mul(new(big.Rat).SetInt(floor), step)
	}
	if at.IsInt() {
		return json.Number(at.Num().String())
	}
	return json.Number(at.FloatString(4))
}

func (s *sampler) array(all mergedSchema, depth int) any {
	least, most := 0, 3
	for _, part := range all {
		least = max(least, part.MinItems)
		if part.MaxItems >= 0 {
			most = min(most, part.MaxItems)
		}
	}
	items := mergeSchemas(all.items(), nil)
	list := []any{}
	for range least + s.random.IntN(max(most-least, 0)+1) {
		list = append(list, s.value(items, items.keywords(), depth+1))
	}
	return list
}

func (s *sampler) object(all mergedSchema, depth int) any {
	made := map[string]any{}
	for _, part := range all {
		for name := range part.Properties {
			property := mergeSchemas(all.property(name), nil)
			if !property.refused() {
				made[name] = nil
			}
		}
		for _, name := range part.Required {
			made[name] = nil
		}
	}
	for _, name := range slices.Sorted(keysOf(made)) {
		property := mergeSchemas(all.property(name), nil)
		made[name] = s.value(property, property.keywords(), depth+1)
	}
	return made
}

func keysOf(made map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range made {
			if !yield(name) {
				return
			}
		}
	}
}

func (s *sampler) text(all mergedSchema) any {
	least, most := 0, 40
	for _, part := range all {
		if part.Pattern != nil {
			return s.matching(part.Pattern.String())
		}
		if part.Format != "" {
			if text, known := s.formatted(part.Format); known {
				return text
			}
		}
		least = max(least, part.MinLength)
		if part.MaxLength >= 0 {
			most = min(most, part.MaxLength)
		}
	}
	text := s.words()
	for len(text) < least {
		text += "-" + s.words()
	}
	if len(text) > max(most, least) {
		text = text[:max(most, least)]
	}
	return text
}

var sampleWords = []string{"amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "harbor", "iris", "juniper", "lotus", "maple", "nova", "opal", "pine", "quartz"}

func (s *sampler) words() string {
	return sampleWords[s.random.IntN(len(sampleWords))] + "-" + sampleWords[s.random.IntN(len(sampleWords))]
}

// formatted are the formats of draft 2020-12 that people use.
func (s *sampler) formatted(format string) (string, bool) {
	n := func(limit int) int { return s.random.IntN(limit) }
	date := fmt.Sprintf("%04d-%02d-%02d", 2020+n(5), 1+n(12), 1+n(28))
	clock := fmt.Sprintf("%02d:%02d:%02dZ", n(24), n(60), n(60))
	hex := func(digits int) string {
		var text strings.Builder
		for range digits {
			fmt.Fprintf(&text, "%x", n(16))
		}
		return text.String()
	}
	switch format {
	case "date-time":
		return date + "T" + clock, true
	case "date":
		return date, true
	case "time":
		return clock, true
	case "duration":
		return fmt.Sprintf("PT%dM", 1+n(600)), true
	case "uuid":
		return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12), true
	case "email", "idn-email":
		return s.words() + "@example.com", true
	case "uri", "iri", "uri-reference", "iri-reference":
		return "https://www.example.com/" + s.words(), true
	case "hostname", "idn-hostname":
		return s.words() + ".example.com", true
	case "ipv4":
		return fmt.Sprintf("192.0.2.%d", n(256)), true
	case "ipv6":
		return "2001:db8::" + hex(4), true
	}
	return "", false
}
