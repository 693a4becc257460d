package filetype_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

func zipped(text []byte) []byte {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = writer.Write(text)
	_ = writer.Close()
	return packed.Bytes()
}

// verdict is what is said of a file, and its text; every error has a sentence.
func verdict(t *testing.T, r io.Reader) (said, text string) {
	t.Helper()
	file, err := filetype.Open(r)
	if err != nil {
		var refused *filetype.Error
		if !errors.As(err, &refused) || !strings.HasPrefix(err.Error(), "the file ") {
			t.Errorf("the error is %v", err)
		}
		return err.Error(), ""
	}
	anything := func(string) bool { return false }
	said = file.Unlike(true, anything) + file.Unlike(false, anything)
	read, err := io.ReadAll(file)
	if err != nil {
		t.Errorf("reading ended with %v", err)
	}
	if file.Marked {
		said += filetype.Marked
	}
	return said, string(read)
}

// FuzzOpen: a file is refused in a sentence, or its text is there byte by byte; compressed, it is the same file.
func FuzzOpen(f *testing.F) {
	for _, text := range []string{
		"", "a;b\n", filetype.Mark, filetype.Mark + "<html>", "\xff\xfe", "PK\x03\x04", "\x1f\x8b",
		" {\"error_code\":\"A\"}", "[1", "a\rb", "sep=;\n", "\x00a", "\"a\",1",
		"<Error><Code>A</Code>", "{\"message\":{\"code\":\"", strings.Repeat(" ", 5000) + "<",
	} {
		f.Add([]byte(text))
	}
	f.Add(zipped([]byte("a;b\n"))[:20])
	f.Fuzz(func(t *testing.T, data []byte) {
		said, text := verdict(t, bytes.NewReader(data))
		again, same := verdict(t, iotest.OneByteReader(bytes.NewReader(data)))
		if said != again || text != same {
			t.Errorf("%q: %q, and byte by byte %q", data, said, again)
		}
		if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
			return
		}
		if plain := strings.TrimPrefix(string(data), filetype.Mark); text != "" && text != plain {
			t.Errorf("%q is read as %q", data, text)
		}
		if again, same = verdict(t, bytes.NewReader(zipped(data))); said != again || text != same {
			t.Errorf("%q: %q, and compressed %q", data, said, again)
		}
	})
}

// TestTextOfSettings: a small file is read whole, or refused in a sentence.
func TestTextOfSettings(t *testing.T) {
	whole := zipped([]byte(filetype.Mark + "a: 1\n"))
	for name, c := range map[string]struct {
		data       []byte
		text, says string
	}{
		"text":            {[]byte("a: 1\n"), "a: 1\n", ""},
		"compressed":      {whole, "a: 1\n", ""},
		"cut":             {whole[:len(whole)-4], "", "the compressed data end too early"},
		"too large":       {[]byte("12345678901"), "", "the file has more than 10 bytes"},
		"a bomb":          {zipped(make([]byte, 1<<20)), "", "the file is binary"},
		"another archive": {[]byte("BZh91AY"), "", "bzip2"},
	} {
		text, err := filetype.Text(c.data, 10)
		if c.says == "" && (err != nil || string(text) != c.text) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %q, %v, want %q or %q", name, text, err, c.text, c.says)
		}
	}
}
