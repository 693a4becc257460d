package schemas_test

//go:generate go test -run ^TestExplanations$ . -update

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

var update = flag.Bool("update", false, "write testdata/explanations.txt anew")

// rare is a schema with the keywords that no schema file has.
const rare = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://rehearsal.example/schemas/mock/rare.json",
  "title": "Rare", "description": "Keywords that no schema file has.", "type": "object", "properties": {
    "above": {"type": "number", "exclusiveMinimum": 1}, "below": {"type": "number", "exclusiveMaximum": 1},
    "code": {"type": "string", "minLength": 2}, "even": {"type": "integer", "multipleOf": 2},
    "few": {"type": "object", "maxProperties": 1}, "holding": {"type": "array", "contains": {"type": "null"}},
    "one": {"oneOf": [{"type": "integer"}, {"type": "number"}]}, "span": {"type": "string", "format": "duration"}
  }}`

// TestExplanations compares what is said of the invalid samples, and of values that are hard to word, with testdata/explanations.txt.
func TestExplanations(t *testing.T) {
	l := need(schemas.Open(fstest.MapFS{"mock/rare.json": {Data: []byte(rare)}}))(t)
	var text strings.Builder
	explain := func(name, schema string, value any) {
		var invalid *schemas.InvalidError
		if err := l.Validate(schema, value); !errors.As(err, &invalid) {
			t.Fatalf("%s: got %v", name, err)
		}
		fmt.Fprintln(&text, name)
		for _, problem := range invalid.Problems {
			fmt.Fprintf(&text, "  %q %s: %s\n", problem.Pointer, problem.Keyword, problem.Message)
		}
	}
	for _, s := range samples(t, "invalid") {
		explain(s.file, s.schema, s.Value)
	}
	for _, p := range puzzles(t) {
		value := need(json.Marshal(p["value"]))(t)
		schema := p["schema"].(string)
		explain(schema+" "+string(value), schema, p["value"])
	}

	const file = "testdata/explanations.txt"
	if *update {
		must(t, os.WriteFile(file, []byte(text.String()), 0o644))
	}
	kept := need(os.ReadFile(file))(t)
	want := strings.Split(string(kept), "\n")
	for i, line := range strings.Split(text.String(), "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("%s: line %d is not %s: run make generate if that is meant", file, i+1, line)
		}
	}
	if text.Len() != len(kept) {
		t.Fatalf("%s says more than this package: run make generate if that is meant", file)
	}
}

// puzzles are values whose wording is hard: letters beyond ASCII, long texts, numbers, order, rare keywords.
func puzzles(t *testing.T) (all []map[string]any) {
	t.Helper()
	text := need(os.ReadFile("testdata/puzzles.json"))(t)
	value := need(schemas.Decode(text))(t)
	for _, entry := range value.([]any) {
		all = append(all, entry.(map[string]any))
	}
	return all
}
