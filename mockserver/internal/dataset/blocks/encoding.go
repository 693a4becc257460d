package blocks

import "encoding/binary"

// AppendText writes a text behind its length.
func AppendText(dst []byte, text string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	return append(dst, text...)
}

// Decoder reads what was encoded. Its texts are parts of one string, so that reading a block allocates little. A block that ends too
// early is a fault of the disk: it panics, and the one who renders a file recovers it.
type Decoder struct {
	text string
	at   int
}

// NewDecoder reads a text from its beginning.
func NewDecoder(text string) Decoder { return Decoder{text: text} }

// Uint reads what [binary.AppendUvarint] writes.
func (d *Decoder) Uint() uint64 {
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

// Int reads what [binary.AppendVarint] writes.
func (d *Decoder) Int() int64 {
	value := d.Uint()
	return int64(value>>1) ^ -int64(value&1)
}

// Int32 is Int for numbers of 32 bits.
func (d *Decoder) Int32() int32 { return int32(d.Int()) }

// Text reads what [AppendText] writes.
func (d *Decoder) Text() string {
	length := int(d.Uint())
	d.at += length
	return d.text[d.at-length : d.at]
}

// Rest is the text from here to the end.
func (d *Decoder) Rest() string {
	begin := d.at
	d.at = len(d.text)
	return d.text[begin:]
}

// Byte reads one byte.
func (d *Decoder) Byte() byte {
	d.at++
	return d.text[d.at-1]
}

// Done reports whether everything was read.
func (d *Decoder) Done() bool { return d.at >= len(d.text) }
