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

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// The words of Go are those of the schema, no more and no less.
func TestWordsAreThoseOfTheSchema(t *testing.T) {
	text := must.Get(os.ReadFile("../../../schemas/vocabulary.json"))(t)
	var schema struct {
		Properties struct {
			Source struct{ Enum []string } `json:"x-source"`
			Export struct {
				Properties struct{ View struct{ Enum []string } }
			} `json:"x-export"`
		}
	}
	must.Do(t, json.Unmarshal(text, &schema))
	file := must.Get(parser.ParseFile(token.NewFileSet(), "vocabulary.go", nil, parser.SkipObjectResolution))(t)
	var words []string
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, is := node.(*ast.BasicLit); is {
			word := must.Get(strconv.Unquote(literal.Value))(t)
			words = append(words, word)
		}
		return true
	})
	wanted := slices.Concat(schema.Properties.Source.Enum, schema.Properties.Export.Properties.View.Enum)
	slices.Sort(words)
	slices.Sort(wanted)
	must.Hold(t, len(wanted) >= 60 && slices.Equal(words, wanted), "words in Go:\n%q\nin the schema:\n%q", words, wanted)
}
