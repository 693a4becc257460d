package check

import "slices"

// fixed is a value that does not change.
type fixed struct {
	value    string
	at       place
	reported []string
}

// same compares a value with the one that was seen first. A value that contradicts is reported once.
func (e *engine) same(rule string, f *fixed, what, value string, at place) {
	switch {
	case value == "":
	case f.value == "":
		f.value, f.at = value, at
	default:
		if slices.Contains(f.reported, value) {
			return
		}
		if value != f.value && len(f.reported) < 16 {
			f.reported = append(f.reported, value)
		}
		e.held(rule, value == f.value, at, &f.at, "%s is %q, elsewhere %q", what, value, f.value)
	}
}
