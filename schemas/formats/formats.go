// Package formats has the formats of texts that mean the same in every language: by patterns, in a file that all packages of the schemas
// ship.
package formats

import (
	_ "embed"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Table is the text of formats.json. The caller must not change it.
//
//go:embed formats.json
var Table []byte

var patterns = sync.OnceValue(func() map[string][]*regexp.Regexp {
	var table map[string]struct{ Patterns []string }
	if err := json.Unmarshal(Table, &table); err != nil {
		panic(err) // the file is part of the program
	}
	all := map[string][]*regexp.Regexp{}
	for name, format := range table {
		for _, pattern := range format.Patterns {
			all[name] = append(all[name], regexp.MustCompile("^(?:"+pattern+")$"))
		}
	}
	return all
})

// Patterns are what a text of a format has to match, all of them; nil for formats that the table does not have.
func Patterns(name string) []*regexp.Regexp { return patterns()[name] }

// Checks are the formats of the table, for the validator.
func Checks() map[string]func(any) bool {
	checks := map[string]func(any) bool{}
	for name, patterns := range patterns() {
		checks[name] = func(value any) bool {
			text, is := value.(string)
			return !is || !slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return !p.MatchString(text) })
		}
	}
	return checks
}

// Names are those of all formats that schema files may use: of the table, and those that the validator brings.
func Names() []string {
	names := maps.Clone(jsonschema.Formats)
	maps.Copy(names, Checks())
	return slices.Sorted(maps.Keys(names))
}
