// Package filetype detects the format of a file before a reader starts, and opens text in UTF-8, plain or compressed with gzip. It
// refuses other formats with a sentence, the same for every reader.
package filetype

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// PeekBytes is how much of a file can be peeked at.
const PeekBytes = 64 << 10

// Mark is U+FEFF in UTF-8, the byte order mark; Marked says that a file begins with it.
const (
	Mark   = "\xef\xbb\xbf"
	Marked = "the file must not begin with a byte order mark"
)

// File is the text of a file, unpacked, behind the byte order mark.
type File struct {
	*bufio.Reader
	// Marked says that there was a byte order mark.
	Marked bool

	raw    *tail     // as it is sent
	source *tail     // unpacked
	packed *unpacker // nil: the file is not compressed
}

// Error says that a file is nothing that is read here.
type Error struct{ sentence string }

// Error is the sentence.
func (e *Error) Error() string { return e.sentence }

// Open looks at the first bytes of a file. Other formats than text are an [*Error]. A [*File] is returned as it is.
func Open(r io.Reader) (*File, error) {
	if file, is := r.(*File); is {
		return file, nil
	}
	raw := &tail{from: r}
	f := &File{raw: raw, source: raw}
	f.Reader = bufio.NewReaderSize(f.source, PeekBytes)
	if first, _ := f.Peek(2); string(first) == "\x1f\x8b" {
		if err := f.unpack(); err != nil {
			return nil, err
		}
	}
	if sentence := f.refused(); sentence != "" {
		return nil, cmp.Or[error](f.raw.failure, &Error{sentence})
	}
	if first, _ := f.Peek(len(Mark)); string(first) == Mark {
		f.Marked = true
		_, _ = f.Discard(len(Mark))
	}
	if sentence := f.markup(); sentence != "" {
		return nil, cmp.Or[error](f.raw.failure, &Error{sentence})
	}
	return f, nil
}

// Text is the text of a small file of settings or schemas.
func Text(data []byte, most int) ([]byte, error) {
	file, err := Open(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, int64(most)+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > most:
		return nil, &Error{fmt.Sprintf("the file has more than %d bytes", most)}
	}
	return text, file.Damage()
}

func (f *File) unpack() error {
	from, err := gzip.NewReader(f.Reader)
	switch {
	case f.raw.failure != nil:
		return f.raw.failure
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{"the file begins like gzip and is none: fetch it again"}
	case err != nil:
		return err
	}
	f.packed = &unpacker{raw: f.raw, from: from}
	f.source = &tail{from: f.packed}
	f.Reader = bufio.NewReaderSize(f.source, PeekBytes)
	return nil
}

// unpacker reads through gzip. Compressed data that are cut or damaged end there, so that the rows before can be checked.
type unpacker struct {
	raw     *tail
	from    io.Reader
	damaged string // how they ended instead
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	var corrupt flate.CorruptInputError
	switch {
	case u.raw.failure != nil:
		return n, u.raw.failure
	case errors.Is(err, io.ErrUnexpectedEOF):
		u.damaged = "the compressed data end too early"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		u.damaged = "the compressed data are damaged: " + err.Error()
	default:
		return n, err
	}
	return n, io.EOF
}

// Damage says how compressed data ended before their end; nil: they did not, as far as they were read.
func (f *File) Damage() error {
	if f.packed == nil || f.packed.damaged == "" {
		return nil
	}
	return &Error{f.packed.damaged}
}

// Failure is the error of reading the file, so far: then it is no fault of the file that it ends. nil: there was none.
func (f *File) Failure() error { return f.raw.failure }

// tail knows how a file ends.
type tail struct {
	from    io.Reader
	last    byte
	ended   bool
	failure error
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	if n > 0 {
		t.last = p[n-1]
	}
	if t.ended = err == io.EOF; err != nil && !t.ended {
		t.failure = err
	}
	return n, err
}

// Cut reports whether a file was read to the end, and the last line has no end.
func (f *File) Cut() bool { return f.source.ended && f.source.last != '\n' }

const (
	unpackFirst = ": unpack it first; plain text and gzip are read"
	saveAsText  = ": save it as CSV or JSON"
)

// formats are the first bytes of formats that are not read, at most four, with the sentence about each.
var formats = []struct{ first, sentence string }{
	{"\xff\xfe\x00\x00", "the file is in UTF-32: it must be in UTF-8"}, {"\x00\x00\xfe\xff", "the file is in UTF-32: it must be in UTF-8"},
	{"\xff\xfe", inUTF16}, {"\xfe\xff", inUTF16},
	{"\x1f\x8b", "the file is compressed twice with gzip: unpack it once"},
	{"\x28\xb5\x2f\xfd", "the file is compressed with zstd" + unpackFirst}, {"\xfd7zX", "the file is compressed with xz" + unpackFirst},
	{"BZh", "the file is compressed with bzip2" + unpackFirst},
	{"7z\xbc\xaf", "the file is a 7z archive" + unpackFirst},
	{"PK\x05\x06", "the file is an empty zip archive"},
	{"\xd0\xcf\x11\xe0", "the file is a workbook or document of an old Office" + saveAsText},
	{"%PDF", "the file is a PDF document, and no text" + saveAsText}, {"{\\rt", "the file is an RTF document, and no plain text" + saveAsText},
	{"\x89PNG", isPicture}, {"GIF8", isPicture}, {"\xff\xd8\xff", isPicture},
	{"PAR1", "the file is in Parquet" + saveAsText},
	{"SQLi", "the file is an SQLite database" + saveAsText},
}

