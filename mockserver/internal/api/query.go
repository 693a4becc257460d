package api

import (
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// readQuery checks the query of a lookup against the parameters its schema
// declares: each at most once, none unknown, every value as its own schema
// says. A missing one is reported before a malformed one.
func readQuery(rawQuery string, parameters []schemas.Parameter) (map[string]string, *Error) {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, refuse(MalformedParameter, "the query of the URL cannot be read: %v", err)
	}
	values := map[string]string{}
	var malformed *Error
	for _, parameter := range parameters {
		given := query[parameter.Name]
		switch {
		case len(given) == 0 && parameter.Required:
			return nil, refuse(MissingParameter, "the query parameter %s is missing: %s", parameter.Name, parameter.Description)
		case len(given) > 1 && malformed == nil:
			malformed = refuse(MalformedParameter, "the query parameter %s is given %d times; give it once", parameter.Name, len(given))
		case len(given) == 1:
			values[parameter.Name] = given[0]
			if parameter.Schema != nil && parameter.Schema.Validate(given[0]) != nil && malformed == nil {
				malformed = refuse(MalformedParameter, "the query parameter %s is %q: %s", parameter.Name, shortened(given[0]), parameter.Description)
			}
		}
	}
	for name := range query {
		known := slices.ContainsFunc(parameters, func(parameter schemas.Parameter) bool { return parameter.Name == name })
		if !known && malformed == nil {
			malformed = refuse(MalformedParameter, "the query has a parameter that is not known; allowed: %s", parameterNames(parameters))
		}
	}
	return values, malformed
}

func parameterNames(parameters []schemas.Parameter) string {
	names := make([]string, len(parameters))
	for i, parameter := range parameters {
		names[i] = parameter.Name
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}
