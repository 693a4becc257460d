package wire

import (
	"slices"
	"strings"
)

// Object is a map whose members are written in the order in which they are here.
type Object []Member

// Member is one member of an [Object].
type Member struct {
	Name  string
	Value any
}

// order is the name of a member that Decode adds to a map whose names do not ascend: a text of the names as they were. Go's maps
// have no order, and what the core copies, cuts out of others and gives on is still such a map, so that its order has to be in
// it. Append takes it out again. A name of the page's that begins with this byte gets one more, so that none is this one. It
// is a text, not a list: the core bounds the nesting.
//
// kept is the one member of an object that the page keeps, whose number crosses in place of it: what nobody here looks into, such as
// the arguments of a registered action in a group, is given on as it is.
const (
	order     = "\x00"
	kept      = "\x00kept"
	separator = "\x00\x00"
	escaped   = "\x00\x01"
)

// written gives the order of names as a text.
func written(names []string) string {
	var text strings.Builder
	for i, name := range names {
		if i > 0 {
			text.WriteString(separator)
		}
		text.WriteString(strings.ReplaceAll(name, order, escaped))
	}
	return text.String()
}

// inward gives the name that a member has on this side.
func inward(name string) string {
	if name != "" && name[0] == order[0] {
		return order + name
	}
	return name
}

// outward undoes inward.
func outward(name string) string {
	if name != "" && name[0] == order[0] {
		return name[1:]
	}
	return name
}

// names gives the names of a map in the order in which the page had them, and ascending when it is none of the page's.
func names(values map[string]any) []string {
	if text, ok := values[order].(string); ok {
		ordered := strings.Split(text, separator)
		for i, name := range ordered {
			ordered[i] = strings.ReplaceAll(name, escaped, order)
		}
		return ordered
	}
	ordered := make([]string, 0, len(values))
	for name := range values {
		ordered = append(ordered, name)
	}
	slices.Sort(ordered)
	return ordered
}
