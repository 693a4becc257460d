package openapi

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// FuzzParse reads JSON, writes it and reads it again: nothing is lost, and what the standard library refuses is refused.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{}`, `[]`, `{"b":1,"a":[true,null,"x\u0000<&>"],"c":{"d":1.50e3}}`, `"text"`, `-0`, `{"a":1} x`, `[1,`,
		``, `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := parse(data)
		if (err == nil) != json.Valid(data) {
			t.Fatalf("%q: read with %v, but valid is %v", data, err, json.Valid(data))
		}
		if err != nil {
			return
		}
		out := must.Get(encode(value))(t)
		again, err := parse(out)
		must.Hold(t, err == nil && reflect.DeepEqual(value, again), "%q became %q (%v)", data, out, err)
	})
}

func TestComponentNames(t *testing.T) {
	for _, c := range []struct{ file, pointer, want string }{
		{"legacy/campaign.request.json", "", "LegacyCampaignRequest"},
		{"legacy/in-app-campaign.events.row.json", "", "LegacyInAppCampaignEventsRow"},
		{"common/dates.json", "/$defs/utcDateTime", "CommonDatesUtcDateTime"},
		{"common/parameters.json", "/$defs/api_key", "CommonParametersApiKey"},
	} {
		must.Equal(t, componentName(c.file, c.pointer), c.want, "%s#%s is called", c.file, c.pointer)
	}
}
