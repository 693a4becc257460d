package exports_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestTemplateWritesTheDatesOfTheSchema: whoever builds a payload writes dates as its schema has them, also where an overlay has others.
func TestTemplateWritesTheDatesOfTheSchema(t *testing.T) {
	builtIn := must.Get(schemas.Embedded())(t)
	const file = "legacy/campaign.request.json"
	text := strings.ReplaceAll(string(builtIn.Source(file)), "legacyMoment", "profileMoment")
	overlay := must.Get(schemas.Open(fstest.MapFS{file: {Data: []byte(text)}}))(t)
	for about, c := range map[string]struct {
		library    *schemas.Library
		kind, want string
	}{
		"legacy":                     {builtIn, "campaign.events", exports.LocalDateTime},
		"profiles":                   {builtIn, "profiles.events", time.RFC3339},
		"legacy, with a zone":        {overlay, "campaign.events", time.RFC3339},
		"legacy, of another request": {overlay, "transactional.events", exports.LocalDateTime},
	} {
		for _, export := range c.library.Exports() {
			if export.Kind == c.kind && exports.TemplateOf(c.library, export).DateLayout != c.want {
				t.Errorf("%s: dates of %s are not written as %s", about, c.kind, c.want)
			}
		}
	}
}
