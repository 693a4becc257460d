package check

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/unpack"
	"github.com/rehearsal-sdk/rehearsal/schemas"
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
func kindsOf(exports []schemas.Export, layouts map[string]*member, library *schemas.Library, name string, begin []byte) ([]schemas.Export, error) {
	text := bytes.TrimLeft(bytes.TrimPrefix(begin, []byte(unpack.ByteOrderMark)), " \t\r\n")
	var found []schemas.Export
	if len(text) > 0 && (text[0] == '[' || text[0] == '{') {
		members, empty := unpack.FirstItem(text)
		if empty {
			return nil, nil
		}
		found = fitting(exports, "json", members, layouts)
	} else {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		found = fittingCSV(exports, string(bytes.TrimSuffix(line, []byte("\r"))), string(rest), layouts, library)
	}
	if len(begin) == 0 && slices.ContainsFunc(exports, schemas.Export.Lines) {
		return nil, nil // one object a line, and there is none
	}
	if len(begin) == 0 {
		return nil, &KindError{name, "it is empty: even a file without rows has a header or an empty array"}
	}
	if len(found) == 0 {
		var kinds []string
		for _, export := range exports {
			kinds = append(kinds, export.Kind)
		}
		return nil, &KindError{name, fmt.Sprintf("its beginning fits no export; if it is one, say which with --kind FILE=KIND: %s", strings.Join(kinds, ", "))}
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

// fitting are the exports that know most of the members, at least half of them.
func fitting(exports []schemas.Export, format string, members []string, layouts map[string]*member) (found []schemas.Export) {
	best := 0
	for _, export := range exports {
		if export.Format != format {
			continue
		}
		known := 0
		for _, name := range members {
			outer, inner, nested := strings.Cut(name, "/")
			below := layouts[export.Kind].Members[outer]
			if nested && below != nil {
				below = below.Members[inner]
			}
			if below != nil {
				known++
			}
		}
		switch {
		case 2*known < len(members) || known == 0 || known < best:
		case known > best:
			best, found = known, []schemas.Export{export}
		default:
			found = append(found, export)
		}
	}
	return found
}

// fittingCSV are the exports that know the columns of a header best. Files that differ only in what they
// hold are told apart by the first rows.
func fittingCSV(exports []schemas.Export, header, rest string, layouts map[string]*member, library *schemas.Library) (found []schemas.Export) {
	best := -1 << 30
	for _, export := range exports {
		if export.Format != "csv" {
			continue
		}
		schema := library.Schema(export.Output)
		separator := schemas.KeywordsOf(schema).CSV.Separator
		cells := strings.Split(header, separator)
		score := 0
		for i := range cells {
			cells[i] = strings.Trim(cells[i], `"`)
			if layouts[export.Kind].Members[cells[i]] != nil {
				score += 2
			} else {
				score--
			}
		}
		for _, required := range schema.Required {
			if !slices.Contains(cells, required) {
				score -= 2
			}
		}
		if score <= 0 {
			continue
		}
		if typesFit(layouts[export.Kind], cells, separator, rest) {
			score++
		}
		if score > best {
			best, found = score, nil
		}
		if score < best {
			continue
		}
		found = append(found, export)
	}
	return found
}

// typesFit reports whether the event type of the first row is one of the journey.
func typesFit(layout *member, header []string, separator, rest string) bool {
	first, _, _ := strings.Cut(rest, "\n")
	cells := strings.Split(strings.TrimSuffix(first, "\r"), separator)
	for i, name := range header {
		column := layout.Members[name]
		if column == nil || column.Source != eventType || column.Journey == nil || i >= len(cells) || len(cells) != len(header) {
			continue
		}
		return column.Allowed[strings.Trim(cells[i], `"`)]
	}
	return true
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
