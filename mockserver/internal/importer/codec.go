package importer

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"slices"
)

// Fragments are kept on disk in a form of their own, which is read and written several times as fast as JSON: numbers of
// variable length, and texts behind their length.

func (f *fragment) append(to []byte) []byte {
	to = appendText(to, f.About)
	for _, number := range [...]int64{int64(f.Weight), int64(f.File), f.Row, int64(f.Nth)} {
		to = binary.AppendUvarint(to, uint64(number))
	}
	for _, text := range [...]string{f.Profile, f.Custom, f.Platform} {
		to = appendText(to, text)
	}
	return f.Members.append(f.Seen.append(to))
}

func appendText[T string | json.RawMessage](to []byte, text T) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

func (m members) append(to []byte) []byte {
	to = binary.AppendUvarint(to, uint64(len(m)))
	for _, name := range slices.Sorted(maps.Keys(m)) { // the same bytes in every run
		to = appendText(appendText(to, name), m[name])
	}
	return to
}

// errDamaged says that a temporary file is not as it was written.
var errDamaged = errors.New("a temporary file is damaged")

// decoder reads what was appended.
type decoder struct {
	from []byte
	err  error
}

func (d *decoder) number() int64 {
	number, length := binary.Uvarint(d.from)
	if length <= 0 {
		d.err, d.from = errDamaged, nil
		return 0
	}
	d.from = d.from[length:]
	return int64(number)
}

func (d *decoder) text() string {
	length := d.number()
	if length < 0 || length > int64(len(d.from)) {
		d.err, d.from = errDamaged, nil
		return ""
	}
	text := string(d.from[:length])
	d.from = d.from[length:]
	return text
}

func (d *decoder) members() members {
	count := d.number()
	if count == 0 || d.err != nil {
		return nil
	}
	made := members{}
	for ; count > 0 && d.err == nil; count-- {
		name := d.text()
		made[name] = json.RawMessage(d.text())
	}
	return made
}

func decodeFragment(text []byte) (fragment, error) {
	d := decoder{from: text}
	f := fragment{
		About: d.text(), Weight: int(d.number()), File: int(d.number()), Row: d.number(), Nth: int(d.number()),
		Profile: d.text(), Custom: d.text(), Platform: d.text(), Seen: d.members(), Members: d.members(),
	}
	return f, d.err
}
