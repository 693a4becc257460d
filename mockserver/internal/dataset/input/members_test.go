package input_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// TestRowsKnowTheirSchemas holds the members that are read against those that
// the schemas allow: a new one in a schema must not be lost without a word.
func TestRowsKnowTheirSchemas(t *testing.T) {
	library := library(t)
	for kind, row := range map[input.Kind]any{input.Profiles: input.Profile{}, input.Installations: input.Installation{}, input.Events: input.Event{}} {
		known := library.PropertyOrder(library.Schema(kind.Schema()))
		var read []string
		for i := range reflect.TypeOf(row).NumField() {
			if tag := reflect.TypeOf(row).Field(i).Tag.Get("json"); tag != "" {
				read = append(read, tag)
			}
		}
		for _, name := range read {
			if !slices.Contains(known, name) {
				t.Errorf("%s have a member %s that their schema does not allow", kind, name)
			}
		}
		for _, name := range known {
			if !slices.Contains(read, name) {
				t.Errorf("%s lose the member %s of their schema", kind, name)
			}
		}
	}
}

// TestRowsAreReadFast checks that rows in order need not go through the
// validator, which takes twenty times as long.
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
	for flag := range input.Flags {
		for _, name := range flag.Reasons() {
			if name != "" {
				known = append(known, name)
			}
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
