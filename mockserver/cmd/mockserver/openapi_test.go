package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestOpenAPI prints the document twice: the same bytes, with the address that was given.
func TestOpenAPI(t *testing.T) {
	first := invoke(t, "", "openapi", "--url", "https://mock.example/base/")
	if first.code != exitOK || first.err != "" {
		t.Fatalf("exit code %d: %s", first.code, first.err)
	}
	if again := invoke(t, "", "openapi", "--url", "https://mock.example/base/"); again.out != first.out {
		t.Error("the second time the document is another one")
	}
	var document struct {
		OpenAPI string
		Servers []struct{ URL string }
		Paths   map[string]any
	}
	must.Do(t, json.Unmarshal([]byte(first.out), &document))
	if document.OpenAPI != "3.0.3" || document.Servers[0].URL != "https://mock.example/base" || document.Paths["/2.7/profiles/export"] == nil {
		t.Errorf("the document is %s for %v with %d paths", document.OpenAPI, document.Servers, len(document.Paths))
	}
}

func TestOpenAPIMistakes(t *testing.T) {
	for _, c := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"--url", "mock.example"}, "it must be an address such as https://mock.example"},
		{[]string{"--url", "https://mock.example/?a=b"}, "it must be an address"},
		{[]string{"document.json"}, "goes to standard output"},
		{[]string{"--schemas", "nowhere"}, "--schemas"},
	} {
		got := invoke(t, "", append([]string{"openapi"}, c.arguments...)...)
		if got.code == exitOK || !strings.Contains(got.err, c.want) || got.out != "" {
			t.Errorf("%q: exit code %d, %q; want %q", c.arguments, got.code, got.err, c.want)
		}
	}
}
