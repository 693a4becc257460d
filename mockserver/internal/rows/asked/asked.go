// Package asked knows what requests may ask for, by the schemas, and what rows call it.
package asked

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Requested are the items of the list of the request that has a role; empty without one.
func Requested(request merged.Schema, role string) merged.Schema {
	return merged.Of(merged.Of(request.Property(Member(request, role)), nil).Items(), nil)
}

// Member is the member of a request that has a role (x-role): the one of that name, if no other one has it.
func Member(request merged.Schema, role string) string {
	for _, part := range request {
		for name, property := range part.Properties {
			if schemas.KeywordsOf(property).Role == role {
				return name
			}
		}
	}
	return role
}

// WireNames turns the names of a request into those of its output.
func WireNames(request merged.Schema, list string, names []string) []string {
	if names == nil {
		return nil
	}
	keywords := Requested(request, list).Keywords()
	wire := make([]string, len(names))
	for i, name := range names {
		wire[i] = WireName(keywords, name)
	}
	return wire
}

func WireName(keywords schemas.Keywords, name string) string {
	if wire, renamed := keywords.WireNames[name]; renamed {
		return wire
	}
	return name
}

// Enumerated are the names of an enum.
func Enumerated(all merged.Schema) []string {
	var names []string
	for _, allowed := range all.Enum() {
		if name, is := allowed.(string); is {
			names = append(names, name)
		}
	}
	return names
}
