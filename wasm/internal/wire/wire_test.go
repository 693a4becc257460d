package wire_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/wasm/internal/wire"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, value := range []any{
		nil, false, true,
		int64(0), int64(-1), int64(math.MaxInt64), int64(math.MinInt64), uint64(math.MaxUint64),
		0.5, math.Inf(-1), math.MaxFloat64, math.Copysign(0, -1),
		"", "text", "ünïcödé 🎭", "\xff is not UTF-8", strings.Repeat("long ", 10000),
		[]any{}, []any{nil, int64(1), []any{"nested"}},
		map[string]any{}, map[string]any{"": nil, "a": map[string]any{"b": []any{true}}},
		wire.Foreign{}, wire.Reference(7),
	} {
		got, err := wire.Decode(wire.Append(nil, value))
		if err != nil || !reflect.DeepEqual(got, value) {
			t.Errorf("%#v came back as %#v, %v", value, got, err)
		}
	}
}

func TestObjectsOfThePageAreGivenOn(t *testing.T) {
	written := []byte{11, 7, 0, 0, 0}
	value, err := wire.Decode(written)
	if _, ok := value.(map[string]any); err != nil || !ok {
		t.Fatalf("it is %#v, %v, want an object", value, err)
	}
	if got := wire.Append(nil, value); !bytes.Equal(got, written) {
		t.Errorf("it left as %v, want %v", got, written)
	}
	// No name of the page's is taken for the one that is used for it.
	own := wire.Append(nil, wire.Object{{"\x00kept", wire.Reference(7)}})
	value, err = wire.Decode(own)
	if got := wire.Append(nil, value); err != nil || !bytes.Equal(got, own) {
		t.Errorf("a member that looks like it left as %v, %v, want %v", got, err, own)
	}
}

func TestAnythingElseIsForeign(t *testing.T) {
	for _, value := range []any{1, struct{}{}, []string{"a"}, func() {}} {
		if got, err := wire.Decode(wire.Append(nil, value)); err != nil || got != (wire.Foreign{}) {
			t.Errorf("%T came back as %#v, %v, want Foreign", value, got, err)
		}
	}
}

func TestMembersKeepTheirOrder(t *testing.T) {
	inner := wire.Object{{"z", int64(1)}, {"a", nil}, {"m", "x"}}
	for name, object := range map[string]wire.Object{
		"empty":             {},
		"one":               {{"b", true}},
		"ascending":         {{"a", int64(1)}, {"b", int64(2)}},
		"descending":        {{"c", int64(1)}, {"b", int64(2)}, {"a", int64(3)}},
		"nested":            {{"b", []any{inner, inner}}, {"a", inner}},
		"a zero byte":       {{"b", int64(1)}, {"\x00", int64(2)}},
		"a name of zeros":   {{"\x00\x00", int64(1)}, {"\x00", []any{"b"}}, {"a", nil}, {"", nil}},
		"damaged names":     {{"\U0001f3ad", nil}, {"\uffff", nil}, {"\xff", nil}, {"\xff\xffx\xff", nil}},
		"at the deepest":    deepest(wire.Object{{"b", nil}, {"a", nil}}),
		"zero bytes inside": {{"b\x00", nil}, {"a\x00", nil}},
	} {
		want := wire.Append(nil, object)
		for range 20 {
			value, err := wire.Decode(want)
			if err != nil {
				t.Fatal(name, err)
			}
			copied, err := actions.Canonical(value)
			if got := wire.Append(nil, copied); err != nil || !slices.Equal(textsIn(got), textsIn(want)) {
				t.Fatalf("%s: %q came back as %q, %v", name, want, got, err)
			}
		}
	}
}

// textsIn cuts bytes where the core replaces some of them, so that only the order of what is left is compared.
func textsIn(data []byte) []string {
	return strings.FieldsFunc(strings.ToValidUTF8(string(data), "\ufffd"), func(r rune) bool { return r == '\ufffd' || r < ' ' })
}

// deepest puts an object as deep into others as the core allows.
func deepest(object wire.Object) wire.Object {
	for range 127 {
		object = wire.Object{{"in", object}}
	}
	return object
}

func TestMembersOfOtherMapsAscend(t *testing.T) {
	want := wire.Append(nil, wire.Object{{"a", nil}, {"b", nil}, {"c", nil}, {"d", nil}})
	if got := wire.Append(nil, map[string]any{"d": nil, "b": nil, "a": nil, "c": nil}); !bytes.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEqualNamesAreForeign(t *testing.T) {
	data := []byte{8, 2, 0, 0, 0, 1, 0, 0, 0, 'a', 0, 1, 0, 0, 0, 'a', 0}
	if got, err := wire.Decode(data); err != nil || got != (wire.Foreign{}) {
		t.Errorf("read as %#v, %v, want Foreign", got, err)
	}
}

func TestMalformedBytesAreRefused(t *testing.T) {
	deep := append(bytes.Repeat([]byte{7, 1, 0, 0, 0}, 100000), 0)
	for name, data := range map[string][]byte{
		"nothing":                 {},
		"an unknown tag":          {200},
		"half a number":           {3, 1, 2},
		"a text that is cut":      {6, 5, 0, 0, 0, 'a'},
		"a list of four billion":  {7, 255, 255, 255, 255},
		"a map of four billion":   {8, 255, 255, 255, 255},
		"a map that is cut":       {8, 1, 0, 0, 0, 1, 0, 0, 0, 'a'},
		"something after a value": {0, 0},
		"endless nesting":         deep,
	} {
		if value, err := wire.Decode(data); err == nil {
			t.Errorf("%s was read as %#v", name, value)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(wire.Append(nil, map[string]any{"a": []any{int64(1), "x", nil, true, 1.5}}))
	f.Add([]byte{8, 1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := wire.Decode(data)
		if err != nil {
			return
		}
		again, err := wire.Decode(wire.Append(nil, value))
		if err != nil {
			t.Fatalf("%#v cannot be read again: %v", value, err)
		}
		if a, b := wire.Append(nil, value), wire.Append(nil, again); len(a) != len(b) {
			t.Fatalf("%#v came back as %#v", value, again)
		}
	})
}
