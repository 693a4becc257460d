package world

const hexDigits = "0123456789abcdef"

func appendHex(dst []byte, value uint64) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[value>>shift&15])
	}
	return dst
}

// appendOpaque writes a 32-character identifier of number n under a key; no
// two numbers have the same.
func appendOpaque(dst []byte, key, n uint64) []byte {
	high := draw(key, n)
	return appendHex(appendHex(dst, high), mix(high^key))
}

// appendUUID writes a version 4 UUID of number n under a key.
func appendUUID(dst []byte, key, n uint64) []byte {
	high := draw(key, n)
	low := mix(high^key)&^(3<<62) | 2<<62
	high = high&^(15<<12) | 4<<12
	for shift := 60; shift >= 0; shift -= 4 {
		if shift == 28 || shift == 12 {
			dst = append(dst, '-')
		}
		dst = append(dst, hexDigits[high>>shift&15])
	}
	dst = append(dst, '-')
	for shift := 60; shift >= 0; shift -= 4 {
		if shift == 44 {
			dst = append(dst, '-')
		}
		dst = append(dst, hexDigits[low>>shift&15])
	}
	return dst
}
