package dataset

import "encoding/binary"

func appendText(dst []byte, text string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	return append(dst, text...)
}

func appendBool(dst []byte, is bool) []byte {
	if is {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// decoder reads what was encoded. Its texts are parts of one string, so that
// reading a block allocates little. A block that ends too early is a fault of
// the disk: it panics, and the one who renders a file recovers it.
type decoder struct {
	text string
	at   int
}

// newDecoder reads a text from its beginning.
func newDecoder(text string) decoder { return decoder{text: text} }

func (d *decoder) uint() uint64 {
	value, shift := uint64(0), 0
	for {
		b := d.text[d.at]
		d.at++
		if b < 0x80 {
			return value | uint64(b)<<shift
		}
		value |= uint64(b&0x7f) << shift
		shift += 7
	}
}

func (d *decoder) int() int64 {
	value := d.uint()
	return int64(value>>1) ^ -int64(value&1)
}

func (d *decoder) int32() int32 { return int32(d.int()) }

func (d *decoder) bool() bool { return d.byte() != 0 }

func (d *decoder) textValue() string {
	length := int(d.uint())
	d.at += length
	return d.text[d.at-length : d.at]
}

// rest is the text from here to the end.
func (d *decoder) rest() string {
	begin := d.at
	d.at = len(d.text)
	return d.text[begin:]
}

// byte reads one byte.
func (d *decoder) byte() byte {
	d.at++
	return d.text[d.at-1]
}

// done reports whether everything was read.
func (d *decoder) done() bool { return d.at >= len(d.text) }

// left is how many bytes were not read yet.
func (d *decoder) left() int { return len(d.text) - d.at }
