package check

import "slices"

// immutableField is a value that must not change.
type immutableField struct {
	value    string
	at       place
	reported []string
}

// assertSame compares a value with the first one that was seen. A value that contradicts it is reported once.
func (e *engine) assertSame(rule string, f *immutableField, what, value string, at place) {
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
		e.assert(rule, value == f.value, at, &f.at, "%s is %q, elsewhere %q", what, value, f.value)
	}
}
