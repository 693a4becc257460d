package api

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const (
	// largestBody is the most a payload may have, in bytes.
	largestBody = 1 << 20
	// politeDrain is how much of a body that is too large is read before the
	// answer: most clients read the answer only once they have sent everything.
	politeDrain = 32 << 20
)

// readBody reads a payload: media type, then size.
func readBody(r *http.Request) ([]byte, error) {
	if refusal := checkMediaType(r.Header); refusal != nil {
		return nil, refusal
	}
	return readAll(r)
}

// readValue reads and decodes a JSON body.
func readValue(r *http.Request) (any, error) {
	data, err := readBody(r)
	if err != nil {
		return nil, err
	}
	return decode(data)
}

func decode(data []byte) (any, error) {
	value, err := schemas.Decode(data)
	if err != nil {
		return nil, refuse(MalformedJSONBody, "the body is not valid JSON: %v", err)
	}
	return value, nil
}

// checkMediaType accepts JSON in UTF-8, not compressed.
func checkMediaType(header http.Header) *Error {
	values := header["Content-Type"]
	if len(values) == 1 && values[0] == mediaTypeJSON && header["Content-Encoding"] == nil {
		return nil
	}
	if len(values) == 0 {
		return refuse(MalformedParameter, "the header Content-Type is missing; send Content-Type: application/json")
	}
	mediaType, parameters, err := mime.ParseMediaType(values[0])
	if err != nil || len(values) > 1 || mediaType != mediaTypeJSON {
		return refuse(MalformedParameter, "the header Content-Type is %q; send Content-Type: application/json", shortened(strings.Join(values, ", ")))
	}
	if charset := parameters["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return refuse(MalformedParameter, "the header Content-Type names the charset %q; JSON is UTF-8", shortened(charset))
	}
	if encoding := header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return refuse(MalformedParameter, "the header Content-Encoding is %q; send the body without compression", shortened(encoding))
	}
	return nil
}

// readAll reads a body of at most largestBody bytes.
func readAll(r *http.Request) ([]byte, error) { return readUpTo(r, largestBody) }

// readUpTo reads a body of at most so many bytes.
func readUpTo(r *http.Request, most int) ([]byte, error) {
	if r.ContentLength <= int64(most) {
		data := make([]byte, 0, max(512, r.ContentLength+1))
		for len(data) <= most {
			if len(data) == cap(data) {
				data = append(data, 0)[:len(data)]
			}
			n, err := r.Body.Read(data[len(data):cap(data)])
			data = data[:len(data)+n]
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, unreadable(err)
			}
		}
		if len(data) <= most {
			return data, nil
		}
	}
	// A client that waits for "100 Continue" has not sent the body yet.
	if r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, politeDrain)
	}
	return nil, refuse(MalformedParameter, "the body is larger than %d MB (%d bytes), the most this API accepts", most>>20, most)
}

// unreadable explains a body that broke off.
func unreadable(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return refuse(MalformedParameter, "the body is larger than %d bytes", tooLarge.Limit)
	}
	return refuse(MalformedJSONBody, "the body could not be read to its end: %v", err)
}

// refuseInvalid turns what a schema found wrong into a refusal. A missing
// member is reported before a malformed one; the list holds all faults, up to a
// hundred.
func refuseInvalid(err error) error {
	var invalid *schemas.InvalidError
	if !errors.As(err, &invalid) || len(invalid.Problems) == 0 {
		return err
	}
	var missing, malformed []schemas.Problem
	for _, problem := range invalid.Problems {
		if problem.Keyword == "required" {
			missing = append(missing, problem)
		} else {
			malformed = append(malformed, problem)
		}
	}
	name := MalformedParameter
	if len(missing) > 0 {
		name = MissingParameter
	}
	message := sentence(append(missing, malformed...))
	if invalid.More > 0 {
		message += fmt.Sprintf(" (the first %d of at least %d)", len(invalid.Problems), len(invalid.Problems)+invalid.More)
	}
	return &Error{Name: name, Message: message, Problems: invalid.Problems}
}

// sentence joins the first few problems; the list has the rest.
func sentence(problems []schemas.Problem) string {
	const most = 3
	messages := make([]string, 0, most+1)
	for i, problem := range problems {
		if i == most {
			messages = append(messages, "and more, see errors")
			break
		}
		messages = append(messages, problem.Message)
	}
	return strings.Join(messages, "; ")
}
