package api

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// readQuery checks the query of a lookup against the parameters its schema
// declares: each at most once, none unknown, every value as its own schema
// says. A refusal lists all faults, with a pointer as if the parameters were
// members of an object. A parameter that is not given has the default of its
// schema, if that has one.
func readQuery(rawQuery string, parameters []schemas.Parameter) (map[string]string, error) {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, refuse(MalformedParameter, "the query of the URL cannot be read: %v; send name=value, joined by &, with what is not a letter or digit escaped", err)
	}
	values := map[string]string{}
	names := make([]string, len(parameters))
	var problems []schemas.Problem
	fault := func(name, keyword, format string, arguments ...any) {
		message := "the query parameter " + fmt.Sprintf(format, arguments...)
		problems = append(problems, schemas.Problem{Pointer: "/" + escapePointer(name), Keyword: keyword, Message: message})
	}
	for i, parameter := range parameters {
		names[i] = parameter.Name
		given := query[parameter.Name]
		switch {
		case len(given) > 1:
			fault(parameter.Name, "maxItems", "%s is given %d times; give it once", parameter.Name, len(given))
		case len(given) == 1:
			values[parameter.Name] = given[0]
			if keyword := brokenRule(parameter.Schema, given[0]); keyword != "" {
				fault(parameter.Name, keyword, "%s is %q; allowed: %s", parameter.Name, shortened(given[0]), allowedBy(parameter))
			}
		case parameter.Required:
			fault(parameter.Name, "required", "%s is missing: it is required; send %s", parameter.Name, allowedBy(parameter))
		case parameter.Schema != nil:
			if usual, is := parameter.Schema.Default.(string); is {
				values[parameter.Name] = usual
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if slices.Contains(names, name) {
			continue
		}
		hint := ""
		if likely := schemas.Likely(name, names); likely != "" {
			hint = "; did you mean " + likely + "?"
		}
		fault(name, "additionalProperties", "%q is not known; allowed: %s%s", shortened(name), strings.Join(names, ", "), hint)
	}
	if len(problems) > 0 {
		return nil, refuseInvalid(schemas.Invalid("query", problems))
	}
	return values, nil
}

// brokenRule is the keyword of a schema that a value breaks; empty if none.
func brokenRule(schema *jsonschema.Schema, value string) string {
	if schema == nil {
		return ""
	}
	err := schema.Validate(value)
	if err == nil {
		return ""
	}
	var broken *jsonschema.ValidationError
	if !errors.As(err, &broken) {
		return "schema"
	}
	for len(broken.Causes) > 0 {
		broken = broken.Causes[0]
	}
	return broken.KeywordLocation[strings.LastIndexByte(broken.KeywordLocation, '/')+1:]
}

// allowedBy says what a parameter may be, as its schema describes it.
func allowedBy(parameter schemas.Parameter) string {
	text := parameter.Description
	if parameter.Schema != nil {
		if described := followed(parameter.Schema).Description; described != "" {
			text = described
		}
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + strings.TrimSuffix(text[size:], ".")
}
