package filetype_test

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// rowsOf are the rows of a text, and how it ends.
func rowsOf(r io.Reader) (rows [][]string, err error) {
	reader := filetype.NewCSV(r, ';')
	for {
		cells, err := reader.Read()
		if err != nil {
			return rows, err
		}
		rows = append(rows, slices.Clone(cells))
	}
}

// TestCSVKeepsEveryByte: what stands in quotes is data, line ends too; outside of them CR LF ends a row.
func TestCSVKeepsEveryByte(t *testing.T) {
	for text, want := range map[string][][]string{
		"a;\"x\r\ny\"\r\nb;c\r\n":          {{"a", "x\r\ny"}, {"b", "c"}},
		"\"\r\n\r\n\";\"\r\r\n\"\n":        {{"\r\n\r\n", "\r\r\n"}},
		"\"\r\";\"\n\";\"\"\"\r\n\"\"\"\n": {{"\r", "\n", "\"\r\n\""}},
		"a\rb;c\n":                         {{"a\rb", "c"}},
		"a;b\r":                            {{"a", "b\r"}},
		"\"a;\r\nb\"":                      {{"a;\r\nb"}},
		"a;\"\"\r\n\"b\r\n\";\"\"":         {{"a", ""}, {"b\r\n", ""}},
		"\xef\xbb\xbf;\x00;\xff\n":         {{"\xef\xbb\xbf", "\x00", "\xff"}},
	} {
		for name, r := range map[string]io.Reader{
			"at once": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text)),
		} {
			rows, err := rowsOf(r)
			if err != io.EOF || !slices.EqualFunc(rows, want, slices.Equal[[]string]) {
				t.Errorf("%q %s: %q, %v, want %q", text, name, rows, err, want)
			}
		}
	}
}

// TestCSVGoesOnBehindABrokenRow: a row that is no CSV does not change how the next one is read.
func TestCSVGoesOnBehindABrokenRow(t *testing.T) {
	for _, broken := range []string{"a\"b", "\"a\"b", "\"a\"\rb;\"c", "a;b\"\"", "\"a\nb\"c", "\"a\"\r;\"b"} {
		reader := filetype.NewCSV(strings.NewReader(broken+"\r\nx;\"y\r\nz\"\r\n"), ';')
		_, err := reader.Read()
		line, column, sentence, is := reader.Malformed(err)
		if !is || line < 1 || column < 1 || !strings.Contains(sentence, "quote") {
			t.Errorf("%q: %v is said as %q at %d:%d", broken, err, sentence, line, column)
		}
		if cells, err := reader.Read(); err != nil || !slices.Equal(cells, []string{"x", "y\r\nz"}) {
			t.Errorf("behind %q: %q, %v", broken, cells, err)
		}
	}
}

// TestCSVEndsARowWithoutAnEnd: an open quote does not fill the memory.
func TestCSVEndsARowWithoutAnEnd(t *testing.T) {
	if _, err := rowsOf(strings.NewReader("\"" + strings.Repeat("x\n", 1<<20))); !errors.Is(err, filetype.ErrTooLong) {
		t.Errorf("a quote stays open: %v", err)
	}
}

// FuzzCSV: rows come back as they were written, and a text is read as encoding/csv reads it but for the CR in quotes.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{"a;b\n", "\"a\r\nb\";c\r\n", "a\"b\n\"c\"", "\"a\"\rb\n", "\r\n\r", "\"\"\"\r\n\";\"", "a;\"b\"\r\nc"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := rowsOf(strings.NewReader(text))
		byBytes, errByBytes := rowsOf(iotest.OneByteReader(strings.NewReader(text)))
		if !slices.EqualFunc(rows, byBytes, slices.Equal[[]string]) || (err == io.EOF) != (errByBytes == io.EOF) {
			t.Errorf("%q: %q, %v, and byte by byte %q, %v", text, rows, err, byBytes, errByBytes)
		}
		plain := csv.NewReader(strings.NewReader(text))
		plain.Comma, plain.FieldsPerRecord = ';', -1
		if strings.HasSuffix(text, "\r") {
			rows = nil // encoding/csv drops it
		}
		for _, row := range rows {
			cells, err := plain.Read()
			for i := range cells {
				if i >= len(row) || cells[i] != strings.ReplaceAll(row[i], "\r\n", "\n") && cells[i]+"\r" != row[i] {
					t.Fatalf("%q: %q, and encoding/csv reads %q, %v", text, row, cells, err)
				}
			}
			if err != nil || len(cells) != len(row) {
				t.Fatalf("%q: %q, and encoding/csv reads %q, %v", text, row, cells, err)
			}
		}
		rows = slices.DeleteFunc(rows, func(row []string) bool { return len(row) == 1 && row[0] == "" }) // encoding/csv writes no quotes
		var written strings.Builder
		writer := csv.NewWriter(&written)
		writer.Comma = ';'
		if len(rows) == 0 || writer.WriteAll(rows) != nil {
			return
		}
		again, err := rowsOf(strings.NewReader(written.String()))
		if err != io.EOF || !slices.EqualFunc(again, rows, slices.Equal[[]string]) {
			t.Errorf("%q is written as %q and read as %q, %v", rows, written.String(), again, err)
		}
	})
}