const (
	inUTF16   = "the file is in UTF-16: it must be in UTF-8"
	isPicture = "the file is a picture, and no text"
)

// refused names a format that is no text.
func (f *File) refused() string {
	first, _ := f.Peek(4)
	for _, format := range formats {
		if strings.HasPrefix(string(first), format.first) {
			return format.sentence
		}
	}
	switch {
	case string(first) == "PK\x03\x04":
		begin, _ := f.Peek(PeekBytes)
		if bytes.Contains(begin, []byte("xl/")) || bytes.Contains(begin, []byte("opendocument.spreadsheet")) {
			return "the file is a workbook, as Excel writes them" + saveAsText
		}
		return "the file is a zip archive" + unpackFirst
	case len(first) > 1 && (first[0] == 0) != (first[1] == 0):
		return inUTF16 // without a mark
	case len(first) > 1 && first[0] == 0:
		return "the file is binary, and no text"
	}
	return ""
}

var storeCode = regexp.MustCompile(`<Code>([A-Za-z]{1,64})</Code>`)

// markup names pages and XML, which come in the place of exports.
func (f *File) markup() string {
	if f.first() != '<' {
		return ""
	}
	begin, _ := f.Peek(4 << 10)
	begin = bytes.TrimLeft(begin, blanks)
	if code := storeCode.FindSubmatch(begin); code != nil {
		return fmt.Sprintf("the file is an error of a store of files (%s), and no export: its link may have expired; fetch it again", code[1])
	}
	if is := regexp.MustCompile(`(?i)<(!doctype html|html|head|body|script)\b`).Match(begin); is {
		return "the file is an HTML page, as a proxy or a login answers: fetch it again"
	}
	return "the file is XML, and neither CSV nor JSON"
}

const blanks = " \t\r\n"

// first is the first byte that is not blank; 0 for none nearby.
func (f *File) first() byte {
	for n := 1; n <= 4<<10; n++ {
		begin, _ := f.Peek(n)
		if len(begin) < n {
			return 0
		}
		if !strings.ContainsRune(blanks, rune(begin[n-1])) {
			return begin[n-1]
		}
	}
	return 0
}

// Unlike returns the reason why the beginning of a file is not CSV, or JSON; "" if it may be. Members are names that rows may
// have: an object with one of them is no error.
func (f *File) Unlike(csv bool, members func(name string) bool) string {
	switch first := f.first(); {
	case first == '{' || first == '[':
		if first == '{' {
			begin, _ := f.Peek(4 << 10)
			if sentence := Refusal(begin, members); sentence != "" {
				return sentence
			}
		}
		if csv {
			return "the file is JSON: it must be CSV"
		}
	case csv && first != 0:
		return f.unlikeCSV()
	case first >= 'A' && first <= 'z' || first == '"':
		if line, _ := f.FirstLine(); strings.ContainsAny(line, Separators) {
			return "the file is CSV, or other text: it must be JSON"
		}
	}
	return ""
}

// Separators are the usual separators of CSV.
const Separators = ",;\t|"

func (f *File) unlikeCSV() string {
	line, ended := f.FirstLine()
	switch {
	case strings.HasPrefix(line, "sep="):
		return "the file begins with a line for Excel, sep=: it must begin with its header"
	case strings.Contains(strings.TrimRight(line, "\r"), "\r") && !strings.Contains(line, `"`), !ended && strings.HasSuffix(line, "\r"):
		return "the lines end with CR alone: they must end with LF, or with CR LF"
	}
	return ""
}

// FirstLine returns the first line that is not empty, with the CR, and whether it ends with LF.
func (f *File) FirstLine() (line string, ended bool) {
	for n := f.Buffered(); ; n = f.Buffered() + 1 { // a sender that waits is not waited for
		_, err := f.Peek(n)
		begin, _ := f.Peek(f.Buffered())
		line, _, ended = strings.Cut(strings.TrimLeft(string(begin), "\r\n"), "\n")
		if ended || err != nil {
			return line, ended
		}
	}
}

var errorName = regexp.MustCompile(`^[A-Za-z][A-Za-z_]{0,63}$|^[0-9]{1,6}$`)

// Refusal says that a text begins with an error of a service, such as {"error_code": ..., "error_message": ...}; "": it does not.
func Refusal(text []byte, members func(name string) bool) string {
	decoder := jsontext.NewDecoder(bytes.NewReader(bytes.TrimLeft(text, blanks)))
	if decoder.PeekKind() != '{' {
		return ""
	}
	_, _ = decoder.ReadToken()
	name, is := "", false
	for decoder.PeekKind() == '"' {
		token, err := decoder.ReadToken()
		if err != nil {
			return ""
		}
		member := token.String()
		if members(member) {
			return ""
		}
		value, err := decoder.ReadValue()
		if err != nil {
			return ""
		}
		switch member {
		case "errors", "error_message", "message":
			is = true
			continue
		case "error", "error_code":
			is = true
		case "type", "code", "status":
		default:
			continue
		}
		if word := strings.Trim(string(value), `"`); errorName.MatchString(word) && (name == "" || value[0] == '"') {
			name = " (" + word + ")"
		}
	}
	if !is {
		return ""
	}
	return "the file is an error of the service" + name + ", and no export: fetch it again"
}
