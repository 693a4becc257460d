// Package unpack reads files that may be compressed with gzip.
package unpack

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// PeekBytes is how much of a file can be peeked at.
const PeekBytes = 64 << 10

// Content is what a file holds once it is unpacked.
type Content struct {
	*bufio.Reader
	packed *unpacker // nil: the file is not compressed
}

// unpacker reads through gzip. Compressed data that are cut or damaged end
// there, so that what came before can be checked.
type unpacker struct {
	from    io.Reader
	damaged string // how they ended instead
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		u.damaged = "the compressed data end too early"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		u.damaged = "the compressed data are damaged: " + err.Error()
	default:
		return n, err
	}
	return n, io.EOF
}

// Open reads through gzip if the file is compressed.
func Open(r io.Reader) (Content, error) {
	raw := bufio.NewReaderSize(r, PeekBytes)
	if first, _ := raw.Peek(2); !bytes.Equal(first, []byte{0x1f, 0x8b}) {
		return Content{Reader: raw}, nil
	}
	from, err := gzip.NewReader(raw)
	if err != nil {
		return Content{}, fmt.Errorf("it begins like a gzip file and is none: %w", err)
	}
	unpacked := &unpacker{from: from}
	return Content{bufio.NewReaderSize(unpacked, PeekBytes), unpacked}, nil
}

// Damage tells how compressed data ended before their end; "": they did not, as far as they were read.
func (c Content) Damage() string {
	if c.packed == nil {
		return ""
	}
	return c.packed.damaged
}

// SkipMark passes over a byte order mark, and says whether there was one.
func (c Content) SkipMark() bool {
	if first, _ := c.Peek(3); string(first) != ByteOrderMark {
		return false
	}
	_, _ = c.Discard(len(ByteOrderMark))
	return true
}

// ByteOrderMark is U+FEFF in UTF-8.
const ByteOrderMark = "\xef\xbb\xbf"
