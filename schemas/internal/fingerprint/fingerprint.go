// Package fingerprint tells schema files apart by their bytes.
package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"io"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Of sums up names and contents, each with its length before it.
func Of(sources map[string][]byte) string {
	sum := sha256.New()
	write(sum, sources)
	return hex.EncodeToString(sum.Sum(nil))
}

// Checksum tells files that somebody has edited from those that they were, at every start of a program: it takes a tenth
// of the time of a digest, which nobody can forge.
func Checksum(sources map[string][]byte) uint32 {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	write(sum, sources)
	return sum.Sum32()
}

func write(sum io.Writer, sources map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		for _, part := range [][]byte{[]byte(name), sources[name]} {
			_, _ = sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part)))) // a hash takes everything
			_, _ = sum.Write(part)
		}
	}
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
