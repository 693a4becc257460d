package schemas_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// withRequest is the library whose requests for reachability have a text in the place of their members.
func withRequest(t *testing.T, members string) *schemas.Library {
	t.Helper()
	library, err := schemas.Open(fstest.MapFS{"legacy/reachability.request.json": {Data: []byte(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$id": "https://rehearsal.example/schemas/legacy/reachability.request.json",
		"title": "Reachability export request", "description": "Asks for changes.", "type": "object", ` + members + `}`)}})
	if err != nil {
		t.Fatal(err)
	}
	return library
}

// TestRolesAreTakenOnce: each member of a request is read, or ignored by its x-role, wherever the schema lists it.
func TestRolesAreTakenOnce(t *testing.T) {
	const text, nobody = `{"type": "string"}`, "nothing reads this member"
	embedded, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if err := embedded.CheckRoles(); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct{ members, pointer, says string }{
		"the window": {`"properties": {"since": {"type": "string", "x-role": "from"}, "to": ` + text + `}`, "", ""},
		"a member beside the one of its role": {`"properties": {"from": ` + text + `, "since": {"type": "string", "x-role": "from"}}`,
			"/properties/from", "from has the role from, which since has taken"},
		"two members of a role": {`"properties": {"begin": {"type": "string", "x-role": "from"}, "since": {"type": "string", "x-role": "from"}}`,
			"/properties/since", "since has the role from, which begin has taken"},
		"a member in a member": {`"properties": {"from": ` + text + `, "window": {"properties": {"from": ` + text + `}}}`,
			"/properties/window/properties/from", "window.from has the role from, which from has taken"},
		"names the other way round": {`"properties": {"from": {"type": "string", "x-role": "to"}, "to": {"type": "string", "x-role": "from"}}`, "", ""},
		"a name that is refused":    {`"properties": {"from": false, "since": {"type": "string", "x-role": "from"}}`, "", ""},
		"several that are ignored":  {`"properties": {"a": {"x-role": "ignored"}, "b": {"x-role": "ignored", "properties": {"from": ` + text + `}}, "from": ` + text + `}`, "", ""},
		"a member of anything":      {`"properties": {"mode": true}`, "/properties/mode", nobody},
		"a member of a part":        {`"allOf": [{"properties": {"mode": ` + text + `}}]`, "/allOf/0/properties/mode", nobody},
		"a member of a choice":      {`"oneOf": [{"properties": {"from": ` + text + `}}, {"properties": {"mode": ` + text + `}}]`, "/oneOf/1/properties/mode", nobody},
		"a member of a condition": {`"if": {"required": ["to"]}, "then": {"properties": {"from": ` + text + `}}, "else": {"properties": {"mode": ` + text + `}}`,
			"/else/properties/mode", nobody},
		"a role in each branch": {`"oneOf": [{"properties": {"begin": {"type": "string", "x-role": "from"}}}, {"properties": {"from": ` + text + `}}]`,
			"/oneOf/1/properties/from", "from has the role from, which begin has taken"},
		"a member of a member's choice": {`"properties": {"window": {"oneOf": [{"properties": {"from": ` + text + `}}, {"properties": {"mode": ` + text + `}}]}}`,
			"/properties/window/oneOf/1/properties/mode", nobody},
		"a condition on a member": {`"properties": {"from": ` + text + `, "to": ` + text + `}, "if": {"properties": {"from": {"const": "now"}}},
			"then": {"properties": {"to": {"const": "now"}}}, "anyOf": [{"properties": {"to": true}, "required": ["to"]}]`, "", ""},
		"a test is no reader": {`"properties": {"mode": ` + text + `}, "if": {"properties": {"mode": {"const": "fast"}}}, "then": {"properties": {"mode": {"const": "fast"}}}`,
			"/properties/mode", nobody},
	} {
		t.Run(name, func(t *testing.T) {
			err := withRequest(t, c.members).CheckRoles()
			if c.says == "" && err == nil {
				return
			}
			var fault *schemas.FileError
			if !errors.As(err, &fault) || fault.File != "legacy/reachability.request.json" || fault.Pointer != c.pointer ||
				!strings.Contains(fault.Message, c.says) || c.says == "" {
				t.Errorf("checked with %v", err)
			}
		})
	}
}

// TestRolesOfBranches: a member has its role wherever the schema lists it.
func TestRolesOfBranches(t *testing.T) {
	library := withRequest(t, `"allOf": [{"properties": {"window": {"oneOf": [{"properties": {"since": {"x-role": "from"}}}]}}}]`)
	for _, export := range library.Exports() {
		if export.Request != "legacy/reachability.request.json" {
			continue
		}
		if path := export.Roles["from"]; !slices.Equal(path, []string{"window", "since"}) {
			t.Errorf("the window begins at %v", path)
		}
		if export.Example != "" {
			t.Errorf("the example %s has no window", export.Example)
		}
		if in := export.Roles.In(library.Schema(export.Request), "from"); len(in) != 1 || in[0].Sure {
			t.Errorf("the schemas of the beginning: %v", in)
		}
	}
}
