package world

import (
	"encoding/binary"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

const customPrefix = "user-"

func (w *World) appendCustomID(dst []byte, person int64) []byte {
	return appendHex(append(dst, customPrefix...), keyed(w.keys.customs+1, uint64(person)))
}

func (w *World) hasCustomID(person int64) bool {
	return keyed(w.keys.customs, uint64(person))&255 < customShare
}

// customColumn makes identifiers of the customer awkward.
func (w *World) customColumn() *texture.Column {
	column := w.Texture().Column(vocabulary.CustomID, texture.Identifiers)
	return column.WithLookAlikes(func(number uint64) bool { return w.hasCustomID(int64(number)) },
		func(dst []byte, number uint64) []byte { return w.appendCustomID(dst, int64(number)) })
}

// Texture is what becomes of texts of the world; nil when they stay as they are.
func (w *World) Texture() *texture.Texture { return texture.New(w.settings.Texture, w.seed) }

func appendHex(dst []byte, value uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, hexDigits(uint32(value>>32))), hexDigits(uint32(value)))
}

// hexDigits are the eight digits of a number, the first one in the highest byte: all of them are found at once.
func hexDigits(value uint32) uint64 {
	const each = 0x0101010101010101
	spread := uint64(value)
	spread = (spread | spread<<16) & 0x0000ffff0000ffff
	spread = (spread | spread<<8) & 0x00ff00ff00ff00ff
	spread = (spread | spread<<4) & (15 * each)
	letters := (spread + 6*each) >> 4 & each // 1 where the digit is a letter
	return spread + '0'*each + letters*('a'-'0'-10)
}
