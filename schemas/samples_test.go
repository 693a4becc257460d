package schemas_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// sample is one file under testdata. The other validators of conformance/ read the same files.
type sample struct {
	file, schema string
	About        string
	Value        any
	Problem      struct{ Pointer, Keyword string }
}

// samples reads testdata/valid or testdata/invalid, and adds those of arguments.
func samples(t testing.TB, kind string) []sample {
	t.Helper()
	var all []sample
	root := os.DirFS("testdata/" + kind)
	must(t, fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		decoded, err := schemas.Decode(data)
		if err != nil {
			return err
		}
		s := sample{file: name, schema: path.Dir(name) + ".json"}
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		s.Value = decoded.(map[string]any)["value"]
		all = append(all, s)
		return nil
	}))
	return append(all, argumentSamples(t, kind)...)
}

// argumentSamples are those that the schema of a built-in's arguments gives by itself: its examples, and null, which is no object.
// TestCoreAndSchemasAgreeOnArguments tries the rest.
func argumentSamples(t testing.TB, kind string) (all []sample) {
	t.Helper()
	for _, builtin := range actions.Builtins() {
		schema, examples, _ := argumentsOf(t, library(t), builtin.Identifier)
		if kind == "invalid" {
			s := sample{file: schema, schema: schema, About: "null"}
			s.Problem.Keyword = "type"
			all = append(all, s)
			continue
		}
		for _, example := range examples {
			value := need(schemas.Decode(example))(t)
			all = append(all, sample{file: schema, schema: schema, About: "an example", Value: value})
		}
	}
	return all
}

func library(t testing.TB) *schemas.Library {
	t.Helper()
	l := need(schemas.Embedded())(t)
	return l
}

func TestValidSamples(t *testing.T) {
	l := library(t)
	for _, s := range samples(t, "valid") {
		if err := l.Validate(s.schema, s.Value); err != nil {
			t.Errorf("%s (%s): %v", s.file, s.About, err)
		}
	}
}

// Every invalid sample has one fault, and only that one is reported.
func TestInvalidSamples(t *testing.T) {
	l := library(t)
	for _, s := range samples(t, "invalid") {
		err := l.Validate(s.schema, s.Value)
		var invalid *schemas.InvalidError
		if !errors.As(err, &invalid) {
			t.Errorf("%s (%s): got %v, want a fault at %q by %s", s.file, s.About, err, s.Problem.Pointer, s.Problem.Keyword)
			continue
		}
		hold(t, invalid.Schema == s.schema, "%s: the error names the schema %s", s.file, invalid.Schema)
		if len(invalid.Problems) != 1 || invalid.Problems[0].Pointer != s.Problem.Pointer || invalid.Problems[0].Keyword != s.Problem.Keyword {
			t.Errorf("%s (%s): got %+v, want one fault at %q by %s", s.file, s.About, invalid.Problems, s.Problem.Pointer, s.Problem.Keyword)
		}
	}
}

// A message names the member that is wrong, in small letters, and ends without a full stop.
func TestMessages(t *testing.T) {
	l := library(t)
	for _, s := range samples(t, "invalid") {
		var invalid *schemas.InvalidError
		if !errors.As(l.Validate(s.schema, s.Value), &invalid) {
			continue
		}
		for _, problem := range invalid.Problems {
			member := problem.Pointer[strings.LastIndexByte(problem.Pointer, '/')+1:]
			if !strings.Contains(problem.Message, member) || strings.HasSuffix(problem.Message, ".") || strings.Contains(problem.Message, " ^") {
				t.Errorf("%s: the message %q", s.file, problem.Message)
			}
		}
	}
}

// Every schema that describes a payload or a file has samples of both kinds.
func TestEverySchemaHasSamples(t *testing.T) {
	l := library(t)
	for _, kind := range []string{"valid", "invalid"} {
		covered := map[string]bool{}
		for _, s := range samples(t, kind) {
			covered[s.schema] = true
		}
		for _, name := range l.Names() {
			hold(t, len(l.Schema(name).Types) <= 0 || covered[name], "%s has no %s sample", name, kind)
			delete(covered, name)
		}
		for name := range covered {
			t.Errorf("there are %s samples for %s, which does not exist", kind, name)
		}
	}
}

// The validator walks maps: what it reports first varies. What we report must not.
func TestProblemsAreStable(t *testing.T) {
	l := library(t)
	broken := map[string]any{
		"event": []any{"push_sent"}, "from": "yesterday", "ids": []any{"a", "b", 1}, "more": nil, "zero": 0,
	}
	var invalid *schemas.InvalidError
	if !errors.As(l.Validate("legacy/campaign.request", broken), &invalid) {
		t.Fatal("a broken request is accepted")
	}
	first := invalid.Problems
	if len(first) != 9 || !slices.IsSortedFunc(first, func(a, b schemas.Problem) int { return strings.Compare(a.Pointer, b.Pointer) }) {
		t.Fatalf("got %d problems: %+v", len(first), first)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				var again *schemas.InvalidError
				errors.As(l.Validate("legacy/campaign.request", broken), &again)
				if !reflect.DeepEqual(again.Problems, first) {
					t.Errorf("got %+v, before it was %+v", again.Problems, first)
					return
				}
			}
		})
	}
	group.Wait()
}

// Values need not come out of Decode.
func TestValidateTakesOtherValues(t *testing.T) {
	row := map[string]string{"event_type": "push_sent"}
	if err := schemas.Validate("campaign.ids", row); err != nil {
		t.Errorf("a map of strings: %v", err)
	}
	if err := schemas.Validate("profiles/created.response", struct {
		ID string `json:"id"`
	}{"export_1"}); err != nil {
		t.Errorf("a struct: %v", err)
	}
	if err := schemas.Validate("profiles/export.file", map[string]any{"size": json.Number("1e999999999")}); err == nil {
		t.Error("a number beyond all limits is accepted")
	}
	if err := schemas.Validate("userbase", func() {}); err == nil {
		t.Error("a function is accepted")
	}
}
