package schemas_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestRolesOfBranches: a member has its role wherever the schema lists it.
func TestRolesOfBranches(t *testing.T) {
	library, err := schemas.Open(fstest.MapFS{"legacy/reachability.request.json": {Data: []byte(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$id": "https://rehearsal.example/schemas/legacy/reachability.request.json",
		"title": "Reachability export request", "description": "Asks for changes.", "type": "object",
		"allOf": [{"properties": {"window": {"oneOf": [{"properties": {"since": {"x-role": "from"}}}]}}}]}`)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, export := range library.Exports() {
		if export.Request != "legacy/reachability.request.json" {
			continue
		}
		if path := export.Roles["from"]; !slices.Equal(path, []string{"window", "since"}) {
			t.Errorf("the window begins at %v", path)
		}
		hold(t, export.Example == "", "the example %s has no window", export.Example)
		if in := export.Roles.In(library.Schema(export.Request), "from"); len(in) != 1 || in[0].Sure {
			t.Errorf("the schemas of the beginning: %v", in)
		}
	}
}
