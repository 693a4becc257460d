package schemas

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// What a schema may ask for: work and memory grow with both.
const (
	mostValues = 2_000  // of an enum
	mostParts  = 50_000 // of a schema, see [scale]
)

// scale weighs schemas: how many schemas one is made of, with those behind each reference as often as it is followed, and how
// much its smallest values have in them.
type scale struct {
	documents map[string]any
	known     map[string]int // by the place that a reference leads to; those that are being weighed have none
}

// check refuses a file that weighs too much.
func (s *scale) check(file string) error {
	if s.schema(file, s.documents[file], true) <= mostParts {
		return nil
	}
	return &FileError{file, "", "is made of more than " + strconv.Itoa(mostParts) + " parts: schemas, with those behind each $ref, " +
		"and what minLength, minItems and minProperties ask for at least; ask for less"}
}

// schema weighs a schema of a file; whole: with its definitions.
func (s *scale) schema(file string, value any, whole bool) int {
	object, _ := value.(map[string]any)
	weight, items := 1, least(object["minItems"])
	for keyword, value := range object {
		more := 0
		switch {
		case keyword == "$defs" && !whole:
		case keyword == "items":
			more = max(items, 1) * s.schema(file, value, false)
		case keyword == "contains":
			more = max(least(object["minContains"]), 1) * s.schema(file, value, false)
		case keyword == "minLength" || keyword == "minProperties" || keyword == "minItems":
			more = least(value)
		case keyword == "$ref":
			more = s.reference(file, value)
		case slices.Contains(keywordsOfSchemas, keyword):
			more = s.schema(file, value, false)
		case slices.Contains(keywordsOfLists, keyword):
			list, _ := value.([]any)
			for _, item := range list {
				more = min(more+s.schema(file, item, false), mostParts+1)
			}
		case slices.Contains(keywordsOfMaps, keyword):
			members, _ := value.(map[string]any)
			for _, member := range members {
				more = min(more+s.schema(file, member, false), mostParts+1)
			}
		}
		weight = min(weight+more, mostParts+1)
	}
	return weight
}

// reference weighs the schema behind a reference. One that leads back to itself adds nothing.
func (s *scale) reference(file string, value any) int {
	text, _ := value.(string)
	name, fragment, _, err := targetOf(file, text)
	target, there := jsonpointer.Value(s.documents[name], fragment)
	if err != nil || !there {
		return 0 // which is a fault of its own
	}
	place := name + "#" + fragment
	if weight, known := s.known[place]; known {
		return weight
	}
	s.known[place] = 0
	s.known[place] = s.schema(name, target, false)
	return s.known[place]
}

// least returns a number of a keyword, as far as it matters.
func least(value any) int {
	number, _ := value.(json.Number)
	count, err := number.Float64()
	if err != nil {
		return 0
	}
	return int(min(max(count, 0), mostParts+1))
}
