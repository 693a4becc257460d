package api

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestSegment bounds a token, group id or key in a path, in bytes.
const longestSegment = 255

// decodedVariables decodes the placeholders of a path that matches a template,
// which is given in segments. They end up in file names, links and records, so
// what no key or token looks like is refused: slashes (encoded ones included),
// dots that mean a folder, control characters, text that is not UTF-8.
func decodedVariables(wanted []string, path string) (map[string]string, *Error) {
	var decoded map[string]string
	var refusal *Error
	for _, segment := range wanted {
		sent, rest, _ := strings.Cut(path, "/")
		path = rest
		if !strings.HasPrefix(segment, "{") {
			continue
		}
		name := segment[1 : len(segment)-1]
		value, err := url.PathUnescape(sent)
		if err != nil {
			value = sent
		}
		if decoded == nil {
			decoded = map[string]string{}
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
