package actionsjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
)

func TestDecode(t *testing.T) {
	for text, want := range map[string]any{
		`null`: nil, ` true `: true, "\t\r\nfalse": false, `""`: "", `"a"`: "a", `[]`: []any{}, `{}`: map[string]any{},
		`0`: int64(0), `-1`: int64(-1), `9223372036854775807`: int64(math.MaxInt64), `-9223372036854775808`: int64(math.MinInt64),
		`9223372036854775808`: uint64(math.MaxInt64) + 1, `18446744073709551615`: uint64(math.MaxUint64),
		`18446744073709551616`: 18446744073709551616.0,
		`-9223372036854775809`: -9223372036854775808.0, `1.0`: 1.0, `1e2`: 100.0, `-0`: math.Copysign(0, -1), `0.1`: 0.1, `5e-324`: 5e-324,
		`1e-400`: 0.0, `1E+2`: 100.0,
		`"\"\\\/\b\f\n\r\t\u0041\u00e9"`: "\"\\/\b\f\n\r\tAé", `"\ud83d\udc4b"`: "👋", `"\uD83D\uDC4B"`: "👋",
		`"\ud800"`: "\ufffd", `"\udc00\ud800"`: "\ufffd\ufffd", `"\ud800\ud83d\udc4b"`: "\ufffd👋", `"\ud800x"`: "\ufffdx",
		`"\ud800\n"`: "\ufffd\n", `"\ud800\u0041"`: "\ufffdA",
		`"a` + "\u2028\x7f" + `"`: "a\u2028\x7f", `[1,[2.5],{"a":[null]}]`: []any{int64(1), []any{2.5}, map[string]any{"a": []any{nil}}},
		`{"a":1,"A":2,"":3}`: map[string]any{"a": int64(1), "A": int64(2), "": int64(3)},
		strings.Repeat("[", 128) + strings.Repeat("]", 128): nested(128),
	} {
		got, err := actionsjson.Decode([]byte(text))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Decode(%s) = %#v, %v\nwant %#v", text, got, err, want)
		}
	}
	if got, err := actionsjson.Decode([]byte("-0")); err != nil || !math.Signbit(got.(float64)) {
		t.Errorf("-0 is read as %v, %v", got, err)
	}
}

func nested(depth int) any {
	var value any = []any{}
	for range depth - 1 {
		value = []any{value}
	}
	return value
}

func TestDecodeRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                           "a value is missing at byte 0 of the JSON text",
		` `:                          "a value is missing at byte 1 of the JSON text",
		`nul`:                        "no value begins so at byte 0 of the JSON text",
		`NaN`:                        "no value begins so at byte 0 of the JSON text",
		`1 2`:                        "something follows the value at byte 2 of the JSON text",
		"\ufeff1":                    "no value begins so at byte 0 of the JSON text",
		`[1`:                         "a comma or a closing bracket is missing at byte 2 of the JSON text",
		`[1,]`:                       "no value begins so at byte 3 of the JSON text",
		`[1 2]`:                      "a comma or a closing bracket is missing at byte 3 of the JSON text",
		`{"a" 1}`:                    "a colon is missing at byte 5 of the JSON text",
		`{"a":1`:                     "a comma or a closing brace is missing at byte 6 of the JSON text",
		`{"a":1,}`:                   "a name in quotation marks is missing at byte 7 of the JSON text",
		`{a:1}`:                      "a name in quotation marks is missing at byte 1 of the JSON text",
		`{"a":1,"a":2}`:              `the name "a" is there twice at byte 7 of the JSON text`,
		`{"\ud800":1,"\udfff":2}`:    "the name \"\ufffd\" is there twice at byte 12 of the JSON text",
		`"a`:                         "a string does not end at byte 2 of the JSON text",
		`"\n`:                        "a string does not end at byte 3 of the JSON text",
		"\"\n\"":                     "a control character stands in a string at byte 1 of the JSON text",
		"\"\\t\n\"":                  "a control character stands in a string at byte 3 of the JSON text",
		`"\x"`:                       "no escape is written so at byte 2 of the JSON text",
		`"\`:                         "no escape is written so at byte 2 of the JSON text",
		`"\u12"`:                     "four hexadecimal digits are missing at byte 2 of the JSON text",
		`"\u12g4"`:                   "four hexadecimal digits are missing at byte 2 of the JSON text",
		`"\ud800\u12"`:               "four hexadecimal digits are missing at byte 8 of the JSON text",
		"\"\xff\"":                   "a string is not valid UTF-8 at byte 1 of the JSON text",
		"\"\\n\xff\"":                "a string is not valid UTF-8 at byte 1 of the JSON text",
		"\"\xed\xa0\x80\"":           "a string is not valid UTF-8 at byte 1 of the JSON text",
		`-`:                          "a digit is missing at byte 1 of the JSON text",
		`+1`:                         "no value begins so at byte 0 of the JSON text",
		`01`:                         "something follows the value at byte 1 of the JSON text",
		`1.`:                         "a digit is missing after the point at byte 2 of the JSON text",
		`.5`:                         "no value begins so at byte 0 of the JSON text",
		`1e`:                         "a digit is missing in the exponent at byte 2 of the JSON text",
		`1e+`:                        "a digit is missing in the exponent at byte 3 of the JSON text",
		`1e400`:                      "the number is too large at byte 0 of the JSON text",
		`[-1e400]`:                   "the number is too large at byte 1 of the JSON text",
		strings.Repeat("[", 129):     "nested too deep at byte 128 of the JSON text",
		strings.Repeat(`{"a":`, 129): "nested too deep at byte 640 of the JSON text",
	} {
		got, err := actionsjson.Decode([]byte(text))
		var syntax *actionsjson.SyntaxError
		if got != nil || !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("Decode(%q) = %#v, %v\nwant %s", text, got, err, want)
		}
	}
}

func TestDecodeArguments(t *testing.T) {
	for text, want := range map[string]string{`null`: `{}`, `{}`: `{}`, `{"a":[1,1.0]}`: `{"a":[1,1.0]}`} {
		got, err := actionsjson.DecodeArguments([]byte(text))
		if written, _ := actionsjson.Append(nil, got); err != nil || string(written) != want {
			t.Errorf("DecodeArguments(%s) = %s, %v", text, written, err)
		}
	}
	for _, text := range []string{`[]`, `5`, `"x"`, ``, `{`} {
		if got, err := actionsjson.DecodeArguments([]byte(text)); got != nil || err == nil {
			t.Errorf("DecodeArguments(%s) = %v, %v", text, got, err)
		}
	}
}

// FuzzDecode compares reading with encoding/json: the same texts are accepted, but for those that this package refuses on
// purpose, the values are equal, and what is written is read back as the same value.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5,-0,1e3,"\ud800\udc00\u00e9",null,true,false,{}]}`, `9007199254740993`, `"\ud800"`, `{"a":1,"a":2}`, `[[[[]]]]`, `1e400`,
		` [ ] `, `"\u2028"`, `-1.5E-7`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ours, err := actionsjson.Decode(data)
		var theirs any
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		theirErr := decoder.Decode(&theirs)
		if theirErr == nil && len(bytes.Trim(data[decoder.InputOffset():], " \t\r\n")) > 0 {
			theirErr = errors.New("something follows")
		}
		if err != nil {
			reasons := []string{"is there twice", "nested too deep", "not valid UTF-8", "too large"}
			if theirErr == nil && !containsAny(err.Error(), reasons) {
				t.Fatalf("only this package refuses %q: %v", data, err)
			}
			return
		}
		if theirErr != nil {
			t.Fatalf("only encoding/json refuses %q: %v", data, theirErr)
		}
		if !same(ours, theirs) {
			t.Fatalf("%q is read as %#v, by encoding/json as %#v", data, ours, theirs)
		}
		written, err := actionsjson.Append(nil, ours)
		if err != nil || !utf8.Valid(written) {
			t.Fatalf("Append(%#v) = %q, %v", ours, written, err)
		}
		again, err := actionsjson.Decode(written)
		if err != nil || !reflect.DeepEqual(again, ours) {
			t.Fatalf("%#v is written as %s and read as %#v, %v", ours, written, again, err)
		}
		var theirAgain any
		if err := json.Unmarshal(written, &theirAgain); err != nil {
			t.Fatalf("encoding/json cannot read %s: %v", written, err)
		}
	})
}

func containsAny(text string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// same compares a value of ours with one of encoding/json's.
func same(ours, theirs any) bool {
	switch theirs := theirs.(type) {
	case json.Number:
		switch ours := ours.(type) {
		case int64:
			i, err := theirs.Int64()
			return err == nil && i == ours
		case uint64:
			text, err := actionsjson.Append(nil, ours)
			return err == nil && string(text) == theirs.String()
		case float64:
			f, err := theirs.Float64()
			return err == nil && f == ours
		}
		return false
	case []any:
		list, ok := ours.([]any)
		if !ok || len(list) != len(theirs) {
			return false
		}
		for i := range list {
			if !same(list[i], theirs[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		object, ok := ours.(map[string]any)
		if !ok || len(object) != len(theirs) {
			return false
		}
		for name := range object {
			if !same(object[name], theirs[name]) {
				return false
			}
		}
		return true
	}
	return ours == theirs
}
