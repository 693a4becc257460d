package acceptor_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// suiteGroup is a schema of the public test suite with its cases.
type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// TestPublicSuite runs the cases of the public JSON Schema test suite, draft 2020-12. What the acceptor takes must be valid, for
// every schema; and for every keyword that it claims to know, it must take what is valid, unless the document has something that
// the parser leaves to the validator.
func TestPublicSuite(t *testing.T) {
	directory := suiteDirectory(t)
	files, err := filepath.Glob(filepath.Join(directory, "draft2020-12", "*.json"))
	if err != nil || len(files) < 30 {
		t.Fatalf("the suite has %d files: %v", len(files), err)
	}
	// Files that are named after a keyword which the acceptor takes.
	taken := map[string]bool{}
	for _, name := range []string{
		"additionalProperties", "allOf", "anyOf", "boolean_schema", "const", "enum", "exclusiveMaximum", "if-then-else", "items",
		"maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "not", "oneOf", "pattern",
		"patternProperties", "properties", "ref", "required", "type",
	} {
		taken[name+".json"] = false
	}
	var cases, accepted, left, unknown int
	for _, file := range files {
		name := filepath.Base(file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []suiteGroup
		if err := json.Unmarshal(text, &groups); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, group := range groups {
			schema := suiteSchema(t, directory, group)
			checker, err := acceptor.Compile(schema)
			for _, test := range group.Tests {
				where := name + ": " + group.Description + ": " + test.Description
				cases++
				took := accepts(t, checker, string(test.Data))
				switch {
				case took && !test.Valid:
					t.Errorf("%s: accepted, and the suite says it is not valid: %s", where, test.Data)
				case took && err != nil:
					t.Errorf("%s: accepted, though the schema is not known: %v", where, err)
				case took:
					accepted++
					if _, named := taken[name]; named {
						taken[name] = true
					}
				case err != nil:
					unknown++
				case test.Valid && plain(test.Data):
					t.Errorf("%s: valid and not accepted: %s", where, test.Data)
				case test.Valid:
					left++
				}
				if says := judge(schema, test.Data); says != test.Valid && err == nil {
					t.Errorf("%s: the validator says %v, the suite says %v: %s", where, says, test.Valid, test.Data)
				}
			}
		}
	}
	for name, was := range taken {
		if !was {
			t.Errorf("%s: no case was accepted", name)
		}
	}
	t.Logf("%d cases: %d accepted, %d valid ones left to the validator for what is in the document and %d for a keyword", cases, accepted, left, unknown)
}

// suiteDirectory is where the suite lies in the module cache; it is fetched when it is not there.
func suiteDirectory(t *testing.T) string {
	t.Helper()
	fetch := exec.Command("go", "mod", "download", "-json", "github.com/google/jsonschema-go")
	fetch.Dir = filepath.Join("..", "conformance", "suite")
	fetch.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := fetch.Output()
	var module struct{ Dir, Error string }
	if err == nil {
		err = json.Unmarshal(out, &module)
	}
	if err != nil {
		reason := "the public JSON Schema test suite could not be had: go mod download: " + err.Error() + ": " + string(out)
		if os.Getenv("REQUIRE_ALL") != "" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	return filepath.Join(module.Dir, "jsonschema", "testdata")
}

// suiteSchema compiles a schema of the suite. Schemas that it names by address lie beside it.
func suiteSchema(t *testing.T, directory string, group suiteGroup) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.LoadURL = func(address string) (io.ReadCloser, error) {
		return os.Open(filepath.Join(directory, "remotes", strings.TrimPrefix(address, "http://localhost:1234/")))
	}
	if err := compiler.AddResource("memory:schema", bytes.NewReader(group.Schema)); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("memory:schema")
	if err != nil {
		t.Fatalf("%s: %v", group.Description, err)
	}
	return schema
}

// judge is what the validator says.
func judge(schema *jsonschema.Schema, text []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	return decoder.Decode(&value) == nil && schema.Validate(value) == nil
}

// plain tells whether a document has only what the parser of the acceptor reads itself: no number with a fraction, an exponent or
// more than fifteen digits, and no escape in a text.
func plain(text []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if err != nil {
			return err == io.EOF && !bytes.Contains(text, []byte(`\`))
		}
		if number, is := token.(json.Number); is && (strings.ContainsAny(number.String(), ".eE") || len(number) > 15 || number == "-0") {
			return false
		}
	}
}
