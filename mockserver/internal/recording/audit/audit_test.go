package audit_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/audit"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestForms: each form is found, and the values that stand for nobody are not.
func TestForms(t *testing.T) {
	for text, want := range map[string]string{
		`{"email_address":"ada.lovelace@company.com"}`:            "an e-mail address",
		`/unsubscribe?of=ada%40company.co.uk`:                     "an e-mail address",
		`"zoë@café.fr"`:                                           "an e-mail address",
		`freya.olsson.0d3f7a85@mail.example and ada@example.com`:  "",
		`a;+33612345678;b`:                                        "a telephone number",
		`call +33 6 12 34 56 78`:                                  "a telephone number",
		`"+999606777877941", 2026-03-15T12:00:00+01:00`:           "",
		`"Authorization": "Bearer abcdef123456"`:                  "a credential",
		`Basic dXNlcjpwYXNz`:                                      "a credential",
		`Bearer [redacted]`:                                       "",
		`"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x"`:                "a token",
		`?expires=1&signature=abcd1234`:                           "a secret by its name",
		`"access_token": "abcd1234"`:                              "a secret by its name",
		`"api_key":"live_demo"`:                                   "a secret by its name",
		`X-Amz-Signature=abcd1234`:                                "a secret by its name",
		`"api_key":"{{key}}","token":null,"signature=[redacted]"`: "",
		`X-Authorization: 0123456789abcdef`:                       "a credential",
		`Authorization: 0123456789abcdef`:                         "a credential",
		`"X-Authorization":["0123456789abcdef"]`:                  "a credential",
		`Cookie: id=0123456789`:                                   "a credential",
		`"Authorization": "Bearer [redacted]", "X-Authorization": "[redacted]", "Cookie": "{{key}}"`: "",
		`"id": "AKIAIOSFODNN7EXAMPLE"`:                               "a credential",
		`https://maps.test/api?key=0123456789`:                       "a secret by its name",
		`{"query": "key=0123456789"}`:                                "a secret by its name",
		`https://maps.test/api?a=1&key={{key}}`:                      "",
		`{"accessToken":"0123456789"}`:                               "a secret by its name",
		`{"sessionId":"0123456789","userApiKey":1}`:                  "a secret by its name",
		`-----BEGIN RSA PRIVATE KEY-----`:                            "a private key",
		`"status":"SUCCESS","credentials":["X-Authorization"],"a":1`: "",
	} {
		var packed bytes.Buffer
		to := gzip.NewWriter(&packed)
		fmt.Fprint(to, "first\n", text, "\n")
		must.Do(t, to.Close())
		files := fstest.MapFS{
			"plain": {Data: []byte("first\n" + text + "\n")}, "files/packed.gz": {Data: packed.Bytes()},
			"long": {Data: []byte("first\n" + strings.Repeat("-", 64<<10-20) + " " + text)},
		}
		found := map[string]string{}
		must.Do(t, audit.Directory(t.Context(), files, func(f audit.Finding) { found[f.File] += fmt.Sprint(f.Line, f.What) }))
		for name := range files {
			if want := map[bool]string{true: "2" + want}[want != ""]; !strings.HasPrefix(found[name], want) || want == "" && found[name] != "" {
				t.Errorf("%s: %q in %s, want %q", text, found[name], name, want)
			}
		}
	}
}

// TestNoText: files that cannot be read as text are named, and damaged ones are an error.
func TestNoText(t *testing.T) {
	var found []audit.Finding
	files := fstest.MapFS{"a.zip": {Data: []byte("PK\x03\x04\x00")}, "empty": {}}
	must.Do(t, audit.Directory(t.Context(), files, func(f audit.Finding) { found = append(found, f) }))
	must.Hold(t, len(found) == 1 && found[0].File == "a.zip", "found %v", found)
	if err := audit.Directory(t.Context(), fstest.MapFS{"b.gz": {Data: []byte("\x1f\x8bcut")}}, func(audit.Finding) {}); err == nil {
		t.Error("a damaged file is said to be clean")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	files := fstest.MapFS{"plain": {Data: []byte("a\n")}}
	if err := audit.Directory(ctx, files, func(audit.Finding) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("after an end: %v", err)
	}
}
