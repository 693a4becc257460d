// Package schemas holds the JSON Schema files of the actions and the export API and answers questions about them.
//
// The files in this folder are the only place where a field, a column, an allowed value or an order is written down. This package embeds
// them, compiles them once, and validates payloads and files against them. What JSON Schema cannot say (column order, where a value comes
// from, how long events are kept) stands in the files as keywords that begin with x-; vocabulary.json describes them and [KeywordsOf]
// reads them.
//
//	err := schemas.Validate("legacy/campaign.request.json", value)
//
// A directory of further files, given to [Open], replaces or adds schemas without a line of code.
package schemas

import (
	"embed"
	"sync"
)

//go:embed vocabulary.json actions/*.json common/*.json data/*.json legacy/*.json mock/*.json profiles/*.json
var files embed.FS

var embedded = sync.OnceValues(openEmbedded)

// Embedded returns the library of the embedded files alone. It is compiled at the first call and shared.
func Embedded() (*Library, error) { return embedded() }

// Validate checks a value against an embedded schema; see [Library.Validate].
func Validate(name string, value any) error {
	library, err := Embedded()
	if err != nil {
		return err
	}
	return library.Validate(name, value)
}
