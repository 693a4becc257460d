package schemas_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

func TestDecode(t *testing.T) {
	got, err := schemas.Decode([]byte(" {\"a\": [1, 2.50, true, null, \"x\\u00e9\"], \"b\": {}, \"c\": []}\n"))
	want := map[string]any{
		"a": []any{json.Number("1"), json.Number("2.50"), true, nil, "xé"}, "b": map[string]any{}, "c": []any{},
	}
	hold(t, err == nil && reflect.DeepEqual(got, want), "got %#v, %v", got, err)
	if _, err := schemas.Decode([]byte(strings.Repeat("[", 64) + strings.Repeat("]", 64))); err != nil {
		t.Errorf("64 levels: %v", err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, test := range []struct {
		about, text, message string
		line, column         int
	}{
		{"nothing", "", "nothing here", 1, 1},
		{"blanks", " \n ", "nothing here", 1, 1},
		{"an object that does not end", `{"a":1`, "ends too early", 1, 7},
		{"a string that does not end", `"abc`, "ends too early", 1, 5},
		{"more after the value", "{}\n x", "more after the JSON value", 2, 2},
		{"two values", "{} {}", "more after the JSON value", 1, 4},
		{"a name twice", "{\"a\":1,\n \"a\":2}", `"a" comes twice`, 2, 2},
		{"a name twice, once in escapes", `{"a":1,"\u0061":2}`, `"a" comes twice`, 1, 8},
		{"a name twice below", `{"x":[{"b":1,"b":2}]}`, `"b" comes twice`, 1, 14},
		{"invalid UTF-8", "\"\xff\"", "UTF-8", 1, 2},
		{"half a surrogate pair", `"\ud800"`, "surrogate", 1, 2},
		{"65 levels", strings.Repeat("[", 65) + strings.Repeat("]", 65), "deeper than 64", 1, 66},
		{"a million levels", strings.Repeat("[", 1_000_000), "deeper than 64", 1, 66},
		{"a number out of range", `1e999`, "out of range", 1, 6},
		{"a number of many digits", strings.Repeat("9", 401), "too long", 1, 402},
		{"a leading zero", `01`, "more after", 1, 2},
		{"not a number", `NaN`, "invalid character 'N'", 1, 1},
		{"a comma at the end", `[1,]`, "invalid character", 1, 3},
		{"single quotes", `{'a':1}`, "invalid character", 1, 2},
		{"a name that is no string", `{1:2}`, "string", 1, 2},
		{"a comment", "// hello\n{}", "invalid character", 1, 1},
		{"a byte order mark", "\xef\xbb\xbf{}", "byte order mark", 1, 1},
		{"a control character", "\"a\nb\"", "invalid character", 1, 3},
	} {
		t.Run(test.about, func(t *testing.T) {
			_, err := schemas.Decode([]byte(test.text))
			var syntax *schemas.SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(syntax.Message, test.message) || syntax.Line != test.line || syntax.Column != test.column {
				t.Errorf("got %+v, want %q at %d:%d", syntax, test.message, test.line, test.column)
			}
		})
	}
}

// What is accepted is JSON for encoding/json too, and means the same.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,true,null,"x"]}`, ``, `{"a":1,"a":2}`, `[[[`, `"\ud83d\ude00"`, "\"\xff\"", `-0`, `1e400`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := schemas.Decode(data)
		if err != nil {
			var syntax *schemas.SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > int64(len(data)) || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("%q: %#v", data, err)
			}
			return
		}
		decoder := json.NewDecoder(strings.NewReader(string(data)))
		decoder.UseNumber()
		var want any
		if err := decoder.Decode(&want); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %#v, want %#v, %v", data, got, want, err)
		}
		_ = schemas.Validate("profiles/attributes.request", got)
		_ = schemas.Validate("profiles.events", got)
		_ = schemas.Validate("legacy/error", got)
	})
}
