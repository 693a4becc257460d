// Package fingerprint tells schema files apart by their bytes.
package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Of sums up names and contents, each with its length before it.
func Of(sources map[string][]byte) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		for _, part := range [][]byte{[]byte(name), sources[name]} {
			sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
			sum.Write(part)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// WithoutMessages is the text of a schema file without the members target and stream of its x-export, and
// without x-identifier: stored exports have a digest from before these members existed.
func WithoutMessages(text []byte) []byte {
	var kept []byte
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	begin, previous := int64(0), int64(0) // of the text to keep, and the end of the member before
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return append(kept, text[begin:]...)
		}
		if pointer := decoder.StackPointer(); token.Kind() == '"' && (pointer == "/x-export/target" || pointer == "/x-export/stream" || pointer.LastToken() == "x-identifier") {
			if kind, length := decoder.StackIndex(decoder.StackDepth()); kind == '{' && length%2 == 0 { // its value
				kept = append(kept, text[begin:previous]...)
				begin = decoder.InputOffset()
			} else {
				continue // its name: the member before ends where it did
			}
		}
		previous = decoder.InputOffset()
	}
}
