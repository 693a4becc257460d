package exportapi

import (
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// newID makes an identifier nobody can guess: a UUID for the legacy
// interface, export_<opaque> for the profile interface (export API sections
// 2.2 and 2.6). It begins with the time, and 74 bits of it are random.
// See docs/decisions/server.md#why-do-identifiers-of-exports-begin-with-the-time
func newID(ids exports.Identifiers, now time.Time, random io.Reader) (string, error) {
	bits := [16]byte{}
	binary.BigEndian.PutUint64(bits[:], uint64(now.UnixMilli())<<16)
	if _, err := io.ReadFull(random, bits[6:]); err != nil {
		return "", fmt.Errorf("drawing an identifier: %w", err)
	}
	if prefix := ids.Export; prefix != "" {
		opaque := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(bits[:])
		return prefix + strings.ToLower(opaque), nil
	}
	bits[6] = bits[6]&0x0f | 0x70 // version 7
	bits[8] = bits[8]&0x3f | 0x80 // variant of RFC 9562
	var room [36]byte
	text := room[:]
	hex.Encode(text, bits[:4])
	hex.Encode(text[9:], bits[4:6])
	hex.Encode(text[14:], bits[6:8])
	hex.Encode(text[19:], bits[8:10])
	hex.Encode(text[24:], bits[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text), nil
}

// shapeOf says how an identifier of an export looks.
func shapeOf(ids exports.Identifiers) string {
	if ids.Export == "" {
		return "UUID"
	}
	return "identifier, which begins with " + ids.Export + ","
}
