// Package fit finds the exports that a file may be of, by the names and the words at its beginning.
package fit

import (
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/layout"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Items are the exports in JSON that know most of the members, at least half of them.
func Items[S comparable](exports []schemas.Export, members []string, layouts map[string]*layout.Member[S]) (found []schemas.Export) {
	best := 0
	for _, export := range exports {
		if export.Format != "json" {
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

// Table are the exports that know the columns of a header best. Files that differ only in what they
// hold are told apart by the first rows.
func Table[S comparable](exports []schemas.Export, header, rest string, layouts map[string]*layout.Member[S], library *schemas.Library) (found []schemas.Export) {
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
func typesFit[S comparable](row *layout.Member[S], header []string, separator, rest string) bool {
	first, _, _ := strings.Cut(rest, "\n")
	cells := strings.Split(strings.TrimSuffix(first, "\r"), separator)
	for i, name := range header {
		column := row.Members[name]
		if column == nil || column.Journey == nil || i >= len(cells) || len(cells) != len(header) {
			continue
		}
		return column.Allowed[strings.Trim(cells[i], `"`)]
	}
	return true
}
