package httpd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// ReadBody reads a payload: media type, then size.
func (r *Request) ReadBody() ([]byte, error) {
	if refusal := CheckMediaType(r.Header); refusal != nil {
		return nil, refusal
	}
	data, err := ReadUpTo(r.Request, r.trace.largestBody)
	if err == nil {
		return data, nil
	}
	var refused *exports.Refusal
	if errors.As(err, &refused) && refused.Name == exports.MalformedParameter {
		refused.Message += " (--limit body)"
	}
	return data, err
}

// ReadValue reads and decodes a JSON body.
func (r *Request) ReadValue() (any, error) {
	data, err := r.ReadBody()
	if err != nil {
		return nil, err
	}
	return Decode(data)
}

// Decode reads JSON; a body that is none is MALFORMED_JSON_BODY.
// See docs/explanation/specification.md#what-is-the-difference-between-30-31-and-32
func Decode(data []byte) (any, error) {
	value, err := schemas.Decode(data)
	if err != nil {
		return nil, exports.Refuse(exports.MalformedJSONBody, "the body is not valid JSON: %v", err)
	}
	return value, nil
}

// CheckMediaType accepts JSON in UTF-8, not compressed.
func CheckMediaType(header http.Header) error {
	values := header["Content-Type"]
	if len(values) == 0 {
		return exports.Refuse(exports.MalformedParameter, "the header Content-Type is missing; send Content-Type: application/json")
	}
	mediaType, parameters, err := mime.ParseMediaType(values[0])
	if err != nil || len(values) > 1 || mediaType != MediaTypeJSON {
		return exports.Refuse(exports.MalformedParameter, "the header Content-Type is %q; send Content-Type: application/json",
			exports.Shorten(strings.Join(values, ", ")))
	}
	if charset := parameters["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return exports.Refuse(exports.MalformedParameter, "the header Content-Type names the charset %q; JSON is UTF-8", exports.Shorten(charset))
	}
	if encoding := header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return exports.Refuse(exports.MalformedParameter, "the header Content-Encoding is %q; send the body without compression",
			exports.Shorten(encoding))
	}
	return nil
}

// ReadUpTo reads a body of at most a number of bytes.
func ReadUpTo(r *http.Request, most int) ([]byte, error) {
	if r.ContentLength <= int64(most) {
		data, err := io.ReadAll(io.LimitReader(r.Body, int64(most)+1))
		if err != nil {
			return nil, Unreadable(err)
		}
		if len(data) <= most {
			return data, nil
		}
	}
	size := fmt.Sprintf("%d bytes", most)
	if most%(1<<20) == 0 {
		size = fmt.Sprintf("%d MB (%d bytes)", most>>20, most)
	}
	return nil, exports.Refuse(exports.MalformedParameter, "the body is larger than %s, the most this API accepts", size)
}

// ReadWithin reads a body until a context ends; then its cause is the error.
func ReadWithin(ctx context.Context, body io.Reader) io.Reader { return &limitedBody{ctx, body} }

type limitedBody struct {
	ctx  context.Context
	body io.Reader
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.ctx.Err() != nil {
		return 0, context.Cause(b.ctx)
	}
	return b.body.Read(p)
}

// Unreadable explains a body that broke off.
func Unreadable(err error) *exports.Refusal {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return exports.Refuse(exports.MalformedParameter, "the body is larger than %d bytes", tooLarge.Limit)
	}
	return exports.Refuse(exports.MalformedJSONBody, "the body could not be read to its end: %v", err)
}

// RefuseInvalid turns what a schema found wrong into a refusal. A missing member is reported before a malformed one; the list holds all
// faults, up to a hundred.
func RefuseInvalid(err error) error {
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
	name := exports.MalformedParameter
	if len(missing) > 0 {
		name = exports.MissingParameter
	}
	message := sentence(append(missing, malformed...))
	if invalid.More > 0 {
		message += fmt.Sprintf(" (the first %d of at least %d)", len(invalid.Problems), len(invalid.Problems)+invalid.More)
	}
	return &exports.Refusal{Name: name, Message: message, Problems: invalid.Problems}
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
