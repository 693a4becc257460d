package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpenAPI prints the document twice: the same bytes, with the address that
// was given.
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
	if err := json.Unmarshal([]byte(first.out), &document); err != nil {
		t.Fatal(err)
	}
	if document.OpenAPI != "3.1.0" || document.Servers[0].URL != "https://mock.example/base" || document.Paths["/2.7/profiles/export"] == nil {
		t.Errorf("the document is %s for %v with %d paths", document.OpenAPI, document.Servers, len(document.Paths))
	}
}

// TestOpenAPIFollowsTheSchemas adds a column in a schema file, and finds it in
// the document.
func TestOpenAPIFollowsTheSchemas(t *testing.T) {
	source, err := os.ReadFile("../../../schemas/legacy/userbase.row.json")
	if err != nil {
		t.Fatal(err)
	}
	overlay := t.TempDir()
	if err := os.Mkdir(filepath.Join(overlay, "legacy"), 0o777); err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(source), `"properties": {`, `"properties": {"loyalty": {"description": "How loyal the user is.", "enum": ["gold", "none"]},`, 1)
	if err := os.WriteFile(filepath.Join(overlay, "legacy", "userbase.row.json"), []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	got := invoke(t, "", "openapi", "--schemas", overlay)
	if got.code != exitOK || !strings.Contains(got.out, "How loyal the user is.") || !strings.Contains(got.out, `smart_segment, loyalty.`) {
		t.Errorf("exit code %d: the column is not in the document: %s", got.code, got.err)
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
