package rows_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestListsOfRequestsAnywhere: lists of columns and events choose rows wherever the schema of a request has them, as those at its root do.
func TestListsOfRequestsAnywhere(t *testing.T) {
	const file, required = "legacy/campaign.request.json", `"required": ["from", "to", "events", "ids"],`
	source := string(embedded(t).Source(file))
	const noneOf, then = `"oneOf": [{"required": ["none"]}, `, `"if": {"required": ["none"]}, "else": `
	lists := source[strings.Index(source, `"events": {`):strings.Index(source, "\n  },\n  \"additionalProperties\"")]
	written := func(t *testing.T, library *schemas.Library) string {
		for _, export := range library.Exports() {
			if export.Kind == "campaign.events" {
				spec := wholeFile(embedded(t), export)
				spec.Events, spec.IDs = []string{"push_open"}, []string{"custom_id"}
				return string(text(t, open(t, library, spec)))
			}
		}
		return ""
	}
	want := written(t, embedded(t))
	if !strings.HasPrefix(want, "custom_id;event_date;event_type\n") || strings.Count(want, "push_opened") < 2 {
		t.Fatalf("one column and one event are\n%s", want)
	}
	within := `{"properties": {` + lists + `}}`
	for about, c := range map[string]struct{ inside, beside string }{
		"in a member":               {`"what": ` + within, ""},
		"in a part":                 {`"what": {"allOf": [` + within + `]}`, ""},
		"in the second of a choice": {`"what": true`, noneOf + `{"properties": {"what": ` + within + `}}],`},
		"where a condition fails":   {`"what": true`, then + `{"properties": {"what": ` + within + `}},`},
	} {
		t.Run(about, func(t *testing.T) {
			moved := strings.NewReplacer(lists, c.inside, required, c.beside).Replace(source)
			library := must.Get(schemas.Open(fstest.MapFS{file: {Data: []byte(moved)}}))(t)
			must.Equal(t, asked.Check(library), nil, "the error")
			must.Equal(t, written(t, library), want, "written")
		})
	}
}
