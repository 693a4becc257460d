package schemas

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/datefault"

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
			f.keyword, f.want = "not", say("not", "shape", shapeOf(s, say("not known")))
			break
		}
		f.keyword, f.want, f.found = "false", say("false"), ""
	case "required":
		return missing(s, f, value)
	case "dependentRequired":
		return dependent(s, keyword, f)
	case "additionalProperties":
		return e.unknown(s, f, value)
	case "type":
		for _, name := range s.Types {
			f.allowed = append(f.allowed, word(say("type "+name)))
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
			if sentence, parts := datefault.Of(text); sentence != "" {
				f.hint = say(sentence, parts...)
			}
		}
	default:
		f.want, f.found = wantOf(s, name, f.found, value)
	}
	if f.want == "" && len(f.allowed) == 0 {
		f.want = say("other", "keyword", name, "reason", err.Message)
	}
	return []finding{f}
}

// wantOf words what a keyword with a bound or a shape demands, and what was found instead.
func wantOf(s *jsonschema.Schema, keyword, found string, value any) (want, instead string) {
	switch keyword {
	case "pattern":
		return shapeOf(s, say(keyword, "pattern", s.Pattern.String())), found
	case "format":
		return shapeOf(s, formatName(s.Format)), found
	case "minLength":
		if s.MinLength == 1 {
			return say("minLength one"), found
		}
		return say(keyword, "limit", strconv.Itoa(s.MinLength)), found
	case "maxLength":
		return say(keyword, "limit", strconv.Itoa(s.MaxLength)), found
	case "minItems":
		return say(keyword, "items", count(s.MinItems, "item")), count(sizeOf(value), "item")
	case "maxItems":
		return say(keyword, "items", count(s.MaxItems, "item")), count(sizeOf(value), "item")
	case "minProperties":
		return say(keyword, "members", count(s.MinProperties, "member")), count(sizeOf(value), "member")
	case "maxProperties":
		return say(keyword, "members", count(s.MaxProperties, "member")), count(sizeOf(value), "member")
	case "minimum":
		return say(keyword, "limit", number(s.Minimum)), found
	case "maximum":
		return say(keyword, "limit", number(s.Maximum)), found
	case "exclusiveMinimum":
		return say(keyword, "limit", number(s.ExclusiveMinimum)), found
	case "exclusiveMaximum":
		return say(keyword, "limit", number(s.ExclusiveMaximum)), found
	case "multipleOf":
		return say(keyword, "limit", number(s.MultipleOf)), found
	case "uniqueItems", "oneOf":
		return say(keyword), say(keyword + " found")
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
		all = append(all, finding{pointer: pointer, keyword: "required", subject: fieldName(pointer), want: say("required")})
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
		pointer: pointer, keyword: f.keyword, subject: fieldName(pointer), want: say("dependentRequired", "name", tokens[1]),
	}}
}

// unknown gives one finding for each member that the schema does not know.
func (e explainer) unknown(s *jsonschema.Schema, f finding, value any) []finding {
	object, _ := value.(map[string]any)
	names, further := firstUnknown(s, object)
	known := e.library.PropertyOrder(s)
	sentence := "additionalProperties"
	switch len(known) {
	case 0:
		sentence += " none"
	case 1:
		sentence += " one"
	}
	want := say(sentence, "names", strings.Join(known, ", "))
	all := make([]finding, len(names))
	for i, name := range names {
		pointer := f.pointer + "/" + jsonpointer.Escape(name)
		all[i], further = finding{pointer: pointer, keyword: f.keyword, subject: fieldName(pointer), want: want, hint: didYouMean(name, known), further: further}, 0
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
	if name := say("format " + format); name != "" {
		return name
	}
	return say("format", "format", format)
}

func number(r *big.Rat) string {
	if r == nil {
		return "?"
	}
	return strings.TrimSuffix(strings.TrimRight(r.FloatString(9), "0"), ".")
}
