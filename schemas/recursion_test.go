package schemas_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Schemas that lead back to themselves are ordinary, unless they ask the same of the same value again.
func TestRecursiveSchemas(t *testing.T) {
	l := need(schemas.Open(editedOwn(t,
		"profiles/events.output.json", `"api_key": {`, `"parent": {"$ref": "#/items"}, "api_key": {`,
		"legacy/userbase.request.json", `"properties": {`, `"properties": {
    "also": {"type": "array", "items": {"$ref": "#"}},`,
	)))(t)
	request := map[string]any{"ids": []any{"custom_id"}}
	nested := map[string]any{"ids": []any{"custom_id"}, "also": []any{request, map[string]any{"ids": []any{"custom"}}}}
	if err := l.Validate("userbase.request", nested); err == nil || !strings.Contains(err.Error(), "also[1].ids[0] must be one of") {
		t.Errorf("got %v", err)
	}
	file := `[{"event_type":"push_sent","parent":{"event_type":"push_sent","parent":{"event_type":"nothing"}}}]`
	summary, err := l.CheckFile("profiles.events", strings.NewReader(file), func(schemas.Fault) bool { return true })
	hold(t, err == nil && summary.Faults != 0, "got %+v, %v", summary, err)
	for about, change := range map[string][]string{
		"a reference to itself": {"legacy/userbase.request.json", `"type": "object",`, `"type": "object", "$ref": "#",`},
		"through a branch": {"legacy/userbase.request.json", `"properties": {`, `"anyOf": [{"$ref": "#"}],
  "properties": {`},
	} {
		var file *schemas.FileError
		if _, err := schemas.Open(edited(t, change...)); !errors.As(err, &file) || file.File != "legacy/userbase.request.json" {
			t.Errorf("%s: got %v", about, err)
		}
	}
}
