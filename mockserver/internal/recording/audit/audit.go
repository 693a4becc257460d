// Package audit looks for people and secrets in files that are to be shared, such as a recording. It knows forms only: a name alone has
// none. See docs/how-to/record-and-replay.md#read-and-edit
package audit

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
)

// Finding is something in a file that may be of somebody, or open something. Its value is in none of the members.
type Finding struct {
	File string
	Line int
	What string
}

// longestPiece is how much of a line is looked at at once, and overlap how much of it is looked at again with the next piece.
const longestPiece, overlap = 64 << 10, 1 << 10

// Directory calls found with everything of a known form in the files below a directory, gzip or not.
func Directory(ctx context.Context, files fs.FS, found func(Finding)) error {
	return walk(files, func(name string, content *bufio.Reader, text bool, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !text {
			found(Finding{name, 1, "no text, which cannot be looked at"})
			return nil
		}
		return lines(ctx, content, func(line int, text string) {
			for _, what := range find(text, forms) {
				found(Finding{name, line, what})
			}
		})
	})
}

// Holding lists the files below a directory that hold a text, in letters of any size. What cannot be unpacked is not read.
func Holding(files fs.FS, wanted string) (names []string, err error) {
	err = walk(files, func(name string, content *bufio.Reader, _ bool, err error) error {
		if err != nil {
			return nil
		}
		_ = lines(context.Background(), content, func(_ int, text string) { // as far as it goes
			if strings.Contains(strings.ToLower(text), strings.ToLower(wanted)) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		})
		return nil
	})
	return names, err
}

// walk opens the files below a directory.
func walk(files fs.FS, visit func(name string, content *bufio.Reader, text bool, err error) error) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := files.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		content, text, err := open(file)
		return visit(name, content, text, err)
	})
}

// open unpacks a file, and reports whether it is text.
func open(file io.Reader) (content *bufio.Reader, text bool, err error) {
	content = bufio.NewReaderSize(file, longestPiece)
	if begin, _ := content.Peek(2); string(begin) == "\x1f\x8b" {
		unpacked, err := gzip.NewReader(content)
		if err != nil {
			return nil, false, err
		}
		content = bufio.NewReaderSize(unpacked, longestPiece)
	}
	begin, err := content.Peek(longestPiece)
	if err == io.EOF {
		err = nil
	}
	return content, !bytes.ContainsRune(begin, 0), err
}

// lines calls look with the lines of a file, and with long ones in pieces.
func lines(ctx context.Context, reader *bufio.Reader, look func(line int, text string)) error {
	before := ""
	for line := 1; ctx.Err() == nil; {
		piece, err := reader.ReadSlice('\n')
		if text := before + string(piece); len(text) > 0 {
			look(line, text)
		}
		switch {
		case err == nil:
			before = ""
			line++
		case errors.Is(err, bufio.ErrBufferFull):
			before = string(piece[len(piece)-overlap:])
		case err == io.EOF:
			return nil
		default:
			return err
		}
	}
	return ctx.Err()
}

// form is a form of what should not be shared.
type form struct {
	what     string
	is       func(text string) (values []string)
	harmless func(value string) bool
}

// forms are all that are looked for, first the two of people.
var forms = []form{
	{"an e-mail address", matches(`[\pL\d._%+-]+(?:@|%40)(?:[\pL\d-]+\.)+\pL{2,}`, 0), func(value string) bool {
		_, domain, is := strings.Cut(value, "@")
		if !is {
			_, domain, _ = strings.Cut(value, "%40")
		}
		return isReserved(domain)
	}},
	{"a telephone number", matches(`(?:\+|%2B)[1-9](?:[ .-]?\d){7,14}`, 0), func(value string) bool {
		return strings.HasPrefix(strings.NewReplacer("%2B", "+", " ", "").Replace(value), "+999") // which no country has
	}},
	{"a credential", matches(`(?i)\b(?:bearer|basic)\s+([\w.~+/=-]{6,})`, 1), isHidden},
	{"a credential", matches(
		`(?i)\b(?:authorization|cookie)"?\s*[:=]\s*(?:\[\s*)??"?(?:(?:bearer|basic)\s+)?([^"\s,;}<\]]{4,})`, 1), isHidden},
	{"a credential", matches(`\b(?:AKIA|ASIA)[A-Z\d]{16}\b`, 0), isHidden},
	{"a token", matches(`\beyJ[\w-]{8,}\.[\w-]{8,}`, 0), isHidden},
	{"a secret by its name", matches(
		`(?i)(?:sig|signature|token|secret|password|api[_-]?key|session[_-]?id)"?\s*[:=]\s*"?([^"&\s,;}<]{4,})`, 1), isHidden},
	{"a secret by its name", matches(`(?i)(?:[?&"]|\\u0026)key=([^"&\s,;}<]{4,})`, 1), isHidden},
	{"a private key", matches(`-----BEGIN [A-Z ]*PRIVATE KEY`, 0), isHidden},
}

// IsOfPeople reports whether a text holds an e-mail address or a telephone number.
func IsOfPeople(text string) bool { return len(find(text, forms[:2])) > 0 }

// matches returns a function that finds the values of a group of an expression.
func matches(expression string, group int) func(text string) []string {
	compiled := pattern.Of(expression)
	return func(text string) (values []string) {
		for _, found := range compiled().FindAllStringSubmatch(text, -1) {
			values = append(values, found[group])
		}
		return values
	}
}

// find returns the names of forms that a text has.
func find(text string, forms []form) (what []string) {
	for _, form := range forms {
		for _, value := range form.is(text) {
			if !form.harmless(value) {
				what = append(what, form.what)
				break
			}
		}
	}
	return what
}

// isHidden reports whether a value stands for a secret that is not there.
func isHidden(value string) bool {
	return strings.HasPrefix(value, "{{") || strings.HasPrefix(value, "[redacted") || value == "null" || value == "true" || value == "false"
}

// isReserved reports whether a domain belongs to nobody (RFC 2606).
func isReserved(domain string) bool {
	for _, name := range []string{"example", "test", "invalid", "localhost", "example.com", "example.net", "example.org"} {
		if domain = strings.ToLower(domain); domain == name || strings.HasSuffix(domain, "."+name) {
			return true
		}
	}
	return false
}
