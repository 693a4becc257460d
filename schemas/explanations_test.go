package schemas_test

//go:generate go test -run ^TestExplanations$ . -update

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

var update = flag.Bool("update", false, "write testdata/explanations.json anew")

// explanation is a value that a schema refuses, and why, in our words.
// The value of a sample stands in its file.
type explanation struct {
	Schema   string            `json:"schema"`
	Sample   string            `json:"sample,omitempty"`
	Value    any               `json:"value,omitempty"`
	Problems []schemas.Problem `json:"problems"`
}

// TestExplanations writes down what this package says of the invalid samples, of values that are hard to word, and of
// valid samples in which one thing is changed. Of the changes it keeps those after which something new is demanded.
func TestExplanations(t *testing.T) {
	l := library(t)
	var all []explanation
	said := map[string]bool{}
	add := func(schema, sample string, value any, always bool) {
		err := l.Validate(schema, value)
		var invalid *schemas.InvalidError
		if err != nil && !errors.As(err, &invalid) {
			t.Fatalf("%s: %v", schema, err)
		}
		explained, isNew := explanation{schema, sample, value, []schemas.Problem{}}, always
		if sample != "" {
			explained.Value = nil
		}
		if invalid != nil {
			explained.Problems = invalid.Problems
		}
		for _, problem := range explained.Problems {
			_, wanted, _ := strings.Cut(problem.Message, " ") // whatever the field
			wanted, _, _ = strings.Cut(wanted, "; found ")
			isNew, said[wanted] = isNew || !said[wanted], true
		}
		if isNew {
			all = append(all, explained)
		}
	}
	for _, s := range samples(t, "invalid") {
		file := s.file
		if s.file == s.schema {
			file = "" // made up from the schema
		}
		add(s.schema, file, s.Value, true)
	}
	for _, s := range puzzles(t) {
		add(s.Schema, "", s.Value, true)
	}
	for _, s := range samples(t, "valid") {
		if s.schema != "vocabulary.json" {
			for _, changed := range changes(s.Value) {
				add(s.schema, "", changed, os.Getenv("TEST_EXPLANATIONS") != "")
			}
		}
	}

	text := encodeLines(t, all)
	const file = "testdata/explanations.json"
	if target := os.Getenv("TEST_EXPLANATIONS"); target != "" {
		if err := os.WriteFile(target, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if *update {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if written, err := os.ReadFile(file); err != nil || !bytes.Equal(written, text) {
		t.Errorf("%s is not what this package says (%v): run make generate", file, err)
	}
}

// puzzles are values whose wording is hard: letters beyond ASCII, long texts, numbers, order.
func puzzles(t *testing.T) (all []explanation) {
	t.Helper()
	text, err := os.ReadFile("testdata/puzzles.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := schemas.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range value.([]any) {
		puzzle := entry.(map[string]any)
		all = append(all, explanation{Schema: puzzle["schema"].(string), Value: puzzle["value"]})
	}
	return all
}

// changes are copies of a value that differ from it in one place each: something is left out, added, or another thing.
func changes(value any) (all []any) {
	all = append(all, nil, "pus_sent", json.Number("42"), true, map[string]any{}, []any{})
	switch v := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		for _, name := range names {
			without := maps.Clone(v)
			delete(without, name)
			all = append(all, without)
			renamed := maps.Clone(without)
			renamed[name[:len(name)-1]+"_"] = v[name]
			all = append(all, renamed)
			for _, changed := range changes(v[name]) {
				copied := maps.Clone(v)
				copied[name] = changed
				all = append(all, copied)
			}
		}
	case []any:
		if len(v) == 0 {
			break
		}
		all = append(all, append(slices.Clone(v), v[0]))
		for i := range min(len(v), 3) {
			for _, changed := range changes(v[i]) {
				copied := slices.Clone(v)
				copied[i] = changed
				all = append(all, copied)
			}
		}
	case string:
		if len(v) > 1 {
			all = append(all, v[1:], v+"x", strings.Repeat(v, 300/len(v)+1))
		}
	case json.Number:
		all = append(all, json.Number("-1"), json.Number("0.5"), json.Number("1000000000000"))
	}
	return all
}

// encodeLines writes an array with one element a line.
func encodeLines(t *testing.T, all []explanation) []byte {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	for i, each := range all {
		text.WriteString(map[bool]string{true: "[", false: ","}[i == 0])
		if err := encoder.Encode(each); err != nil {
			t.Fatal(err)
		}
	}
	text.WriteString("]\n")
	return text.Bytes()
}
