// Package asked knows what requests may ask for, by the schemas, and what rows call it.
package asked

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// List is all that a request says of the items of a list that it may have.
type List schemas.Branches

// Requested is the list of the request of an export that has a role; empty without one.
func Requested(library *schemas.Library, export schemas.Export, role string) List {
	return List(export.Roles.In(library.Schema(export.Request), role).Items())
}

// Allows reports whether a request may name an item: each schema that always applies accepts the name, or, without such, any of the others.
func (l List) Allows(name any) bool {
	accepts := len(l) == 0
	for _, s := range l {
		fits := s.Validate(name) == nil
		if s.Sure && !fits {
			return false
		}
		accepts = accepts || fits
	}
	return accepts
}

// Names are the names that enums list and a request may have.
func (l List) Names() []string {
	var names []string
	for _, s := range l {
		for _, allowed := range s.Enum {
			if name, is := allowed.(string); is && !slices.Contains(names, name) && l.Allows(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Listed returns the schema with an enum that lists a name; nil for none.
func (l List) Listed(name string) *jsonschema.Schema {
	for _, s := range l {
		if slices.Contains(s.Enum, any(name)) {
			return s.Schema
		}
	}
	return nil
}

// Keywords are the keywords of the items.
func (l List) Keywords() schemas.Keywords {
	var all merged.Schema
	for _, s := range l {
		all = append(all, s.Schema)
	}
	return all.Keywords()
}

// WireNames turns the names of a request into those of its output.
func (l List) WireNames(names []string) []string {
	if names == nil {
		return nil
	}
	keywords := l.Keywords()
	wire := make([]string, len(names))
	for i, name := range names {
		wire[i] = WireName(keywords, name)
	}
	return wire
}

// WireName is the name of a value in files.
func WireName(keywords schemas.Keywords, name string) string {
	if wire, renamed := keywords.WireNames[name]; renamed {
		return wire
	}
	return name
}
