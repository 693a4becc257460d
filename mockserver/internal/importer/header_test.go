package importer_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestNoHeader: what stands where the names of columns should be is of people, and is neither shown nor copied.
func TestNoHeader(t *testing.T) {
	library := own(t)
	key := must.Get(pseudonym.New(pseudonym.Make()))(t)
	const (
		header = "install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\n"
		row    = "a1;ada;;true;2026-01-01T00:00:00;2026-01-05T00:00:00;new\n"
	)
	for name, c := range map[string]struct {
		text string
		says string // "": it is read
		both bool   // copying finds it as well
	}{
		"a header": {header + row, "", true},
		"none": {row + row,
			"the first line is no header: nothing in it is the name of a column of userbase; a file of that kind begins with some of " +
				"install_id;custom_id;", true},
		"none, quoted":            {`"a1";"ada";"";"true"` + "\n", "the first line is no header", true},
		"none, with commas":       {strings.ReplaceAll(row, ";", ","), "the first line is no header", true},
		"none, and an empty line": {"\n" + row, "the first line is no header", true},
		"another separator":       {strings.ReplaceAll(header+row, ";", ","), "rows that do not fit the schemas", false},
		"a column that is new": {strings.Replace(header, "install_id", "install_id;loyalty", 1),
			"/loyalty: the column loyalty is not known here", false},
		"nothing":                 {"", "cut:1:1: ", false},
		"an empty line before it": {"\n" + header + row, "", false},
		"no text":                 {"\xff\xfea\x00;\x00", "", false},
	} {
		for _, key := range []*pseudonym.Key{nil, key} {
			inputs := []importer.Input{{Name: "cut", Kind: "userbase", Reader: strings.NewReader(c.text)}}
			_, err := importer.Files(t.Context(), library, inputs, importer.Options{Directory: t.TempDir(), Key: key},
				func(string, []byte) error { return nil })
			if text := said(err); !strings.Contains(text, c.says) || strings.Contains(text, "ada") || c.says != "" && err == nil {
				t.Errorf("%s: %v, want %q", name, err, c.says)
			}
		}
		if !c.both {
			continue
		}
		for _, export := range library.Exports() {
			if export.Kind != "userbase" {
				continue
			}
			var copied bytes.Buffer
			open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(c.text)), nil }
			err := importer.Pseudonymise(library, export, key, open, &copied)
			if !strings.Contains(said(err), c.says) || (err == nil) != (c.says == "") || strings.Contains(copied.String()+said(err), "ada") {
				t.Errorf("%s: copied as %q, %v", name, copied.String(), err)
			}
		}
	}
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
