package learn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/sample"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// attribute is what was counted of a custom attribute. Each person has it once, so counts are of people.
type attribute struct {
	people  int64
	ofType  map[string]int64           // by the name of a type here
	values  map[string]int64           // by their JSON; nil: there are too many different ones
	items   map[string]int64           // of lists
	numbers map[string]*sample.Numbers // by type: numbers, dates (days since 1970) and the lengths of lists
}

// Of attributes: how many names are counted, how many different values of each, and of how many of these one can choose.
const (
	mostAttributes = 1_000
	mostValues     = 10_000
	mostChoices    = 200
)

// The types of values.
const (
	typeText, typeWhole, typeNumber, typeFlag = "string", "integer", "number", "boolean"
	typeList, typeDay, typeMoment             = "array", "date", "date-time"
)

// countAttributes counts the custom attributes of a person.
func (b *base) countAttributes(attributes map[string]json.RawMessage) {
	for _, name := range slices.Sorted(maps.Keys(attributes)) { // in order, since only so many are counted
		value := attributes[name]
		if string(value) == "null" {
			continue
		}
		a := b.said.attributes[name]
		if a == nil {
			if len(b.said.attributes) >= mostAttributes {
				continue
			}
			a = &attribute{ofType: map[string]int64{}, values: map[string]int64{}, items: map[string]int64{}, numbers: map[string]*sample.Numbers{}}
			b.said.attributes[name] = a
		}
		a.add(value)
	}
}

func (a *attribute) add(value json.RawMessage) {
	a.people++
	if a.values != nil {
		a.values[string(value)]++
		if len(a.values) > mostValues {
			a.values = nil
		}
	}
	var read any
	if json.Unmarshal(value, &read) != nil {
		return
	}
	switch read := read.(type) {
	case bool:
		a.ofType[typeFlag]++
	case float64:
		kind := typeNumber
		if read == math.Trunc(read) {
			kind = typeWhole
		}
		a.ofType[kind]++
		a.measure(typeNumber, read)
	case []any:
		a.ofType[typeList]++
		a.measure(typeList, float64(len(read)))
		once := map[string]bool{} // a person counts once, however often a list repeats an item
		for _, item := range read {
			if text, is := item.(string); is && !once[text] && (a.items[text] > 0 || len(a.items) < mostValues) {
				once[text] = true
				a.items[text]++
			}
		}
	case string:
		kind := typeText
		for layout, is := range map[string]string{"2006-01-02": typeDay, time.RFC3339: typeMoment} {
			if at, err := time.Parse(layout, read); err == nil {
				kind = is
				a.measure(kind, float64(at.Unix())/daySeconds)
			}
		}
		a.ofType[kind]++
	}
}

func (a *attribute) measure(kind string, number float64) {
	if a.numbers[kind] == nil {
		a.numbers[kind] = &sample.Numbers{}
	}
	a.numbers[kind].Add(number)
}

// schema is what a schema file may say of the attribute: nothing that fewer than least people share. profiles is how many
// people could have it, and bounded tells whether it has the bounds that values of its type have.
func (a *attribute) schema(least, profiles int64) (schema string, bounded bool) {
	made := map[string]any{}
	kind := a.kind(least)
	bounded = true
	if weights, choices := a.choices(least); len(choices) > 0 && kind != typeFlag && kind != typeList {
		made["enum"], made["x-weights"] = append(choices, nil), weights
	} else if kind == typeFlag {
		made["type"] = []string{typeFlag, "null"}
		if len(weights) > 0 {
			made["x-weights"] = weights
		}
	} else {
		bounded = a.describe(made, kind, least)
	}
	made["x-null-share"] = 0
	if without := profiles - a.people; without >= least {
		made["x-null-share"] = report.Rounded(float64(without) / float64(profiles))
	}
	text, err := json.Marshal(made)
	if err != nil { // numbers and texts can be written
		panic(err)
	}
	return string(text), bounded
}

// mostAlike is which part of all values has to be of one type, so that the others can be taken for mistakes.
const mostAlike = 0.9

// kind is the type that enough people have, and nearly all: all but so few that nothing may be said of them. Without one it is a text.
func (a *attribute) kind(least int64) string {
	is := func(count int64) bool {
		return count >= least && a.people-count < least && float64(count) >= mostAlike*float64(a.people)
	}
	for _, each := range []string{typeFlag, typeList, typeDay, typeMoment} {
		if is(a.ofType[each]) {
			return each
		}
	}
	switch {
	case a.ofType[typeNumber] >= least && is(a.ofType[typeNumber]+a.ofType[typeWhole]):
		return typeNumber
	case is(a.ofType[typeWhole]):
		return typeWhole
	}
	return typeText
}

