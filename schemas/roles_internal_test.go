package schemas

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

// TestRolesAreTakenOnce: each member of a request is read, or ignored by its x-role, wherever the schema lists it.
func TestRolesAreTakenOnce(t *testing.T) {
	const text, nobody = `{"type": "string"}`, "nothing reads this member"
	embedded, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if err := embedded.CheckRoles(); err != nil {
		t.Error(err)
	}
	cases := map[string]struct{ members, pointer, says string }{
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
	}
	file := func(name string) string {
		return "legacy/" + strings.NewReplacer(" ", "-", "'", "").Replace(name) + ".json"
	}
	overlay := fstest.MapFS{}
	for name, c := range cases {
		overlay[file(name)] = &fstest.MapFile{Data: []byte(`{
			"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://rehearsal.example/schemas/` + file(name) + `",
			"title": "Request", "description": "Asks for changes.", "type": "object", ` + c.members + `}`)}
	}
	library, err := Open(overlay)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := checkRoles(library.Schema(file(name)))
			if c.says == "" && err == nil {
				return
			}
			var fault *FileError
			if !errors.As(err, &fault) || fault.File != file(name) || fault.Pointer != c.pointer ||
				!strings.Contains(fault.Message, c.says) || c.says == "" {
				t.Errorf("checked with %v", err)
			}
		})
	}
}
