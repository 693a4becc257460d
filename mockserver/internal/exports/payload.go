package exports

import (
	"net/url"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Payload reads the members of a creation payload that its schema accepts. A path names a member, or one inside another.
type Payload interface {
	// String is a member that is a string, and whether there is one.
	String(path ...string) (string, bool)
	// Strings are the items of a list of strings; nil without the list.
	Strings(path ...string) []string
	// Has says whether the member is there, even as null.
	Has(path ...string) bool
}

// Members is a decoded payload.
type Members map[string]any

// Asked is the payload of a creation by GET: its members are the parameters of the query, and variables of the path.
func Asked(export *schemas.Export, query url.Values, variables map[string]string) Members {
	asked := Members{}
	for name, values := range query {
		isList := slices.ContainsFunc(lists, func(role string) bool { return slices.Equal(export.Roles[role], []string{name}) })
		if asked[name] = values; !isList && len(values) == 1 {
			asked[name] = values[0]
		}
	}
	for name, value := range variables {
		if export.Reads(name) {
			asked[name] = value
		}
	}
	return asked
}

// lists are the roles of members that are lists.
var lists = []string{"events", "ids", "channels", "attributes", "identifiers"}

func (m Members) find(path []string) (value any, there bool) {
	value = map[string]any(m)
	for _, name := range path {
		object, _ := value.(map[string]any)
		if value, there = object[name]; !there {
			return nil, false
		}
	}
	return value, true
}

// String is a member that is a string, and whether there is one.
func (m Members) String(path ...string) (string, bool) {
	value, _ := m.find(path)
	text, is := value.(string)
	return text, is
}

// Strings are the items of a list of strings; nil without the list.
func (m Members) Strings(path ...string) (texts []string) {
	value, _ := m.find(path)
	items, _ := value.([]any)
	for _, item := range items {
		if text, is := item.(string); is {
			texts = append(texts, text)
		}
	}
	return texts
}

// Has says whether the member is there, even as null.
func (m Members) Has(path ...string) bool {
	_, there := m.find(path)
	return there
}

// distinct drops repeats; the first of each stays (export API section 2.1).
func distinct(texts []string) []string {
	seen := make(map[string]bool, len(texts))
	return slices.DeleteFunc(texts, func(text string) bool {
		repeat := seen[text]
		seen[text] = true
		return repeat
	})
}
