package actions_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

// TestVectors replays the cases that are the same on every surface.
func TestVectors(t *testing.T) {
	actionstest.RunVectors(t, "testdata/vectors", actionstest.NewRegistrySubject)
}

// member follows names into a JSON value.
func member(value any, path ...string) any {
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

// decoded is the JSON value of a file, with numbers as they are written.
func decoded(t *testing.T, file string) (text []byte, value any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return text, value
}

// TestVectorFiles keeps the files in their format, and looks for each value that the format has: something must use it.
func TestVectorFiles(t *testing.T) {
	const format = "testdata/vector.schema.json"
	schema, err := jsonschema.Compile(format)
	if err != nil {
		t.Fatal(err)
	}
	_, read := decoded(t, format)
	files, err := filepath.Glob("testdata/vectors/*.json")
	if err != nil {
		t.Fatal(err)
	}
	abouts, all := map[any]bool{}, ""
	for _, file := range files {
		text, cases := decoded(t, file)
		all += string(text)
		if err := schema.Validate(cases); err != nil {
			t.Errorf("%s: %#v", file, err)
			continue
		}
		for _, each := range cases.([]any) {
			about := member(each, "about")
			hold(t, !abouts[about], "%s: %q: every case needs a sentence of its own", file, about)
			abouts[about] = true
		}
	}
	hold(t, len(abouts) >= 200, "there are %d cases only", len(abouts))

	var wanted, hosts, missing []string // quoted texts
	var values func(schema any, into *[]string)
	values = func(schema any, into *[]string) {
		switch schema := schema.(type) {
		case map[string]any:
			if constant, is := schema["const"].(string); is {
				*into = append(*into, constant)
			}
			enum, _ := schema["enum"].([]any)
			for _, value := range enum {
				*into = append(*into, value.(string))
			}
			for _, inner := range schema {
				values(inner, into)
			}
		case []any:
			for _, inner := range schema {
				values(inner, into)
			}
		}
	}
	values(read, &wanted)
	values(member(read, "$defs", "case", "properties", "effects"), &hosts)
	values(member(read, "$defs", "host", "properties", "without"), &missing)
	for step := range member(read, "$defs", "step", "properties").(map[string]any) {
		wanted = append(wanted, step)
	}
	wanted = append(wanted, "record", "fail", "panic", "wait", "wait-record")
	for _, value := range wanted {
		hold(t, strings.Contains(all, `"`+value+`"`), "no case uses %s", value)
	}
	hold(t, strings.Contains(all, `"perform:`), "no handler performs another action")

	var capabilities []string
	for name := range capabilityFields() {
		if name != actions.CapabilityInterceptor { // it has a member of its own
			capabilities = append(capabilities, string(name))
		}
	}
	slices.Sort(capabilities)
	if slices.Sort(missing); !slices.Equal(missing, capabilities) {
		t.Errorf("a host can be without %q, the capabilities are %q", missing, capabilities)
	}
	for file, names := range map[string][]string{
		"testdata/vectors/README.md": append(slices.Clone(hosts), capabilities...), "actionstest/effect.go": hosts,
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			hold(t, bytes.Contains(text, []byte(name)), "%s does not name the effect or capability %s", file, name)
		}
	}
}
