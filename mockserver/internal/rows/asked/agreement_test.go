package asked_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestRequestsAndRowsAgree: what requests may ask for is in the rows, and what rows have can be asked for.
func TestRequestsAndRowsAgree(t *testing.T) {
	embedded := must.Get(schemas.Embedded())(t)
	if err := asked.Check(embedded); err != nil {
		t.Error(err)
	}
	row := string(embedded.Source("legacy/userbase.row.json"))
	identifiers := string(embedded.Source("common/identifiers.json"))
	shared, err := schemas.Open(fstest.MapFS{
		"legacy/userbase.row.json": {Data: []byte(strings.Replace(row, `"smart_segment": {`, `"idfv": {"type": "string"}, "smart_segment": {`, 1))},
		"common/identifiers.json":  {Data: []byte(strings.Replace(identifiers, `"advertising_id"`, `"advertising_id", "idfv"`, 1))},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := asked.Check(shared); err != nil {
		t.Errorf("a column that one of the exports has which share a list: %v", err)
	}
	request := string(embedded.Source("legacy/campaign.request.json"))
	lists := request[strings.Index(request, `"events": {`):strings.Index(request, "\n  },\n  \"additionalProperties\"")]
	dismissed := strings.Replace(lists, `"push_error"`, `"push_error", "push_dismissed"`, 1)
	for about, c := range map[string]struct{ file, old, new, want string }{
		"a column that no row has": {"common/identifiers.json", `"advertising_id"`, `"advertising_id", "idfv"`, "common/identifiers.json#/$defs/requestedColumns/items: allows idfv, and no rows have it: add it to legacy/campaign.ids.row.json"},
		"an event of a member's list": {"legacy/campaign.request.json", lists, `"what": {"properties": {` + dismissed + `}}`,
			"allows push_dismissed, and no rows have it"},
		"two members of one role": {"legacy/campaign.request.json", `"from": {`, `"since": {"x-role": "from"}, "from": {`,
			"legacy/campaign.request.json#/properties/from: from has the role from, which since has taken"},
		"an event that no message has":         {"legacy/campaign.request.json", `"push_error"`, `"push_error", "push_dismissed"`, "allows push_dismissed, and no rows have it: add it to common/events.json#/$defs/campaign"},
		"an attribute that can't be asked for": {"profiles/attributes.output.json", `"$language": {`, `"$ltv": {"type": "number"}, "$language": {`, "profiles/attributes.output.json#/items/properties/attributes/properties/$ltv: cannot be asked for"},
		"an event where there is none":         {"legacy/userbase.row.json", `"x-source": "installation.is_optin"`, `"x-source": "event.type"`, "legacy/userbase.row.json#/properties/is_optin_push: x-source event.type is a fact of events"},
	} {
		t.Run(about, func(t *testing.T) {
			text := string(embedded.Source(c.file))
			if !strings.Contains(text, c.old) {
				t.Fatalf("%s does not hold %s: %s", c.file, c.old, text)
			}
			library := must.Get(schemas.Open(fstest.MapFS{c.file: {Data: []byte(strings.Replace(text, c.old, c.new, 1))}}))(t)
			if err := asked.Check(library); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
