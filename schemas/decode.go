package schemas

import (
	"io"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/strict"
)

// SyntaxError says that bytes are not the strict JSON that [Decode] reads.
type SyntaxError = strict.SyntaxError

// Decode reads one JSON value strictly: nothing missing, nothing after it, valid UTF-8, no name twice in
// an object, at most 64 levels of nesting. Numbers come as [json.Number], objects as map[string]any,
// arrays as []any. Every error is a [*SyntaxError].
func Decode(data []byte) (any, error) { return strict.Decode(data) }

// DecodeStream reads one JSON object from a reader, as strictly as [Decode], without keeping the items
// of the array that is one of its members: each is handed over as it comes, without insignificant white
// space, and is good until take returns. It returns the object with an empty array in that place, and
// the text of it. An error is that of the reader or of take, or a [*SyntaxError].
func DecodeStream(source io.Reader, member string, take func(item []byte) error) (value any, text []byte, err error) {
	return strict.DecodeStream(source, member, take)
}
