package schemas

import (
	"io"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/strict"
)

// SyntaxError says that bytes are not the strict JSON that [Decode] reads, SizeError that [DecodeStream] would keep too many.
type (
	SyntaxError = strict.SyntaxError
	SizeError   = strict.SizeError
)

// Decode reads one JSON value strictly: nothing missing, nothing after it, valid UTF-8, no name twice in an object, at most 64 levels of
// nesting. Numbers come as [json.Number], objects as map[string]any, arrays as []any. Every error is a [*SyntaxError].
func Decode(data []byte) (any, error) { return strict.Decode(data) }

// DecodeStream reads one JSON object from a reader, as strictly as [Decode], without keeping the items of those arrays
// among its members for which take has a function: each is handed over as it comes, without insignificant white space, and is
// good until the function returns. It returns the object with empty arrays in those places, and the text of it, which is at
// most so many bytes. An error is that of the reader or of a function, a [*SyntaxError], or a [*SizeError].
func DecodeStream(source io.Reader, most int, take map[string]func(item []byte) error) (value any, text []byte, err error) {
	return strict.DecodeStream(source, most, take)
}
