package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestPagesInThePlaceOfFiles: a page that a proxy or a login answered is named by every command and flag, in the same sentence.
func TestPagesInThePlaceOfFiles(t *testing.T) {
	directory := t.TempDir()
	write := func(name string) string {
		path := filepath.Join(directory, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte("<!DOCTYPE html>\n<html><body>Sign in</body></html>\n"), 0o644))
		return path
	}
	page, data := write("page"), filepath.Dir(write("data/installations.csv"))
	schemas := filepath.Dir(filepath.Dir(write("schemas/legacy/userbase.row.json")))
	for _, line := range []string{
		"validate --schema userbase " + page, "validate --schema profiles.events " + page, "check " + page,
		"check --kind " + page + "=userbase " + page,
		"import --out " + directory + "/out " + page, "generate --kind userbase --data " + data, "generate --kind userbase --schemas " + schemas,
		"generate --kind userbase --world " + page, "serve --config " + page, "serve --credentials " + page,
	} {
		said := invoke(t, "", strings.Fields(line)...)
		if said.code == 0 || !strings.Contains(said.out+said.err, "the file is an HTML page, as a proxy or a login answers: fetch it again") {
			t.Errorf("%s: exit code %d, %s%s", line, said.code, said.out, said.err)
		}
	}
}
