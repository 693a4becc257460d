package acceptor_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
	"github.com/rehearsal-sdk/rehearsal/schemas/formats"
)

// FuzzSchema looks for a schema and a document about which the acceptor and the validator differ, in both directions: what is
// taken is valid, and what is valid and plain is taken.
func FuzzSchema(f *testing.F) {
	for _, c := range keywordCases {
		for _, text := range append(append([]string{}, c.accepted...), c.refused...) {
			f.Add(c.schema, text)
		}
	}
	for _, document := range []string{`{"a":[1,{"b":null}],"ü":"é"}`, `[[[]]]`, `-9007199254740993`, "\"\\ud800\"", `1e400`, `{"a":1,"\u0061":2}`} {
		f.Add(`{"type":["object","array","number","string"],"maxProperties":1,"additionalProperties":{"maxItems":3}}`, document)
	}
	f.Fuzz(func(t *testing.T, text, document string) {
		if len(text) > 1000 || len(document) > 10000 {
			return
		}
		compiler := jsonschema.NewCompiler()
		compiler.Draft = jsonschema.Draft2020
		compiler.AssertFormat, compiler.Formats = true, formats.Checks()
		compiler.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("nothing is fetched") }
		if err := compiler.AddResource("memory:schema", strings.NewReader(text)); err != nil {
			return
		}
		schema, err := compiler.Compile("memory:schema")
		if err != nil {
			return
		}
		checker, unknown := acceptor.Compile(schema)
		took := accepts(t, checker, document)
		value, err := schemas.Decode([]byte(document))
		valid := err == nil && schema.Validate(value) == nil
		if took && (!valid || unknown != nil) {
			t.Errorf("schema %s: the acceptor takes %s, decoding says %v, the validator says %v", text, document, err, valid)
		}
		if !took && valid && unknown == nil && plain([]byte(document)) {
			t.Errorf("schema %s: the acceptor does not take %s, which is valid", text, document)
		}
	})
}
