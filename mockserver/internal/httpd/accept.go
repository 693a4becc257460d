package httpd

import (
	"net/http"
	"strconv"
	"strings"
)

// Media types of bodies.
const (
	MediaTypeJSON = "application/json"
	MediaTypeCSV  = "text/csv"
	MediaTypeHTML = "text/html; charset=utf-8"

	mediaTypeProblem = "application/problem+json"
)

// wantsProblem tells whether a refusal should be written as RFC 9457 problem
// details. The native shape is the default: problem details are sent only to a
// client that names their media type, and does not rate plain JSON higher.
// Wildcards never ask for problem details; they do speak for plain JSON.
func wantsProblem(header http.Header) bool {
	values := header["Accept"]
	if len(values) == 0 {
		return false
	}
	problem := 0.0
	plain, plainRank := 0.0, 0 // rank: 1 for */*, 2 for application/*, 3 for the type itself
	for _, value := range values {
		for _, entry := range strings.Split(value, ",") {
			mediaType, quality := acceptEntry(entry)
			rank := 0
			switch mediaType {
			case mediaTypeProblem:
				problem = max(problem, quality)
			case MediaTypeJSON:
				rank = 3
			case "application/*":
				rank = 2
			case "*/*":
				rank = 1
			}
			if rank > plainRank || rank > 0 && rank == plainRank && quality > plain {
				plain, plainRank = quality, rank
			}
		}
	}
	return problem > 0 && problem >= plain
}

// acceptEntry reads one range of an Accept header. A quality that is not a
// number from 0 to 1 counts as 0: what cannot be read was not asked for.
func acceptEntry(entry string) (mediaType string, quality float64) {
	parts := strings.Split(entry, ";")
	quality = 1
	for _, parameter := range parts[1:] {
		name, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		number, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(number >= 0 && number <= 1) {
			return "", 0
		}
		quality = number
	}
	return strings.ToLower(strings.TrimSpace(parts[0])), quality
}
