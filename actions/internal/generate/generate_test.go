package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTypeOf(t *testing.T) {
	for text, want := range map[string]string{
		`{"type": "string"}`:                                      `string`,
		`{"type": ["boolean", "null"]}`:                           `boolean | null`,
		`{"type": "integer"}`:                                     `number | bigint`,
		`{"enum": ["add", "remove"]}`:                             `"add" | "remove"`,
		`{"type": "object"}`:                                      `Arguments`,
		`{"type": "array", "items": {"type": "string"}}`:          `readonly string[]`,
		`{"type": "array", "items": {"type": ["string","null"]}}`: `readonly (string | null)[]`,
		`{"type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [{"title": "Name", "type": "string"}, {"title": "Count", "type": "number"}]}`: `readonly [name: string, count: number]`,
	} {
		var s schema
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if got, err := typeOf(&s); got != want || err != nil {
			t.Errorf("%s gives %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{
		`{}`,
		`{"type": "date"}`,
		`{"type": "array"}`,
		`{"type": "array", "maxItems": 3, "prefixItems": [{"title": "Name", "type": "string"}]}`,
		`{"type": "object", "properties": {"a": {"type": "string"}}}`,
	} {
		var s schema
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if got, err := typeOf(&s); err == nil {
			t.Errorf("%s gives %s, want an error", text, got)
		}
	}
}

// TestRead shows what is said of schemas that do not fit the table of built-ins.
func TestRead(t *testing.T) {
	for _, c := range []struct{ change, file, text, want string }{
		{"a keyword that it does not know", "service.clipboard.arguments.json", `{"properties": {"t": {"pattern": "x"}}}`,
			`service.clipboard.arguments.json: t: json: unknown field "pattern"`},
		{"a schema of no built-in", "service.nothing.arguments.json", `{}`,
			"service.nothing.arguments.json: actions/builtin.go has no built-in of this name"},
		{"no schema", "service.rating.arguments.json", "", "service.rating has no schema of its arguments"},
	} {
		t.Run(c.change, func(t *testing.T) {
			module := t.TempDir()
			folder := filepath.Join(module, "schemas", "actions")
			if err := os.CopyFS(folder, os.DirFS("../../../schemas/actions")); err != nil {
				t.Fatal(err)
			}
			if _, err := read(module); err != nil {
				t.Fatalf("before the change: %v", err)
			}
			if err := os.Remove(filepath.Join(folder, c.file)); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			if c.text != "" {
				if err := os.WriteFile(filepath.Join(folder, c.file), []byte(c.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := read(module); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

// TestNoPlace: a page that has lost the marks around its table is not overwritten.
func TestNoPlace(t *testing.T) {
	if text, err := table(".")([]byte("# A page\n"), nil); err == nil {
		t.Errorf("a page without marks becomes %q", text)
	}
}
