package api

import (
	"net/url"
	"unicode"
	"unicode/utf8"
)

// longestSegment bounds a token, group id or key in a path, in bytes.
const longestSegment = 255

// decodedVariables decodes the named placeholders of a path. They end up in file
// names, links and records, so what no key or token looks like is refused:
// slashes (encoded ones included), dots that mean a folder, control
// characters, text that is not UTF-8.
func decodedVariables(names []string, encoded map[string]string) (map[string]string, *Error) {
	decoded := make(map[string]string, len(names))
	var refusal *Error
	for _, name := range names {
		value, err := url.PathUnescape(encoded[name])
		if err != nil {
			value = encoded[name]
		}
		decoded[name] = value
		if fault := SegmentFault(value); fault != "" && refusal == nil {
			refusal = refuse(MalformedParameter, "%s in the path %s; send it as one path segment of at most %d bytes", name, fault, longestSegment)
		}
	}
	return decoded, refusal
}

// SegmentFault says why a text cannot be a path segment, such as an application
// key (export API section 4.1); empty if it can.
func SegmentFault(segment string) string {
	switch {
	case segment == "":
		return "is empty"
	case len(segment) > longestSegment:
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
