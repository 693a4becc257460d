package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestPseudonymisedArchive: people in an archive are replaced, and the file is an archive again.
func TestPseudonymisedArchive(t *testing.T) {
	library := must.Get(schemas.Open(os.DirFS("../../examples/services/contacts")))(t)
	export := library.Exports()[0]
	for _, each := range library.Exports() {
		if each.Kind == "contacts" {
			export = each
		}
	}
	columns := schemas.KeywordsOf(library.Schema(export.Output)).CSV.Columns
	header := strings.Join(columns, ",")
	for _, method := range []uint16{zip.Deflate, zip.Store} {
		var packed, made bytes.Buffer
		archive := zip.NewWriter(&packed)
		content := header + "\n" + strings.Repeat("jane.planted@company.com,", len(columns)-1) + "jane.planted@company.com\n"
		entry := must.Get(archive.CreateRaw(&zip.FileHeader{Name: "a.csv", Method: zip.Store, UncompressedSize64: uint64(len(content)),
			CompressedSize64: uint64(len(content))}))(t)
		if method == zip.Deflate {
			packed.Reset()
			archive = zip.NewWriter(&packed)
			entry = must.Get(archive.Create("a.csv"))(t)
		}
		fmt.Fprint(entry, content)
		must.Do(t, archive.Close())
		change := pseudonymised(must.Get(pseudonym.New(testKey))(t), func() *schemas.Library { return library })
		must.Do(t, change(export.Kind, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(packed.Bytes())), nil }, &made))
		read := must.Get(zip.NewReader(bytes.NewReader(made.Bytes()), int64(made.Len())))(t)
		file := must.Get(read.File[0].Open())(t)
		text := string(must.Get(io.ReadAll(file))(t))
		if strings.Contains(text, "planted") || !strings.HasPrefix(text, header) || strings.Count(text, "\n") != 2 {
			t.Errorf("%d: %s", method, text)
		}
	}
}
