package layouts_test

import (
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/layouts"
)

var (
	digest = layouts.Digest{1, 2, 3}
	blocks = []layouts.Block{
		{Unit: 0, Skip: 3, Rows: 180, Size: 24_500}, {Unit: 0, Skip: 183, Rows: 1, Size: 1}, {Unit: 9, Skip: 0, Rows: 1<<31 - 1, Size: 3 << 40}, {Unit: 1 << 40, Rows: 1, Size: 24 << 10},
	}
)

const units = 1<<40 + 1

func decode(encoded []byte, of layouts.Digest, units int64) (blocks []layouts.Block, err error) {
	err = layouts.Decode(encoded, of, units, func(about int) { blocks = make([]layouts.Block, 0, about) }, func(b layouts.Block) { blocks = append(blocks, b) })
	if err != nil {
		return nil, err
	}
	return blocks, nil
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, want := range [][]layouts.Block{nil, blocks[:1], blocks} {
		encoded := layouts.Encode(digest, slices.Values(want))
		got, err := decode(encoded, digest, units)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v becomes %v, %v", want, got, err)
		}
	}
}

// TestSize: some five bytes for a block.
func TestSize(t *testing.T) {
	var many []layouts.Block
	for i := range int64(10_000) {
		many = append(many, layouts.Block{Unit: 3 * i, Skip: int32(i % 64), Rows: int32(180 + i%10), Size: 24_400 + i%170})
	}
	if size := len(layouts.Encode(digest, slices.Values(many))); size > 6*len(many)+30 {
		t.Errorf("%d blocks take %d bytes", len(many), size)
	}
}

// sealed ends a text with its checksum.
func sealed(encoded []byte) []byte {
	return binary.LittleEndian.AppendUint32(encoded, crc32.ChecksumIEEE(encoded))
}

func TestRefused(t *testing.T) {
	good := layouts.Encode(digest, slices.Values(blocks))
	changed := func(change func([]byte) []byte) []byte { return change(slices.Clone(good)) }
	with := func(list ...layouts.Block) []byte { return layouts.Encode(digest, slices.Values(list)) }
	for name, c := range map[string]struct {
		encoded  []byte
		mentions string
	}{
		"nothing":              {nil, "not a layout"},
		"too short":            {good[:20], "not a layout"},
		"another version":      {changed(func(b []byte) []byte { b[0]++; return sealed(b[:len(b)-4]) }), "not a layout"},
		"another file":         {layouts.Encode(layouts.Digest{}, slices.Values(blocks)), "another file"},
		"one bit":              {changed(func(b []byte) []byte { b[25] ^= 4; return b }), "checksum"},
		"an end too early":     {changed(func(b []byte) []byte { return sealed(b[:len(b)-5]) }), "within a block"},
		"a unit too many":      {with(layouts.Block{Unit: units, Rows: 1, Size: 1}), "block 1"},
		"no rows":              {with(layouts.Block{Size: 1}), "block 1"},
		"no text":              {with(layouts.Block{Rows: 1}), "block 1"},
		"a block twice":        {with(blocks[0], blocks[0]), "block 2"},
		"a size that overruns": {with(layouts.Block{Rows: 1, Size: 1<<63 - 1}, layouts.Block{Skip: 1, Rows: 1, Size: 1}), "block 2"},
		"a unit that overruns": {with(blocks[3], layouts.Block{Unit: -1 << 62, Rows: 1, Size: 1}), "block 2"},
	} {
		if got, err := decode(c.encoded, digest, units); err == nil || !strings.Contains(err.Error(), c.mentions) {
			t.Errorf("%s is read as %v, %v; want an error about %q", name, got, err, c.mentions)
		}
	}
}

// FuzzDecode: whatever is read can be written, and is the same again.
func FuzzDecode(f *testing.F) {
	for _, list := range [][]layouts.Block{nil, blocks[:2], blocks} {
		encoded := layouts.Encode(digest, slices.Values(list))
		f.Add(encoded[17 : len(encoded)-4])
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		head := layouts.Encode(digest, slices.Values([]layouts.Block(nil)))
		got, err := decode(sealed(append(head[:17:17], text...)), digest, units)
		if err != nil {
			return
		}
		again, err := decode(layouts.Encode(digest, slices.Values(got)), digest, units)
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%v becomes %v, %v", got, again, err)
		}
	})
}
