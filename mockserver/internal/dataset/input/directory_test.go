package input_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

const visit = `{"type":"visit","install_id":"phone-%d"}`

func TestReadDirectory(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for _, c := range []struct {
		name  string
		files fstest.MapFS
		rows  int
		err   string
	}{
		{"all kinds and formats", fstest.MapFS{
			"profiles.csv": file("custom_id\nada\n"), "installations.json": file(`[{"install_id":"a"},{"install_id":"b"}]`),
			"events.ndjson": file(fmt.Sprintf(visit, 1)), "events.jsonl": file(fmt.Sprintf(visit, 2)), "README.md": file("#"), "notes.csv": file("x"),
		}, 5, ""},
		{"a tab between columns and a byte order mark", fstest.MapFS{"installations.csv": file("\xef\xbb\xbfinstall_id\tplatform\r\na\tios\r\n")}, 1, ""},
		{"an empty file", fstest.MapFS{"events.ndjson": file("")}, 0, ""},
		{"no file", fstest.MapFS{"README.md": file("#")}, 0, "profiles.csv"},
		{"a slip", fstest.MapFS{"event.csv": file("type\n")}, 0, "did you mean events.csv?"},
		{"bad rows of two files", fstest.MapFS{"profiles.csv": file("custom_id,language\n,fr\n"), "events.json": file("{}")}, 0,
			"profiles.csv, line 2, column 1: custom_id or profile_id is missing"},
	} {
		rows, digest, err := readDirectory(t, c.files)
		switch {
		case c.err == "" && (err != nil || len(rows) != c.rows || digest == ""):
			t.Errorf("%s: %d rows, %v", c.name, len(rows), err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s ended with %v", c.name, err)
		}
	}
}

func readDirectory(t *testing.T, files fstest.MapFS) (rows []input.Row, digest string, err error) {
	t.Helper()
	directory, err := input.OpenDirectory(library(t), files)
	if err != nil {
		return nil, "", err
	}
	if digest, err = directory.Digest(); err != nil {
		return nil, "", err
	}
	err = directory.Each(context.Background(), func(some []input.Row) error {
		rows = append(rows, some...)
		return nil
	})
	return rows, digest, err
}
