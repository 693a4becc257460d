package httpd

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// ReadQuery checks the query of a lookup against the parameters its schema declares: each at most once, none unknown, every value as its
// own schema says. A refusal lists all faults, with a pointer as if the parameters were members of an object. A parameter that is not
// given has the default of its schema, if that has one.
func ReadQuery(rawQuery string, parameters []schemas.Parameter) (map[string]string, error) {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil,
			exports.Refuse(exports.MalformedParameter,
				"the query of the URL cannot be read: %v; send name=value, joined by &, with what is not a letter or digit escaped", err)
	}
	values := map[string]string{}
	names := make([]string, len(parameters))
	var problems []schemas.Problem
	fault := func(name, keyword, format string, arguments ...any) {
		message := "the query parameter " + fmt.Sprintf(format, arguments...)
		problems = append(problems, schemas.Problem{Pointer: "/" + EscapePointer(name), Keyword: keyword, Message: message})
	}
	for i, parameter := range parameters {
		names[i] = parameter.Name
		given := query[parameter.Name]
		switch {
		case len(given) > 1:
			fault(parameter.Name, "maxItems", "%s is given %d times; give it once", parameter.Name, len(given))
		case len(given) == 1:
			values[parameter.Name] = given[0]
			if keyword := brokenRule(parameter, given[0]); keyword != "" {
				fault(parameter.Name, keyword, "%s is %q; allowed: %s", parameter.Name, exports.Shorten(given[0]), allowedBy(parameter))
			}
		case parameter.Required:
			fault(parameter.Name, "required", "%s is missing: it is required; send %s", parameter.Name, allowedBy(parameter))
		case parameter.Schema != nil:
			if usual, is := parameter.Schema().Default.(string); is {
				values[parameter.Name] = usual
			}
		}
	}
	slices.Sort(names)
	allowed := "allowed: " + strings.Join(names, ", ")
	if len(names) == 0 {
		allowed = "this route has none; leave it out"
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if slices.Contains(names, name) {
			continue
		}
		fault(name, "additionalProperties", "%q is not known; %s%s", exports.Shorten(name), allowed, schemas.DidYouMean(name, names))
	}
	if len(problems) > 0 {
		return nil, RefuseInvalid(schemas.Invalid("query", problems))
	}
	return values, nil
}

// brokenRule is the keyword of the schema that a value breaks; empty if none.
func brokenRule(parameter schemas.Parameter, value string) string {
	if parameter.Schema == nil {
		return ""
	}
	err := parameter.Schema().Validate(value)
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
		if described := schemas.Followed(parameter.Schema()).Description; described != "" {
			text = described
		}
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + strings.TrimSuffix(text[size:], ".")
}

// QueryOf lists query parameters as a schema describes them: an object whose members are texts.
func QueryOf(library *schemas.Library, schema string, names ...string) ([]schemas.Parameter, error) {
	type key struct{ schema string }
	described := schemas.Derived(library, key{schema}, func() *describedMembers { return describe(library.Source(schema)) })
	if described.err != nil {
		return nil, fmt.Errorf("reading schema %s: %w", schema, described.err)
	}
	var parameters []schemas.Parameter
	for _, name := range names {
		member, there := described.members[name]
		if !there {
			return nil, fmt.Errorf("schema %s lacks the member %s, which the server needs", schema, name)
		}
		parameters = append(parameters, schemas.Parameter{Name: name, Description: member.Description, Source: member.source,
			Schema: func() *jsonschema.Schema { return library.Schema(schema).Properties[name] }})
	}
	return parameters, nil
}

// describedMembers are the members that a schema describes, as its file has them: a server that starts needs their
// descriptions, and the compiled schema only when somebody asks.
type describedMembers struct {
	members map[string]describedMember
	err     error
}

type describedMember struct {
	source      json.RawMessage
	Description string
}

func describe(source []byte) *describedMembers {
	var file struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal(source, &file); err != nil {
		return &describedMembers{err: err}
	}
	described := &describedMembers{members: map[string]describedMember{}}
	for name, text := range file.Properties {
		member := describedMember{source: text}
		_ = json.Unmarshal(text, &member) // true and false describe nothing
		described.members[name] = member
	}
	return described
}

// Number reads a parameter whose schema allows only whole numbers, and has a default.
func Number(query map[string]string, name string) (int, error) {
	value, err := strconv.Atoi(query[name])
	if err != nil {
		return 0, fmt.Errorf("the schema of the query parameter %s allows %q: %w", name, query[name], err)
	}
	return value, nil
}

// EscapePointer writes a member name as a segment of a JSON Pointer.
func EscapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// RefuseCursor refuses the parameter of a list that says where a page begins,
// which no page before gave out; next is the member that does.
func RefuseCursor(parameter, value, next string) error {
	return exports.Refuse(exports.MalformedParameter, "the query parameter %s is %q; send the %s of the page before", parameter,
		exports.Shorten(value), next)
}
