package rows_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestRequestsAndRowsAgree: what requests may ask for is in the rows, and what rows have can be asked for.
func TestRequestsAndRowsAgree(t *testing.T) {
	embedded, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, export := range embedded.Exports() {
		if err := rows.NewRenderer(embedded).CheckRequest(export); err != nil {
			t.Errorf("%s: %v", export.Kind, err)
		}
	}
	for about, c := range map[string]struct{ file, old, new, want string }{
		"a column that no row has":             {"common/identifiers.json", `"advertising_id"`, `"advertising_id", "idfv"`, "common/identifiers.json#/$defs/requestedColumns/items: allows idfv, and legacy/userbase.row.json has no such ids"},
		"an event that no message has":         {"legacy/campaign.request.json", `"push_error"`, `"push_error", "push_dismissed"`, "allows push_dismissed, and legacy/campaign"},
		"an attribute that can't be asked for": {"profiles/attributes.output.json", `"$language": {`, `"$ltv": {"type": "number"}, "$language": {`, "profiles/attributes.output.json#/items/properties/attributes/properties/$ltv: cannot be asked for"},
		"an event where there is none":         {"legacy/userbase.row.json", `"x-source": "installation.is_optin"`, `"x-source": "event.type"`, "legacy/userbase.row.json#/properties/is_optin_push: x-source event.type is a fact of events"},
	} {
		t.Run(about, func(t *testing.T) {
			text := string(embedded.Source(c.file))
			if !strings.Contains(text, c.old) {
				t.Fatalf("%s does not hold %s: %s", c.file, c.old, text)
			}
			library, err := schemas.Open(fstest.MapFS{c.file: {Data: []byte(strings.Replace(text, c.old, c.new, 1))}})
			if err != nil {
				t.Fatal(err)
			}
			var faults []error
			for _, export := range library.Exports() {
				faults = append(faults, rows.NewRenderer(library).CheckRequest(export))
			}
			if err := errors.Join(faults...); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
