package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestOtherServersAreGivenTheSameRules: the schema that they get takes the payload of the measurement and refuses others, as ours
// does, and has nothing in it that only our validators know.
func TestOtherServersAreGivenTheSameRules(t *testing.T) {
	directory := t.TempDir()
	document := must.Get(exec.CommandContext(t.Context(), "go", "run", "../cmd/mockserver", "openapi", "full").Output())(t)
	must.Do(t, writeMocks(document, directory))
	read := func(name string) (value map[string]any) {
		text := must.Get(os.ReadFile(filepath.Join(directory, name)))(t)
		must.Do(t, json.Unmarshal(text, &value))
		return value
	}
	prism := read(prismFile)
	if paths, _ := at(prism, "paths"); len(paths.(map[string]any)) != 2 {
		t.Errorf("the document has %d paths, want 2", len(paths.(map[string]any)))
	}
	text := must.Get(json.Marshal(prism))(t)
	for piece := range strings.SplitSeq(string(text), `"$ref":"`) {
		if reference, _, _ := strings.Cut(piece, `"`); strings.HasPrefix(reference, "#/") {
			if _, there := referred(prism, reference); !there {
				t.Errorf("%s is not in the reduced document", reference)
			}
		}
	}
	var schema any
	mapping, _ := at(read(wireMockFolder+"/mappings/create.json"), "request", "bodyPatterns")
	schema = mapping.([]any)[0].(map[string]any)["matchesJsonSchema"]
	inline := must.Get(json.Marshal(schema))(t)
	buckets := read(mockoonFile)["data"].([]any)
	must.Equal[any](t, buckets[0].(map[string]any)["value"], string(inline), "the value of Mockoon, against WireMock")
	if strings.Contains(string(inline), `"x-`) || strings.Contains(string(inline), `"$`) {
		t.Errorf("the schema has keywords of our own: %s", inline)
	}
	for _, name := range keywordsOf(schema) {
		must.Hold(t, draft7[name], "the schema has the keyword %s, for which the validator of Mockoon refuses everything", name)
	}
	compiled := must.Get(jsonschema.CompileString("memory:payload", string(inline)))(t)
	for text, want := range map[string]bool{
		creation: true,
		strings.Replace(creation, "push_sent", "email_sent", 1): false, strings.Replace(creation, `"now"`, `"later"`, 1): false,
		strings.Replace(creation, `"ids"`, `"idz"`, 1): false, `{}`: false,
	} {
		var value any
		must.Do(t, json.Unmarshal([]byte(text), &value))
		must.Equal(t, compiled.Validate(value) == nil, want, "%s is valid", text)
	}
}

// draft7 are keywords of the draft 7 of JSON Schema, beyond which a strict validator of that draft takes nothing.
var draft7 = map[string]bool{
	"type": true, "enum": true, "const": true, "pattern": true, "format": true, "minLength": true, "maxLength": true, "minimum": true, "maximum": true,
	"items": true, "minItems": true, "maxItems": true, "uniqueItems": true, "contains": true, "properties": true, "required": true, "additionalProperties": true,
	"patternProperties": true, "propertyNames": true, "minProperties": true, "maxProperties": true, "dependencies": true,
	"allOf": true, "anyOf": true, "oneOf": true, "not": true, "if": true, "then": true, "else": true, "title": true, "description": true, "default": true,
}

// keywordsOf are those of a schema and of all in it.
func keywordsOf(schema any) (names []string) {
	switch schema := schema.(type) {
	case []any:
		for _, one := range schema {
			names = append(names, keywordsOf(one)...)
		}
	case map[string]any:
		for name, value := range schema {
			names = append(names, name)
			switch name {
			case "properties", "patternProperties":
				for _, one := range value.(map[string]any) {
					names = append(names, keywordsOf(one)...)
				}
			case "enum", "const", "default", "required":
			default:
				names = append(names, keywordsOf(value)...)
			}
		}
	}
	return names
}

// TestAnswersInChunksAreRead, and those with a length, whatever the case of their headers.
func TestAnswersInChunksAreRead(t *testing.T) {
	for _, text := range []string{
		"HTTP/1.1 202 Accepted\r\ncontent-length: 5\r\n\r\nhello",
		"HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
	} {
		ours, theirs := net.Pipe()
		go func() {
			io.ReadFull(theirs, make([]byte, 3))
			io.WriteString(theirs, text+text)
			theirs.Close()
		}()
		c := &connection{ours, bufio.NewReader(ours)}
		status, body, err := c.roundTrip([]byte("ask"))
		must.Hold(t, status == 202 && string(body) == "hello" && err == nil, "%q: %d %q %v", text, status, body, err)
		if rest, _ := io.ReadAll(c.reader); string(rest) != text {
			t.Errorf("%q: left for the next answer: %q", text, rest)
		}
		ours.Close()
	}
}
