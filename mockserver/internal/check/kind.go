package check

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// KindError says that the kind of a file cannot be detected, or is not one that what is said of the file fits.
type KindError struct {
	// File is the name of the file.
	File string
	// Message says why, and what to do.
	Message string
}

// Error gives the file and the reason.
func (e *KindError) Error() string { return e.File + ": " + e.Message }

// kindsOf returns the exports that a file may be of, the likeliest first; none for an empty JSON array.
func kindsOf(exports []schemas.Export, layouts map[string]*member, library *schemas.Library, name string, begin []byte) ([]schemas.Export,
	error) {
	text := bytes.TrimLeft(begin, " \t\r\n")
	if len(text) == 0 && slices.ContainsFunc(exports, schemas.Export.Lines) {
		return nil, nil // one object a line, and there is none
	}
	if len(text) == 0 {
		return nil, &KindError{name, "it is empty: even a file without rows has a header or an empty array"}
	}
	var found []schemas.Export
	if len(text) > 0 && (text[0] == '[' || text[0] == '{') {
		members, empty := firstItem(text)
		if empty {
			return nil, nil
		}
		found = itemsFit(exports, members, layouts)
	} else {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		found = tableFits(exports, string(bytes.TrimSuffix(line, []byte("\r"))), string(rest), layouts, library)
	}
	if len(found) == 0 {
		if file, err := filetype.Open(bytes.NewReader(text)); err == nil {
			if unlike := file.Unlike(text[0] != '[' && text[0] != '{', func(string) bool { return false }); unlike != "" {
				return nil, &KindError{name, unlike}
			}
		}
		var kinds []string
		for _, export := range exports {
			kinds = append(kinds, export.Kind)
		}
		return nil, &KindError{name, fmt.Sprintf("its beginning fits no export; if it is one, say which with --kind FILE=KIND: %s",
			strings.Join(kinds, ", "))}
	}
	// Where the content fits several, the name may decide.
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	slices.SortStableFunc(found, func(a, b schemas.Export) int { return nameMatch(base, b.Kind) - nameMatch(base, a.Kind) })
	return found, nil
}

// nameMatch is how much of a kind a file name holds: the longer kind wins, as in-app-campaign over campaign.
func nameMatch(base, kind string) int {
	if strings.Contains(base, kind) {
		return len(kind)
	}
	return 0
}

// ExportOf is the export that a file is of, by the kind that was said, or by its beginning and its name; not known: it is
// an empty array, which several may have. The error of a kind that cannot be told is a [*KindError].
func ExportOf(library *schemas.Library, name, kind string, begin []byte) (export schemas.Export, known bool, err error) {
	k := kindsIn(library)
	found, err := k.candidates(library, name, kind, func() ([]byte, error) { return begin, nil })
	if err != nil || len(found) == 0 {
		return export, false, err
	}
	return found[0], true, nil
}

// candidates are the exports that a file may be of, the likeliest first; none for an empty JSON array.
func (k *kinds) candidates(library *schemas.Library, name, kind string, peek func() ([]byte, error)) ([]schemas.Export, error) {
	if kind == "" {
		begin, err := peek()
		if err != nil {
			return nil, err
		}
		return kindsOf(k.exports, k.layouts, library, name, begin)
	}
	at := slices.IndexFunc(k.exports, func(export schemas.Export) bool { return export.Kind == kind })
	if at < 0 {
		return nil, &KindError{name, k.noExport(kind)}
	}
	return k.exports[at : at+1], nil
}
