package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/catalog"
)

// overlayOf is a directory with an embedded schema file in which a text is replaced, and one that is new.
func overlayOf(t *testing.T, name, old, replacement string) string {
	t.Helper()
	library := must.Get(schemas.Embedded())(t)
	text := string(library.Source(name))
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not hold %s", name, old)
	}
	directory := t.TempDir()
	for path, content := range map[string]string{name: strings.Replace(text, old, replacement, 1), "own/new.json": `{"title": "New"}`} {
		path = filepath.Join(directory, filepath.FromSlash(path))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return directory
}

// TestSchemasCommand checks what each action prints, and with which exit code.
func TestSchemasCommand(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	const row = "legacy/userbase.row.json"
	overlay := overlayOf(t, row, `"title": "Userbase row"`, `"title": "Row of ours"`)
	full := filepath.Join(t.TempDir(), "new", "folder")
	broken, later := t.TempDir(), t.TempDir()
	write(t, filepath.Join(later, "own/new.json"), `{"title": "Newer"}`)
	must.Do(t, os.WriteFile(filepath.Join(broken, "a.json"), []byte("{"), 0o600))
	for _, c := range []struct {
		arguments []string
		code      int
		out, err  string
	}{
		{[]string{"list"}, exitOK, row + "  ", ""},
		{[]string{"list", "--schemas", overlay}, exitOK, "replaced  userbase: Row of ours\n", ""},
		{[]string{"list", "--schemas", overlay}, exitOK, "added     New\n", ""},
		{[]string{"list", "--format", "json"}, exitOK, `{"name":"` + row + `","id":"` + schemas.Base + row + `","title":"Userbase row","kind":"userbase","origin":"embedded","digest":"`, ""},
		{[]string{"show", "userbase"}, exitOK, string(library.Source(row)), ""},
		{[]string{"show", "own/new", "--schemas", overlay}, exitOK, `{"title": "New"}`, ""},
		{[]string{"export", full}, exitOK, "schema files to " + full, ""},
		{[]string{"export", full}, exitFailed, "", "is not empty: it has actions"},
		{[]string{"list", "--schemas", broken}, exitFailed, "", "schema file a.json"},
		{[]string{"list", "--schemas", broken, "--schemas", overlay}, exitFailed, "", "--schemas " + broken + ": schema file a.json"},
		{[]string{"show", "own/new", "--schemas", overlay, "--schemas", later}, exitOK, `{"title": "Newer"}`, ""},
		{[]string{"show", "own/new", "--schemas", later, "--schemas", overlay}, exitOK, `{"title": "New"}`, ""},
		{[]string{"show", "userbse"}, exitUsage, "", "did you mean userbase?"},
		{[]string{"show"}, exitUsage, "", "show needs NAME"},
		{[]string{"list", "all"}, exitUsage, "", `unexpected argument "all" behind list`},
		{[]string{"lst"}, exitUsage, "", "did you mean list?"},
		{nil, exitUsage, "", "it must be one of list, show, export"},
		{[]string{"list", "--format", "sarif"}, exitUsage, "", "must be text or json"},
	} {
		r := invoke(t, "", append([]string{"schemas"}, c.arguments...)...)
		r.is(t, c.code, c.out, c.err)
	}
	for _, name := range library.Names() {
		if source, err := os.ReadFile(filepath.Join(full, filepath.FromSlash(name))); err != nil || string(source) != string(library.Source(name)) {
			t.Errorf("%s was not exported as it is: %v", name, err)
		}
	}
}

// TestSchemasListAsJSON: every line is an object.
func TestSchemasListAsJSON(t *testing.T) {
	r := invoke(t, "", "schemas", "list", "--format", "json")
	library := must.Get(schemas.Embedded())(t)
	count := 0
	for line := range strings.Lines(r.out) {
		var file catalog.File
		if err := json.Unmarshal([]byte(line), &file); err != nil || file.Name != library.Names()[count] {
			t.Fatalf("%s: %v", line, err)
		}
		count++
	}
	must.Equal(t, count, len(library.Names()), "lines, one for each file")
}
