package schemas_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

func data(take func([]byte) error) map[string]func([]byte) error {
	return map[string]func([]byte) error{"data": take}
}

// TestDecodeStream compares what is read as it comes with what is read at once: values, and what is wrong and where.
func TestDecodeStream(t *testing.T) {
	long := strings.Repeat(" \n", 5000)
	for text, items := range map[string]string{
		`{"a":1,"data":[{"x":[1, 2]} , 5,"s"],"b":{"c":[]}}`: `{"x":[1,2]} 5 "s"`,
		`{}`: "", ` [1,2] `: "", `"x"`: "", `{"data":5}`: "", `{"data":[]}`: "", `{"data":{"data":[1]}}`: "",
		`{"a\u0022\n":"é","data":[ "\u00e9" ]}`: `"\u00e9"`,
		``:                                      "", `   `: "", "\xef\xbb\xbf{}": "", `{`: "", `{"a":1`: "", `{"a":1}x`: "", `{"a":1} {}`: "", `{"a":1,"a":2}`: "",
		"{\"a\":\n[1,\n 2,,3]}": "", "{\"data\":[1,\n{\"a\":1,\"a\":2}]}": "1", "{\"data\":[1],\n\"data\":[2]}": "1", `{"data":[1,`: "1", `{"data":[1,]}`: "1",
		"{\"a\":\"\xff\"}":                 "",
		"{" + long + `"a":5` + long + `?}`: "", `{"data":[` + long + `1,` + long + `?]}`: "1",
	} {
		var taken []string
		for _, source := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			taken = nil
			value, rest, err := schemas.DecodeStream(source, 1<<20, data(func(item []byte) error {
				taken = append(taken, string(item))
				return nil
			}))
			want, wrong := schemas.Decode([]byte(text))
			if (err == nil) != (wrong == nil) || err != nil && err.Error() != wrong.Error() {
				t.Errorf("%.60q: %v, want %v", text, err, wrong)
			}
			hold(t, strings.Join(taken, " ") == items, "%.60q: took %q, want %q", text, taken, items)
			if err != nil {
				continue
			}
			if object, is := want.(map[string]any); is {
				if _, list := object["data"].([]any); list {
					object["data"] = []any{}
				}
				if again, err := schemas.Decode(rest); err != nil || !reflect.DeepEqual(again, value) {
					t.Errorf("%.60q: the text is %s, %v", text, rest, err)
				}
			}
			hold(t, reflect.DeepEqual(value, want), "%.60q: %v, want %v", text, value, want)
		}
	}
	for text, want := range map[string]string{
		`{"data":[` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `]}`: "nested deeper", `{"data":[` + strings.Repeat("1", 999) + `]}`: "too long",
		`{"a":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`: "nested deeper",
	} {
		if _, _, err := schemas.DecodeStream(strings.NewReader(text), 1<<20, data(func([]byte) error { return nil })); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v", text, err)
		}
	}
	broken, refused := errors.New("broken"), errors.New("refused")
	cut := io.MultiReader(strings.NewReader(`{"data":[1,2`), iotest.ErrReader(broken))
	if _, _, err := schemas.DecodeStream(cut, 1<<20, data(func([]byte) error { return nil })); !errors.Is(err, broken) {
		t.Errorf("a reader that breaks: %v", err)
	}
	if _, _, err := schemas.DecodeStream(strings.NewReader(`{"data":[1]}`), 1<<20, data(func([]byte) error { return refused })); err != refused {
		t.Errorf("an item that is refused: %v", err)
	}
	var large *schemas.SizeError
	text := `{"data":["` + strings.Repeat("a", 200) + `"],"a":"` + strings.Repeat("a", 80) + `","b":"` + strings.Repeat("b", 80) + `"}`
	if _, _, err := schemas.DecodeStream(strings.NewReader(text), 150, data(func([]byte) error { return nil })); !errors.As(err, &large) || large.Member != "b" || large.Most != 150 {
		t.Errorf("an object of more than 150 bytes beside its data: %v", err)
	}
}
