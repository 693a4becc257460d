package schemas

import (
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// leaf words one broken rule. Only a missing or an unknown member may give several findings, one for each.
func (e explainer) leaf(s *jsonschema.Schema, keyword string, err *jsonschema.ValidationError) []finding {
	pointer := jsonpointer.Unescape(err.InstanceLocation)
	value, _ := jsonpointer.Value(e.value, pointer)
	name, _, _ := strings.Cut(keyword, "/")
	f := finding{pointer: pointer, keyword: name, subject: fieldName(pointer), found: describe(value)}
	switch name {
	case "":
		if s.Always == nil { // the schema below a not, which the value fits
			f.keyword, f.want = "not", "anything but "+shapeOf(s, "what is forbidden here")
			break
		}
		f.keyword, f.want, f.found = "false", "absent", ""
	case "required":
		return missing(s, f, value)
	case "dependentRequired":
		return dependent(s, keyword, f)
	case "additionalProperties":
		return e.unknown(s, f, value)
	case "type":
		for _, name := range s.Types {
			f.allowed = append(f.allowed, typeName(name))
		}
		f.found = describeKind(value)
	case "const":
		f.allowed = s.Constant
		f.hint = hint(value, s.Constant)
	case "enum":
		f.allowed = s.Enum
		f.hint = hint(value, s.Enum)
	case "pattern":
		f.want, f.found = wantOf(s, name, f.found, value)
		if text, is := value.(string); is && strings.HasPrefix(s.Location, Base+"common/dates.json#") {
			f.hint = dateFault(text)
		}
	default:
		f.want, f.found = wantOf(s, name, f.found, value)
	}
	if f.want == "" && len(f.allowed) == 0 {
		f.want = "as " + name + " demands: " + err.Message
	}
	return []finding{f}
}

// wantOf words what a keyword with a bound or a shape demands, and what was found instead.
func wantOf(s *jsonschema.Schema, keyword, found string, value any) (want, instead string) {
	switch keyword {
	case "pattern":
		return shapeOf(s, "text that matches "+s.Pattern.String()), found
	case "format":
		return shapeOf(s, formatName(s.Format)), found
	case "minLength":
		if s.MinLength == 1 {
			return "text that is not empty", found
		}
		return fmt.Sprintf("at least %d characters long", s.MinLength), found
	case "maxLength":
		return fmt.Sprintf("at most %d characters long", s.MaxLength), found
	case "minItems":
		return "an array of at least " + count(s.MinItems, "item"), count(sizeOf(value), "item")
	case "maxItems":
		return "an array of at most " + count(s.MaxItems, "item"), count(sizeOf(value), "item")
	case "minProperties":
		return "an object of at least " + count(s.MinProperties, "member"), count(sizeOf(value), "member")
	case "maxProperties":
		return "an object of at most " + count(s.MaxProperties, "member"), count(sizeOf(value), "member")
	case "minimum":
		return "at least " + number(s.Minimum), found
	case "maximum":
		return "at most " + number(s.Maximum), found
	case "exclusiveMinimum":
		return "above " + number(s.ExclusiveMinimum), found
	case "exclusiveMaximum":
		return "below " + number(s.ExclusiveMaximum), found
	case "multipleOf":
		return "a multiple of " + number(s.MultipleOf), found
	case "uniqueItems":
		return "an array without repeats", "a repeat"
	case "oneOf":
		return "of exactly one of the allowed shapes", "a value that fits several"
	}
	return "", found
}

// missing gives one finding for each member that is required and absent.
func missing(s *jsonschema.Schema, f finding, value any) []finding {
	object, _ := value.(map[string]any)
	var all []finding
	for _, name := range s.Required {
		if _, there := object[name]; there {
			continue
		}
		pointer := f.pointer + "/" + jsonpointer.Escape(name)
		all = append(all, finding{pointer: pointer, keyword: "required", subject: fieldName(pointer), want: "it is required"})
	}
	return all
}

// dependent words a member that another one calls for; the keyword is dependentRequired/<member>/<index>.
func dependent(s *jsonschema.Schema, keyword string, f finding) []finding {
	tokens := jsonpointer.Tokens("/" + keyword)
	if len(tokens) != 3 {
		return []finding{f}
	}
	index, _ := strconv.Atoi(tokens[2])
	if index >= len(s.DependentRequired[tokens[1]]) {
		return []finding{f}
	}
	pointer := f.pointer + "/" + jsonpointer.Escape(s.DependentRequired[tokens[1]][index])
	return []finding{{
		pointer: pointer, keyword: f.keyword, subject: fieldName(pointer), want: "it is required together with " + tokens[1],
	}}
}

// unknown gives one finding for each member that the schema does not know.
func (e explainer) unknown(s *jsonschema.Schema, f finding, value any) []finding {
	object, _ := value.(map[string]any)
	names, further := firstUnknown(s, object)
	known := e.library.PropertyOrder(s)
	want := "allowed are " + strings.Join(known, ", ")
	switch len(known) {
	case 0:
		want = "no members are allowed"
	case 1:
		want = "allowed is " + known[0]
	}
	all := make([]finding, len(names))
	for i, name := range names {
		pointer := f.pointer + "/" + jsonpointer.Escape(name)
		all[i], further = finding{pointer: pointer, keyword: f.keyword, subject: fieldName(pointer), want: want, hint: DidYouMean(name, known),
			further: further}, 0
	}
	return all
}

// firstUnknown are the members of an object that a schema does not know, in the order of problems: as many as
// are listed, and how many further ones there are. To word all of a megabyte of them would take seconds.
func firstUnknown(s *jsonschema.Schema, object map[string]any) (names []string, further int) {
	patterns := slices.Collect(maps.Keys(s.PatternProperties))
	for name := range object {
		if s.Properties[name] != nil || slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(name) }) {
			continue
		}
		if len(names) == mostProblems {
			further++
			if jsonpointer.CompareTokens(name, names[mostProblems-1]) > 0 {
				continue
			}
			names = names[:mostProblems-1]
		}
		place, _ := slices.BinarySearchFunc(names, name, jsonpointer.CompareTokens)
		names = slices.Insert(names, place, name)
	}
	return names, further
}

// shapeOf takes the first sentence of a description as the wording of a shape if it reads as one ("A UTC
// date and time as ..."); else the fallback.
func shapeOf(s *jsonschema.Schema, fallback string) string {
	sentence, _, _ := strings.Cut(s.Description, ". ")
	sentence = strings.TrimSuffix(sentence, ".")
	for _, article := range []string{"A ", "An "} {
		if rest, ok := strings.CutPrefix(sentence, article); ok {
			return strings.ToLower(article) + rest
		}
	}
	return fallback
}

func formatName(format string) string {
	switch format {
	case "date-time":
		return "an RFC 3339 date and time"
	case "email":
		return "an e-mail address"
	case "uri":
		return "an absolute URI"
	case "uuid":
		return "a UUID"
	}
	return "text in the format " + format
}

func typeName(name string) word {
	switch name {
	case "null":
		return "null"
	case "array", "integer", "object":
		return word("an " + name)
	}
	return word("a " + name)
}

func number(r *big.Rat) string {
	if r == nil {
		return "?"
	}
	return strings.TrimSuffix(strings.TrimRight(r.FloatString(9), "0"), ".")
}