// describe says what values are like of which there are too many to choose from. It tells whether it says their bounds, if they
// have any.
func (a *attribute) describe(made map[string]any, kind string, least int64) (bounded bool) {
	of := kind
	if kind == typeWhole {
		of = typeNumber
	}
	low, high, bounded := a.numbers[of].Between(least, manyDurations*least)
	switch kind {
	case typeWhole, typeNumber:
		made["type"] = []string{kind, "null"}
		if bounded {
			made["minimum"], made["maximum"] = report.Significant(low, 2), report.Significant(high, 2)
		}
		if kind == typeNumber {
			made["multipleOf"] = 0.01
		}
	case typeDay, typeMoment:
		made["type"], made["format"] = []string{typeText, "null"}, kind
		if year := func(days float64) int { return time.Unix(int64(days*daySeconds), 0).UTC().Year() }; bounded {
			made["x-earliest"], made["x-latest"] = fmt.Sprintf("%04d-01-01", year(low)), fmt.Sprintf("%04d-12-31", year(high))
		}
	case typeList:
		most := max(int(high), 1) // 1 where it is not known
		made["type"], made["uniqueItems"], made["maxItems"] = []string{typeList, "null"}, true, most
		made["items"] = map[string]any{"type": typeText}
		var items []string
		for _, item := range slices.Sorted(maps.Keys(a.items)) {
			if a.items[item] >= least {
				items = append(items, item)
			}
		}
		if len(items) > 0 && len(items) <= mostChoices {
			made["items"], made["maxItems"] = map[string]any{"enum": items}, min(most, len(items))
		}
	default:
		made["type"], bounded = []string{typeText, "null"}, true
	}
	return bounded
}

// choices are the values that enough people share, and how often each comes, if there are few and most people have one of them.
func (a *attribute) choices(least int64) (weights map[string]float64, choices []any) {
	shared := int64(0)
	weights = map[string]float64{}
	for _, value := range slices.Sorted(maps.Keys(a.values)) {
		count := a.values[value]
		if count < least {
			continue
		}
		var read any
		if json.Unmarshal([]byte(value), &read) != nil {
			continue
		}
		name := value
		switch read := read.(type) {
		case string:
			name = read
		case bool:
		default: // weights are of words
			return nil, nil
		}
		if _, mixed := weights[name]; mixed { // false and "false" would have one weight
			return nil, nil
		}
		shared += count
		choices, weights[name] = append(choices, read), report.Rounded(float64(count)/float64(a.people))
	}
	if len(choices) > mostChoices || float64(shared) < 0.8*float64(a.people) {
		return nil, nil
	}
	return weights, choices
}

// attributeNames are those of attributes that enough people have.
func (b *base) attributeNames(least int64) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(b.said.attributes)) {
		if b.said.attributes[name].people >= least {
			names = append(names, name)
		}
	}
	return names
}

// typesMember is the keyword that says what custom attributes are.
const typesMember = "x-attribute-types"

// attributeTypes are the changes of schema files that say what the custom attributes of a base are: before what they say already,
// since the first pattern that a name matches counts.
func (b *base) attributeTypes(library *schemas.Library, least int64, leave func(name, why string, arguments ...any)) (members []amend.Member) {
	names := b.attributeNames(least)
	if len(names) == 0 {
		return nil
	}
	var learned []string
	for _, name := range names {
		pattern, _ := json.Marshal("^" + regexp.QuoteMeta(name) + "$") // a text can be written
		schema, bounded := b.said.attributes[name].schema(least, b.profiles)
		if !bounded {
			leave("bounds of "+name, "fewer than %d people have it", manyDurations*least)
		}
		learned = append(learned, `{"name": `+string(pattern)+`, "schema": `+schema+`}`)
	}
	for _, file := range library.Names() {
		var document any
		if json.NewDecoder(bytes.NewReader(library.Source(file))).Decode(&document) != nil {
			continue
		}
		walk(document, "", func(pointer string, object map[string]any) {
			known, is := object[typesMember].([]any)
			if !is || object["properties"] != nil { // the vocabulary itself describes it
				return
			}
			text, err := json.Marshal(known)
			if err != nil {
				return
			}
			list := strings.Join(learned, ", ")
			if rest := strings.TrimSuffix(strings.TrimPrefix(string(text), "["), "]"); rest != "" {
				list += ", " + rest
			}
			members = append(members, amend.Member{File: file, Pointer: pointer, Name: typesMember, Value: "[" + list + "]"})
		})
	}
	return members
}

// walk visits the objects in a document, with the pointer to each.
func walk(value any, pointer string, visit func(pointer string, object map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		visit(pointer, value)
		for name, below := range value {
			walk(below, pointer+"/"+amend.Escape(name), visit)
		}
	case []any:
		for i, below := range value {
			walk(below, pointer+"/"+strconv.Itoa(i), visit)
		}
	}
}

// compareAttributes compares the values of an attribute that enough people share: total variation.
func compareAttributes(name string, a, b *attribute, least int64) (report.Comparison, bool) {
	made := report.Comparison{Name: "attribute " + name, Measure: report.TotalVariation, People: report.Roughly(a.people), Set: true}
	if weights, choices := a.choices(least); b == nil || len(weights) == 0 || len(choices) < 2 {
		return made, false
	}
	all, other := 0.0, 0.0
	for value, count := range a.values {
		if count >= least {
			all, other = all+float64(count), other+float64(b.values[value])
		}
	}
	distance, floor := 0.0, 0.0
	for value, count := range a.values {
		if count < least {
			continue
		}
		p := float64(count) / all
		distance += math.Abs(p-float64(b.values[value])/max(other, 1)) / 2
		floor += math.Sqrt(p * (1 - p) / (2 * math.Pi) * (1/all + 1/max(other, 1)))
	}
	return made.Judged(distance, floor, 3*floor), true
}
