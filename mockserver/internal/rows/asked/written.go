package asked

import (
	_ "embed"
	"encoding/json"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// The journeys of the embedded schemas are written down: every file needs those of others, whose schemas take
// milliseconds to compile. A test writes them.

//go:embed journeys.json
var written []byte

// writtenJourney is what is written down of an export. It is good while its schemas have the digest.
type writtenJourney struct {
	Digest string       `json:"digest"`
	Steps  []world.Step `json:"steps"`
}

// JourneyOf is the life of the messages that an export tells of; nil: it tells of none. Callers must not change it.
func JourneyOf(library *schemas.Library, export schemas.Export) []world.Step {
	type key struct{}
	journeys := schemas.Derived(library, key{}, func() (known map[string]writtenJourney) {
		if err := json.Unmarshal(written, &known); err != nil {
			return nil
		}
		return known
	})
	if known, is := journeys[export.Kind]; is && known.Digest == export.Digest {
		return known.Steps
	}
	return compiledJourney(library, export)
}

// compiledJourney reads the journey out of the schema.
func compiledJourney(library *schemas.Library, export schemas.Export) []world.Step {
	root := []*jsonschema.Schema{library.Schema(export.Output)}
	if export.Format != "csv" {
		root = merged.Of(root, nil).Items()
	}
	return Journey(merged.Of(root, nil), library)
}
