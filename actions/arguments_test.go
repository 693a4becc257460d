package actions_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

func TestCanonicalTypes(t *testing.T) {
	for _, c := range []struct{ given, want any }{
		{nil, nil}, {true, true}, {"text", "text"}, {"a\xffb\xed\xa0\x80", "a\ufffdb\ufffd\ufffd\ufffd"},
		{5, int64(5)}, {int8(-5), int64(-5)}, {int16(5), int64(5)}, {int32(5), int64(5)}, {int64(math.MinInt64), int64(math.MinInt64)},
		{uint(5), int64(5)}, {uint8(255), int64(255)}, {uint16(5), int64(5)}, {uint32(math.MaxUint32), int64(math.MaxUint32)},
		{uintptr(5), int64(5)},
		{uint64(math.MaxInt64), int64(math.MaxInt64)}, {uint64(math.MaxInt64) + 1, uint64(math.MaxInt64) + 1},
		{uint64(math.MaxUint64), uint64(math.MaxUint64)},
		{float32(0.5), 0.5}, {0.5, 0.5}, {5.0, 5.0}, {math.Inf(-1), math.Inf(-1)},
		{json.Number("9007199254740993"), int64(9007199254740993)}, {json.Number("18446744073709551615"), uint64(math.MaxUint64)},
		{json.Number("18446744073709551616"), 18446744073709551616.0}, {json.Number("-9223372036854775808"), int64(math.MinInt64)},
		{json.Number("5.5"), 5.5},
		{[]string{"a", "\xff"}, []any{"a", "\ufffd"}}, {[]map[string]any{{"a": 1}}, []any{map[string]any{"a": int64(1)}}},
		{[][]any{{1}, nil}, []any{[]any{int64(1)}, []any{}}}, {map[string]string{"a": "b"}, map[string]any{"a": "b"}},
		{actions.Arguments{"a": 1}, map[string]any{"a": int64(1)}}, {[]any(nil), []any{}}, {map[string]any(nil), map[string]any{}},
		{map[string]any{"k\xff": []any{1, map[string]any{}}}, map[string]any{"k\ufffd": []any{int64(1), map[string]any{}}}},
	} {
		got, err := actions.Canonical(c.given)
		hold(t, err == nil && reflect.DeepEqual(got, c.want), "Canonical(%#v) = %#v, %v\nwant %#v", c.given, got, err, c.want)
	}
}

func nested(depth int) any {
	value := any("leaf")
	for i := range depth {
		if i%2 == 0 {
			value = []any{value}
		} else {
			value = map[string]any{"d": value}
		}
	}
	return value
}

func TestArgumentsThatCannotBe(t *testing.T) {
	circle := map[string]any{}
	circle["self"] = []any{circle}
	type named string
	const cannotBe = `" of the arguments is of a type that is not allowed: allowed are null, booleans, numbers of up to 64 bits, texts, lists and objects`
	r := actions.New(actions.Options{})
	mustRegister(t, r, "x", nothing)
	for _, c := range []struct {
		arguments actions.Arguments
		at        string
		message   string
	}{
		{actions.Arguments{"a": struct{}{}}, "/a", `the value at "/a` + cannotBe},
		{actions.Arguments{"a": []any{1, map[string]any{"b/~": named("x")}}}, "/a/1/b~1~0", `the value at "/a/1/b~1~0` + cannotBe},
		{actions.Arguments{"a": []any{func() {}}}, "/a/0", `the value at "/a/0` + cannotBe},
		{actions.Arguments{"": new(int)}, "/", `the value at "/` + cannotBe},
		{actions.Arguments{"a": 5i}, "/a", `the value at "/a` + cannotBe},
		{actions.Arguments{"a": json.Number("1e999")}, "/a", `the value at "/a" of the arguments is a number that cannot be read`},
		{actions.Arguments{"a": nested(128)}, "/a" + strings.Repeat("/d/0", 63) + "/d", "is nested more than 128 levels deep"},
		{circle, strings.Repeat("/self/0", 64), "is nested more than 128 levels deep"},
		{actions.Arguments{"o": map[string]any{"\xff": 1, "\xfe": 2}}, "/o",
			`the value at "/o" of the arguments has two keys that are one once invalid characters are replaced`},
		{actions.Arguments{"\xff": 1, "\ufffd": 2}, "",
			`the value at "" of the arguments has two keys that are one once invalid characters are replaced`},
	} {
		for _, identifier := range []string{"x", "service.dismiss"} {
			result := r.Perform(identifier, c.arguments)
			if result.Status != actions.StatusInvalidArguments || !strings.Contains(result.Message, c.message) {
				t.Errorf("%s: %+v\nwant %s", identifier, result, c.message)
			}
			if problems := r.Validate(identifier, c.arguments); len(problems) != 1 || problems[0].At != c.at ||
				problems[0].Message != result.Message {
				t.Errorf("%s: Validate gave %+v", identifier, problems)
			}
		}
		if result := r.Perform("nobody", c.arguments); result.Status != actions.StatusNotFound {
			t.Errorf("an unknown action with such arguments: %+v", result)
		}
	}
	if result := r.Perform("x", actions.Arguments{"a": nested(127)}); !result.Performed() {
		t.Errorf("nested 128 levels: %+v", result)
	}
	if _, err := actions.Canonical([]any{0, func() {}}); actions.CodeOf(err) != "invalid_arguments" || !strings.Contains(err.Error(), `"/1"`) {
		t.Errorf("Canonical: %v", err)
	}
}

