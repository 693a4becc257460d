package world

import "encoding/binary"

// How many characters identifiers have.
const (
	hexWidth    = 16
	opaqueWidth = 32
	uuidWidth   = 36
)

// everyByte repeats a byte eight times.
const everyByte = 0x01_01_01_01_01_01_01_01

// hexOf is a number in hexadecimal, the first of eight characters in the
// highest byte: the digits are spread over the bytes and become characters all
// at once.
func hexOf(value uint32) uint64 {
	x := uint64(value)
	x = (x | x<<16) & 0x0000ffff_0000ffff
	x = (x | x<<8) & 0x00ff00ff_00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f_0f0f0f0f
	letters := (x + 0x06*everyByte) >> 4 & everyByte
	return x + '0'*everyByte + letters*('a'-'0'-10)
}

func appendHex(dst []byte, value uint64) []byte {
	dst = binary.BigEndian.AppendUint64(dst, hexOf(uint32(value>>32)))
	return binary.BigEndian.AppendUint64(dst, hexOf(uint32(value)))
}

// appendOpaque writes a 32-character identifier of number n under a key; no
// two numbers have the same.
func appendOpaque(dst []byte, key, n uint64) []byte {
	high := draw(key, n)
	return appendHex(appendHex(dst, high), mix(high^key))
}

// appendUUID writes a version 4 UUID of number n under a key.
func appendUUID(dst []byte, key, n uint64) []byte { return appendSaltedUUID(dst, key, saltOf(n)) }

// appendSaltedUUID writes that of the number with a salt.
func appendSaltedUUID(dst []byte, key, salt uint64) []byte {
	high := drawSalted(key, salt)
	low := mix(high^key)&^(3<<62) | 2<<62
	high = high&^(15<<12) | 4<<12
	dst = append(dst, "00000000-0000-0000-0000-000000000000"...)
	text := (*[uuidWidth]byte)(dst[len(dst)-uuidWidth:])
	second, third := hexOf(uint32(high)), hexOf(uint32(low>>32))
	binary.BigEndian.PutUint64(text[0:], hexOf(uint32(high>>32)))
	binary.BigEndian.PutUint32(text[9:], uint32(second>>32))
	binary.BigEndian.PutUint32(text[14:], uint32(second))
	binary.BigEndian.PutUint32(text[19:], uint32(third>>32))
	binary.BigEndian.PutUint32(text[24:], uint32(third))
	binary.BigEndian.PutUint64(text[28:], hexOf(uint32(low)))
	return dst
}
