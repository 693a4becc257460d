// Package wire is how values cross between the page and the actions: a few bytes for each, the same in both directions. The
// other half is web/actions/src/codec.ts.
//
// One byte says what a value is, what follows is little-endian: nothing for null, false and true; 8 bytes for an int64, a uint64 or a
// float64; a length of 4 bytes and UTF-8 for a text; a count of 4 bytes and the values for a list; a count of 4 bytes and pairs of a text
// (without its first byte) and a value for a map; 4 bytes for a reference, or for an object that the page keeps.
package wire

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// What a value is.
const (
	tagNull byte = iota
	tagFalse
	tagTrue
	tagInt
	tagUint
	tagFloat
	tagText
	tagList
	tagMap
	tagForeign
	tagReference
	tagKept
)

// maxDepth bounds the nesting that Decode follows. It is more than the arguments of an action may have, so that the core says
// what is too deep.
const maxDepth = 160

// Foreign stands for a value of the page's that cannot be an argument: a function, a date, an object that throws when it is
// read. The core refuses it, as it refuses every type that it does not know.
type Foreign struct{}

// Reference names a value that the page keeps, such as what a handler returned.
type Reference int32

// errMalformed is what Decode gives for bytes that the other half does not write.
var errMalformed = errors.New("the bytes of a value are malformed")

// Writer is a value that writes itself: what crosses often needs no copy of itself in other types.
type Writer interface {
	// Append adds the value to dst.
	Append(dst []byte) []byte
}

// Append adds a value to dst. It knows the types of actions.Arguments, [Object], [Reference] and [Writer]; everything else becomes
// [Foreign]. The members of a map that Decode gave are in the order that they had, those of others in that of their names.
func Append(dst []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, tagNull)
	case bool:
		if v {
			return append(dst, tagTrue)
		}
		return append(dst, tagFalse)
	case int64:
		return binary.LittleEndian.AppendUint64(append(dst, tagInt), uint64(v))
	case uint64:
		return binary.LittleEndian.AppendUint64(append(dst, tagUint), v)
	case float64:
		return binary.LittleEndian.AppendUint64(append(dst, tagFloat), math.Float64bits(v))
	case string:
		return AppendText(dst, v)
	case []any:
		dst = AppendList(dst, len(v))
		for _, item := range v {
			dst = Append(dst, item)
		}
		return dst
	case map[string]any:
		if len(v) == 1 {
			if number, ok := v[kept].(Reference); ok {
				return appendCount(append(dst, tagKept), int(number))
			}
		}
		ordered := names(v)
		dst = AppendMap(dst, len(ordered))
		for _, name := range ordered {
			dst = Append(AppendName(dst, outward(name)), v[name])
		}
		return dst
	case Object:
		dst = AppendMap(dst, len(v))
		for _, member := range v {
			dst = Append(AppendName(dst, member.Name), member.Value)
		}
		return dst
	case Writer:
		return v.Append(dst)
	case Reference:
		return appendCount(append(dst, tagReference), int(v))
	}
	return append(dst, tagForeign)
}

// AppendList begins a list: as many values follow.
func AppendList(dst []byte, values int) []byte { return appendCount(append(dst, tagList), values) }

// AppendMap begins a map: as many pairs follow, of an [AppendName] and a value.
func AppendMap(dst []byte, members int) []byte { return appendCount(append(dst, tagMap), members) }

// AppendName adds the name of a member.
func AppendName(dst []byte, name string) []byte { return append(appendCount(dst, len(name)), name...) }

// AppendText adds a text.
func AppendText(dst []byte, text string) []byte { return AppendName(append(dst, tagText), text) }

func appendCount(dst []byte, count int) []byte {
	return binary.LittleEndian.AppendUint32(dst, uint32(count))
}

// Decode reads one value, and nothing may follow it. Texts are copied and may hold bytes that are not UTF-8: the core replaces
// them. A map with two equal names is [Foreign]: two names of the page's may become one on the way here.
func Decode(data []byte) (any, error) {
	r := reader{data: data}
	value := r.value(0)
	if r.failed || len(r.data) > 0 {
		return nil, errMalformed
	}
	return value, nil
}

type reader struct {
	data   []byte
	failed bool
}

// take gives the next n bytes, or as many zeros as need be to go on when they are not there.
func (r *reader) take(n int) []byte {
	if n > len(r.data) {
		r.failed, r.data = true, nil
		return make([]byte, 8)[:min(n, 8)]
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

// count reads a number of things that take at least size bytes each.
func (r *reader) count(size int) int {
	n := int(binary.LittleEndian.Uint32(r.take(4)))
	if n > len(r.data)/size {
		r.failed, r.data = true, nil
		return 0
	}
	return n
}

func (r *reader) text() string { return string(r.take(r.count(1))) }

func (r *reader) value(depth int) any {
	if depth > maxDepth {
		r.failed, r.data = true, nil
	}
	switch r.take(1)[0] {
	case tagNull:
		return nil
	case tagFalse:
		return false
	case tagTrue:
		return true
	case tagInt:
		return int64(binary.LittleEndian.Uint64(r.take(8)))
	case tagUint:
		return binary.LittleEndian.Uint64(r.take(8))
	case tagFloat:
		return math.Float64frombits(binary.LittleEndian.Uint64(r.take(8)))
	case tagText:
		return r.text()
	case tagList:
		list := make([]any, r.count(1))
		for i := range list {
			list[i] = r.value(depth + 1)
		}
		return list
	case tagMap:
		return r.members(depth)
	case tagForeign:
		return Foreign{}
	case tagReference:
		return Reference(binary.LittleEndian.Uint32(r.take(4)))
	case tagKept:
		return map[string]any{kept: Reference(binary.LittleEndian.Uint32(r.take(4)))}
	}
	r.failed, r.data = true, nil
	return nil
}

func (r *reader) members(depth int) any {
	n := r.count(5)
	values, ordered := make(map[string]any, n), make([]string, n)
	for i := range ordered {
		ordered[i] = inward(r.text())
		values[ordered[i]] = r.value(depth + 1)
	}
	if len(values) != n {
		return Foreign{}
	}
	if !slices.IsSorted(ordered) {
		values[order] = written(ordered)
	}
	return values
}
