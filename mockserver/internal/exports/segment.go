package exports

import (
	"unicode"
	"unicode/utf8"
)

// LongestSegment bounds a token, group id or key in a path, in bytes.
const LongestSegment = 255

// SegmentFault says why a text cannot be a path segment, such as an application key (export API section 4.1); empty if it can.
func SegmentFault(segment string) string {
	switch {
	case segment == "":
		return "is empty"
	case len(segment) > LongestSegment:
		return "is too long"
	case segment == "." || segment == "..":
		return "names a folder"
	case !utf8.ValidString(segment):
		return "is not valid UTF-8"
	}
	for _, char := range segment {
		if char == '/' || char == '\\' {
			return "contains a slash"
		}
		if !unicode.IsPrint(char) {
			return "contains a character that cannot be printed"
		}
	}
	return ""
}
