package httpd

import (
	"net/url"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// decodedVariables decodes the placeholders of a path that matches a template, which is given in segments. They end up in file names,
// links and records, so what no key or token looks like is refused: slashes (encoded ones included), dots that mean a folder, control
// characters, text that is not UTF-8.
func decodedVariables(wanted []string, path string) (decoded map[string]string, refusal error) {
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
		if fault := exports.SegmentFault(value); fault != "" && refusal == nil {
			refusal = exports.Refuse(exports.MalformedParameter, "%s in the path %s; send it as one path segment of at most %d bytes", name, fault,
				exports.LongestSegment)
		}
	}
	return decoded, refusal
}
