package actionsjson_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
)

func TestAppend(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, `null`}, {true, `true`}, {int64(math.MinInt64), `-9223372036854775808`}, {uint64(math.MaxUint64), `18446744073709551615`}, {5, `5`},
		{5.0, `5.0`}, {0.1, `0.1`}, {math.Copysign(0, -1), `-0.0`}, {1e20, `100000000000000000000.0`}, {1e21, `1e+21`}, {1e-7, `1e-07`},
		{math.MaxFloat64, `1.7976931348623157e+308`},
		{"a\"\\/\b\n\r\t\x00\x1f\x7f<é👋\u2028", `"a\"\\/\u0008\n\r\t\u0000\u001f\u007f<é👋` + "\u2028" + `"`}, {"\xff", "\"\ufffd\""},
		{[]any{}, `[]`}, {[]string{"a"}, `["a"]`}, {map[string]any{"b": 1, "a": []any{nil}, "": map[string]any{}}, `{"":{},"a":[null],"b":1}`},
		{actions.Arguments{"a": 1}, `{"a":1}`},
	} {
		if got, err := actionsjson.Append([]byte("> "), c.value); err != nil || string(got) != "> "+c.want {
			t.Errorf("Append(%#v) = %s, %v\nwant %s", c.value, got, err, c.want)
		}
	}
	circle := []any{nil}
	circle[0] = circle
	for _, value := range []any{math.NaN(), math.Inf(1), []any{math.Inf(-1)}, struct{}{}, map[string]any{"a": func() {}}, circle} {
		if got, err := actionsjson.Append(nil, value); got != nil || err == nil {
			t.Errorf("Append of what cannot be written gave %s", got)
		}
	}
}

func TestAppendResult(t *testing.T) {
	result := actions.Result{Status: actions.StatusPartial, Message: `1 of "2"`, Items: []actions.Result{
		{Status: actions.StatusPerformed, Value: map[string]any{"n": 1}},
		{Status: actions.StatusFailed, Message: "no", Items: []actions.Result{}},
	}}
	want := `{"status":"partial","message":"1 of \"2\"","items":[{"status":"performed","value":{"n":1}},{"status":"failed","message":"no","items":[]}]}`
	if got, err := actionsjson.AppendResult(nil, result); err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	result.Items[0].Value = func() {}
	if got, err := actionsjson.AppendResult(nil, result); got != nil || err == nil {
		t.Errorf("a value that cannot be written gave %s", got)
	}
}

func TestAppendProblems(t *testing.T) {
	problems := []actions.Problem{{At: "/t", Status: actions.StatusInvalidArguments, Message: "is missing"},
		{Status: actions.StatusNotFound, Message: "nobody"}}
	want := `[{"at":"/t","status":"invalid_arguments","message":"is missing"},{"at":"","status":"not_found","message":"nobody"}]`
	if got := actionsjson.AppendProblems(nil, problems); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := actionsjson.AppendProblems(nil, nil); string(got) != "[]" {
		t.Errorf("no problems are written as %s", got)
	}
}

// FuzzNumbers: every number is read back as itself.
func FuzzNumbers(f *testing.F) {
	f.Add(int64(math.MinInt64), 0.1)
	f.Add(int64(1<<53+1), 5e-324)
	f.Fuzz(func(t *testing.T, i int64, n float64) {
		values := []any{i, uint64(math.MaxInt64) + 1 + uint64(i&math.MaxInt64)}
		if !math.IsNaN(n) && !math.IsInf(n, 0) {
			values = append(values, n)
		}
		text, err := actionsjson.Append(nil, values)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := actionsjson.Decode(text); err != nil || !reflect.DeepEqual(got, values) {
			t.Fatalf("%#v is written as %s and read as %#v, %v", values, text, got, err)
		}
	})
}
