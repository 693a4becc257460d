package importer

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// separators are what CSV is written with somewhere: a file with another one than its schema says has a header, too.
const separators = ",;\t|"

// checkHeader finds out whether CSV begins with the names of columns. What begins with something else may begin with what
// a row says of people, so nothing of it is shown.
func checkHeader(library *schemas.Library, export schemas.Export, at *layout, begin []byte) error {
	line, _, _ := bytes.Cut(bytes.TrimLeft(begin, "\r\n"), []byte("\n"))
	line = bytes.TrimSpace(line)
	if len(line) == 0 || !utf8.Valid(line) {
		return nil // which is said when it is read
	}
	cells := strings.FieldsFunc(string(line), func(char rune) bool { return strings.ContainsRune(separators, char) })
	for _, cell := range cells {
		if at.members[strings.Trim(cell, ` "`)] != nil {
			return nil
		}
	}
	schema := library.Schema(export.Output)
	return fmt.Errorf("the first line is no header: nothing in it is the name of a column of %s; a file of that kind begins with some of %s",
		export.Kind, strings.Join(library.Columns(schema), schemas.KeywordsOf(schema).CSV.Separator))
}
