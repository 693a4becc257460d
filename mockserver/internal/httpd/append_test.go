package httpd_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// FuzzAppend holds what is appended to what the encoder of the standard library writes.
func FuzzAppend(f *testing.F) {
	for _, text := range []string{"", "plain", "a \"quote\" and a \\", "\u2028 <&>", "\xff", `{"a": [1, "x \\" y", " "], "b" :null}`, "[ ]\n",
		`"\\\\" `, "7"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := httpd.AppendText([]byte("x"), text), append([]byte("x"), bytes.TrimSuffix(httpd.JSON(text), []byte("\n"))...); !bytes.Equal(got, want) {
			t.Errorf("text %q: %s, want %s", text, got, want)
		}
		if !json.Valid([]byte(text)) {
			return
		}
		want := bytes.TrimSuffix(httpd.JSON(json.RawMessage(text)), []byte("\n"))
		if got := httpd.AppendCompact(nil, []byte(text)); !bytes.Equal(got, want) {
			t.Errorf("value %q: %s, want %s", text, got, want)
		}
	})
}
