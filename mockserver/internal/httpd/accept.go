package httpd

import (
	"strconv"
	"strings"
)

// Media types of bodies.
const (
	MediaTypeJSON = "application/json"
	MediaTypeCSV  = "text/csv"
	MediaTypeHTML = "text/html; charset=utf-8"
)

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
