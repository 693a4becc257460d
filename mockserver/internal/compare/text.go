package compare

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
)

// shapes are what texts look like, the most special first. What none of the characters of has is in is not looked at.
var shapes = []struct {
	name, has string
	like      func() *regexp.Regexp
}{
	{"a date and time without zone", ":", pattern.Of(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`)},
	{"a date and time with Z", ":", pattern.Of(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)},
	{"a date and time with Z and fractions", ":", pattern.Of(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,]\d+Z$`)},
	{"a date and time with an offset", ":", pattern.Of(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?[+-]\d\d:?\d\d$`)},
	{"a date", "-", pattern.Of(`^\d{4}-\d\d-\d\d$`)},
	{"a date of HTTP", ",", pattern.Of(`^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} `)},
	{"a UUID", "-", pattern.Of(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)},
	{"an integer", "0123456789", pattern.Of(`^[+-]?\d{1,15}$`)},
	{"a decimal number", ".", pattern.Of(`^[+-]?\d+[.]\d+$`)},
	{"an address with https", ":", pattern.Of(`^https://`)},
	{"an address with http", ":", pattern.Of(`^http://`)},
	{"an e-mail address", "@", pattern.Of(`^[^@\s]+@[^@\s]+$`)},
	{"a path", "/", pattern.Of(`^/\S*$`)},
}

// opaque is an identifier with a prefix, unless it is made of words that are not too long for one.
var (
	opaque = pattern.Of(`^([a-z]+_)[A-Za-z0-9_-]{8,}$`)
	words  = pattern.Of(`^[a-z]{1,14}(?:_[a-z]{1,14})*$`)
)

// saying is between a shape and what is said beside it: noise takes that away.
const saying = ": "

// textual is the shape of a text, and if it is a word of the service that word.
func textual(text string) string {
	if text == "" {
		return "an empty text"
	}
	for _, each := range shapes {
		if strings.ContainsAny(text, each.has) && each.like().MatchString(text) {
			return each.name
		}
	}
	if found := opaque().FindStringSubmatch(text); found != nil && !words().MatchString(text) {
		return "a token" + saying + found[1] + "..."
	}
	if drift.IsWord(text) {
		return "a token" + saying + text
	}
	if !strings.ContainsAny(text, " \t\n") {
		return "a token"
	}
	return "a text"
}

// known are the values of a conversation, which are shown by their names.
func known(text string, named map[string]string) string {
	if len(named) == 0 && !strings.HasPrefix(text, "/") { // every text of a file
		return textual(text)
	}
	const shortest = 4
	names := make([]string, 0, len(named))
	for name, value := range named {
		if len(value) >= shortest {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if by := len(named[b]) - len(named[a]); by != 0 {
			return by
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		if text == named[name] && !strings.Contains(text, "://") { // a proxy may lead links through itself
			return "the value" + saying + "{" + name + "}"
		}
	}
	if !strings.HasPrefix(text, "/") || strings.ContainsAny(text, " ?") {
		return textual(text)
	}
	for _, name := range names {
		text = strings.ReplaceAll(text, "/"+named[name], "/{"+name+"}")
	}
	parts := strings.Split(text, "/")
	for i, part := range parts {
		if !strings.HasPrefix(part, "{") && !drift.IsWord(part) && part != "1.0" && part != "2.7" && part != "" {
			parts[i] = "..."
		}
	}
	return "a path" + saying + strings.Join(parts, "/")
}

// shapeOf is the shape of a value of JSON that is no object and no array; number tells whether its number counts.
func shapeOf(value any, named map[string]string, number bool) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprintf("a boolean%s%v", saying, v)
	case json.Number:
		kind := "an integer of JSON"
		if strings.ContainsAny(v.String(), ".eE") {
			kind = "a number of JSON"
		}
		if number {
			return kind + saying + v.String()
		}
		return kind
	case string:
		return known(v, named)
	}
	return "a value"
}

// family is a shape without what it says.
func family(shape string) string {
	plain, _, _ := strings.Cut(shape, saying)
	return plain
}
