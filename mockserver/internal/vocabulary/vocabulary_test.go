package vocabulary_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"testing"
)

// The words of Go are those of the schema, no more and no less.
func TestWordsAreThoseOfTheSchema(t *testing.T) {
	text, err := os.ReadFile("../../../schemas/vocabulary.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct {
			Source struct{ Enum []string } `json:"x-source"`
			Export struct {
				Properties struct{ View struct{ Enum []string } }
			} `json:"x-export"`
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "vocabulary.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, is := node.(*ast.BasicLit); is {
			word, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			words = append(words, word)
		}
		return true
	})
	wanted := slices.Concat(schema.Properties.Source.Enum, schema.Properties.Export.Properties.View.Enum)
	slices.Sort(words)
	slices.Sort(wanted)
	if len(wanted) < 60 || !slices.Equal(words, wanted) {
		t.Errorf("words in Go:\n%q\nin the schema:\n%q", words, wanted)
	}
}
