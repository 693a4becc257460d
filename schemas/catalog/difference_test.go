package catalog_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/catalog"
)

func TestDifferences(t *testing.T) {
	own, err := schemas.Open(os.DirFS("../testdata/own"))
	if err != nil {
		t.Fatal(err)
	}
	overlay := fstest.MapFS{}
	for _, change := range [][3]string{
		{"legacy/userbase.row.json", `"title": "Userbase row"`, `"title":   "Row"`},
		{"legacy/userbase.row.json", `    "smart_segment": {`, `    "a/b": {"const": 1.0}, "smart_segment": {`},
		{"legacy/userbase.row.json", `"required": ["is_optin_push", `, `"required": [`},
		{"legacy/campaign.request.json", `"title"`, `  "title"`},
	} {
		file := overlay[change[0]]
		if file == nil {
			file = &fstest.MapFile{Data: own.Source(change[0])}
			overlay[change[0]] = file
		}
		if !bytes.Contains(file.Data, []byte(change[1])) {
			t.Fatalf("%s does not hold %s", change[0], change[1])
		}
		file.Data = bytes.Replace(file.Data, []byte(change[1]), []byte(change[2]), 1)
	}
	l, err := schemas.Open(overlay)
	if err != nil {
		t.Fatal(err)
	}
	before := map[string][]byte{"z/gone.json": nil}
	for _, name := range l.Names() {
		before[name] = l.Source(name)
	}
	for name := range overlay {
		before[name] = own.Source(name)
	}
	delete(before, "vocabulary.json")
	found, err := catalog.Differences(l, before)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range found {
		got = append(got, fmt.Sprintf("%s %s %s %s %s", d.File, d.Pointer, d.Change, d.Before, d.After))
	}
	want := []string{
		"legacy/userbase.row.json /properties/a~1b added  {\"const\":1.0}",
		`legacy/userbase.row.json /required changed ["is_optin_push","install_date","last_start_date","smart_segment"] ["install_date","last_start_date","smart_segment"]`,
		`legacy/userbase.row.json /title changed "Userbase row" "Row"`,
		"vocabulary.json  added  ",
		"z/gone.json  removed  ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if _, err := catalog.Differences(l, map[string][]byte{"legacy/userbase.row.json": []byte("{")}); err == nil {
		t.Error("a file that is no JSON is compared")
	}
}
