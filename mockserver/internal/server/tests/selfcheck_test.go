package server_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"io/fs"
)

// overlaid opens the embedded schemas with one file changed.
func overlaid(t *testing.T, file, old, changed string) fs.FS {
	t.Helper()
	embedded := must.Get(schemas.Embedded())(t)
	text := string(embedded.Source(file))
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not hold %q", file, old)
	}
	return fstest.MapFS{file: {Data: []byte(strings.Replace(text, old, changed, 1))}}
}

// TestEmbeddedFilesAreRehearsed: the files of the embedded schemas fit them, at whatever time of the year.
func TestEmbeddedFilesAreRehearsed(t *testing.T) {
	for _, days := range testlevel.Some(t, testlevel.Count(2, 8, 8), []int{0, 40, 100, 150, 200, 250, 300, 351}) {
		config := usualConfig()
		config.Schemas = fstest.MapFS{} // not the shared library, which is taken on trust
		config.StartAt = noon.AddDate(0, 0, days)
		if _, err := mockserver.New(config); err != nil {
			t.Errorf("%d days later: %v", days, err)
		}
	}
}

// TestFilesAreRehearsed: schema files whose own files would not fit them are
// refused at the start, with the export, the member and the rule.
func TestFilesAreRehearsed(t *testing.T) {
	type rehearsed struct {
		about, file, old, changed string
		says                      string // "" if the server must start
	}
	for _, c := range testlevel.Some(t, testlevel.Count(2, 3, 5), []rehearsed{
		{"a pattern that the world does not know", "legacy/userbase.row.json", `"install_date": {`, `"install_date": {"maxLength": 5, `,
			"userbase install_date"},
		{"a value that never comes", "profiles/reachability.output.json", `"timestamp": {`, `"timestamp": {"enum": ["2020-01-01T00:00:00Z"], `,
			"profiles.reachability timestamp"},
		{"a member that is required and cannot be made", "profiles/events.output.json", `"required": ["api_key"`,
			`"required": ["nowhere", "api_key"`, "profiles.events nowhere"},
		{"one more column", "legacy/userbase.row.json", `"properties": {`, `"properties": {"loyalty": {"enum": ["gold", "none"]}, `, ""},
		{"a request with a member that nobody can guess", "legacy/userbase.request.json", `"properties": {`,
			`"properties": {"tenant": {"type": "string", "x-role": "ignored"}, `, ""},
	}) {
		config := usualConfig()
		config.Schemas = overlaid(t, c.file, c.old, c.changed)
		_, err := mockserver.New(config)
		if c.says == "" {
			must.Hold(t, err == nil, "%s: %v", c.about, err)
			continue
		}
		kind, member, _ := strings.Cut(c.says, " ")
		if err == nil || !strings.Contains(err.Error(), "the schemas of "+kind+" cannot be served") || !strings.Contains(err.Error(), member) {
			t.Errorf("%s: got %v", c.about, err)
		}
	}
}