func TestReadingArguments(t *testing.T) {
	a := actions.Arguments{
		"text": "t", "empty": "", "flag": false, "int": int64(5), "big": uint64(math.MaxUint64), "float": 0.5,
		"list": []any{}, "object": map[string]any{"x": int64(1)}, "null": nil,
	}
	readers := map[string]func(string) (any, error){
		"Text":    func(n string) (any, error) { return a.Text(n) },
		"Flag":    func(n string) (any, error) { return a.Flag(n) },
		"Integer": func(n string) (any, error) { return a.Integer(n) },
		"Number":  func(n string) (any, error) { return a.Number(n) },
		"List":    func(n string) (any, error) { return a.List(n) },
		"Object":  func(n string) (any, error) { return a.Object(n) },
	}
	for _, c := range []struct {
		reader, name string
		want         any
		message      string
	}{
		{"Text", "text", "t", ""}, {"Text", "empty", "", ""}, {"Flag", "flag", false, ""}, {"Integer", "int", int64(5), ""},
		{"Number", "int", 5.0, ""}, {"Number", "float", 0.5, ""}, {"Number", "big", float64(math.MaxUint64), ""},
		{"List", "list", []any{}, ""}, {"Object", "object", actions.Arguments{"x": int64(1)}, ""},
		{"Text", "nobody", nil, `argument "nobody" is missing, a string is required`},
		{"Text", "null", nil, `argument "null" is missing, a string is required`},
		{"Text", "int", nil, `argument "int" is a number, a string is required`},
		{"Flag", "text", nil, `argument "text" is the string "t", a boolean is required`},
		{"Flag", "empty", nil, `argument "empty" is the string "", a boolean is required`},
		{"Integer", "big", nil, `argument "big" is a number, a whole number of at most 64 bits is required`},
		{"Integer", "float", nil, `argument "float" is a number, a whole number of at most 64 bits is required`},
		{"Number", "list", nil, `argument "list" is an array of length 0, a number is required`},
		{"List", "object", nil, `argument "object" is an object, an array is required`},
		{"Object", "flag", nil, `argument "flag" is a boolean, an object is required`},
	} {
		got, err := readers[c.reader](c.name)
		if c.message == "" {
			hold(t, err == nil && reflect.DeepEqual(got, c.want), "%s(%q) = %#v, %v", c.reader, c.name, got, err)
		} else if err == nil || err.Error() != "invalid_arguments: "+c.message {
			t.Errorf("%s(%q) = %#v, %v\nwant %s", c.reader, c.name, got, err, c.message)
		}
	}
	hold(t, !a.Has("null") && !a.Has("nobody") && a.Has("empty") && a.Has("flag"), "Has is wrong about null or about what is there")
}
