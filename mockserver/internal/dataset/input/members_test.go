package input_test

import (
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// TestRowsKnowTheirSchemas holds the members that are read against those that
// the schemas allow: a new one in a schema must not be lost without a word.
func TestRowsKnowTheirSchemas(t *testing.T) {
	library := library(t)
	for _, kind := range input.Kinds() {
		for _, name := range library.PropertyOrder(library.Schema(kind.Schema())) {
			if !kind.Known(name) {
				t.Errorf("%s lose the member %s of their schema", kind, name)
			}
		}
	}
}

// TestRowsAreReadFast checks that rows in order need not go through the validator, which takes twenty times as long.
func TestRowsAreReadFast(t *testing.T) {
	library := library(t)
	for _, kind := range input.Kinds() {
		if _, err := acceptor.Compile(library.Schema(kind.Schema())); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// TestReasonsAreThoseOfTheSchema holds the names of changes against the schema.
func TestReasonsAreThoseOfTheSchema(t *testing.T) {
	library := library(t)
	var known, allowed []string
	for _, names := range world.Reasons()[1:] {
		if _, _, is := world.ReasonFlag(names[0]); is && len(names) == 1 {
			known = append(known, names[0])
		}
	}
	for _, name := range library.Schema(input.Events.Schema()).Properties["reasons"].Items2020.Enum {
		allowed = append(allowed, name.(string))
	}
	slices.Sort(known)
	slices.Sort(allowed)
	if !slices.Equal(known, allowed) {
		t.Errorf("known are %q, the schema allows %q", known, allowed)
	}
}
