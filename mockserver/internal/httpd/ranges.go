package httpd

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// withPlainRange is a request whose header Range net/http answers as RFC 9110 section 14 wants it; by itself it refuses units that it
// does not know, takes "bytes=-0" for a range, and refuses numbers of more than 63 bits.
func withPlainRange(r *http.Request, size int64) *http.Request {
	given := r.Header.Get("Range")
	if given == "" {
		return r
	}
	wanted := plainRange(given, size)
	if wanted == given {
		return r
	}
	plain := *r
	plain.Header = r.Header.Clone()
	plain.Header.Del("Range")
	if wanted != "" {
		plain.Header.Set("Range", wanted)
	}
	return &plain
}

// plainRange writes a Range header in the numbers of a file of a size; empty if
// its unit is not known, which is to be ignored. What is malformed stays.
func plainRange(given string, size int64) string {
	unit, set, _ := strings.Cut(given, "=")
	if !strings.EqualFold(strings.TrimSpace(unit), "bytes") {
		return ""
	}
	ranges := strings.Split(set, ",")
	for i, each := range ranges {
		first, last, is := strings.Cut(strings.TrimSpace(each), "-")
		if !is || !digits(first) || !digits(last) {
			continue
		}
		if first == "" && last != "" && strings.Trim(last, "0") == "" {
			first, last = strconv.FormatInt(size, 10), "" // no bytes: cannot be satisfied
		}
		ranges[i] = within(first, size) + "-" + within(last, size)
	}
	return "bytes=" + strings.Join(ranges, ",")
}

func digits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// within is a number of a range, or the size of the file if that is less: where beyond the end it lies makes no difference.
func within(number string, size int64) string {
	if value, err := strconv.ParseInt(number, 10, 64); number == "" || err == nil && value <= size {
		return number
	}
	return strconv.FormatInt(size, 10)
}

// sentRange is the part of a file that an answer has; the zero value if it has several, or is compressed.
func sentRange(answer http.Header, status int, file *Content) (sent journal.Range) {
	switch {
	case answer.Get("Content-Encoding") != "":
	case status == http.StatusOK:
		return journal.Range{To: file.Size, Size: file.Size}
	case status == http.StatusPartialContent:
		var last int64
		if _, err := fmt.Sscanf(answer.Get("Content-Range"), "bytes %d-%d/%d", &sent.From, &last, &sent.Size); err != nil {
			return journal.Range{}
		}
		sent.To = last + 1
	}
	return sent
}
