package schemas

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// A rule under then or else holds only under its if. The message says so.

// condition is the text of an if.
type condition struct {
	text string
	weak bool
}

// holds words the condition of a then: " when event_type is push_sent".
func (e explainer) holds(s *jsonschema.Schema, pointer string) condition {
	var parts []string
	for _, test := range conditionTests(s, "") {
		if value, there := jsonpointer.Value(e.value, pointer+test.pointer); there {
			parts = append(parts, fieldName(test.pointer)+" is "+plain(value))
		}
	}
	if len(parts) == 0 {
		return condition{}
	}
	return condition{text: " when " + strings.Join(parts, " and ")}
}

// fails words the condition of an else: " unless event_type is inapp_clicked".
func (e explainer) fails(s *jsonschema.Schema, pointer string) condition {
	var parts []string
	weak := false
	for _, test := range conditionTests(s, "") {
		if _, there := jsonpointer.Value(e.value, pointer+test.pointer); !there {
			weak = true
		}
		if len(test.allowed) > 0 {
			parts = append(parts, fieldName(test.pointer)+" is "+listValues(test.allowed))
		}
	}
	if len(parts) == 0 {
		return condition{weak: weak}
	}
	return condition{text: " unless " + strings.Join(parts, " and "), weak: weak}
}

// conditionTests lists the members that an if looks at.
func conditionTests(s *jsonschema.Schema, pointer string) []finding {
	var tests []finding
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		property, at := s.Properties[name], pointer+"/"+jsonpointer.Escape(name)
		switch allowed := slices.Concat(property.Constant, property.Enum); {
		case len(property.Properties) > 0:
			tests = append(tests, conditionTests(property, at)...)
		default:
			tests = append(tests, finding{pointer: at, allowed: allowed})
		}
	}
	return tests
}

// conditional recognises the wrapper around a failed then or else, and finds the schema that holds the if.
func (e explainer) conditional(err *jsonschema.ValidationError) (parent *jsonschema.Schema, branch string, ok bool) {
	file, pointer := fileAndPointer(err.AbsoluteKeywordLocation)
	slash := strings.LastIndexByte(pointer, '/')
	if len(err.Causes) == 0 || err.Message == "" || slash < 0 {
		return nil, "", false
	}
	branch = pointer[slash+1:]
	if branch != "then" && branch != "else" {
		return nil, "", false
	}
	parent = e.library.shelf.At(file, pointer[:slash])
	return parent, branch, parent != nil && parent.If != nil
}
