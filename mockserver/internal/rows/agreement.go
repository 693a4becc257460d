package rows

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// CheckRequest is an error when what the requests of an export may ask for and
// what its rows have are not the same: a column or an event that no row would
// show, an attribute that nobody could ask for, a fact of events where there are
// none. It names the place in the schema files.
func (r *Renderer) CheckRequest(export schemas.Export) error {
	request := merged.Of([]*jsonschema.Schema{r.library.Schema(export.Request)}, nil)
	row := merged.Of([]*jsonschema.Schema{r.library.Schema(export.Output)}, nil)
	if export.Format != "csv" {
		row = merged.Of(row.Items(), nil)
	}
	identifiers := merged.Of(row.Property("identifiers"), nil)
	for list, names := range map[string][]string{"ids": row.Names(r.library), "identifiers": identifiers.Names(r.library), "events": r.eventsOf(row)} {
		asked := requested(request, list)
		for _, name := range wireNames(request, list, enumerated(asked)) {
			if names != nil && !slices.Contains(names, name) {
				at := slices.IndexFunc(asked, func(s *jsonschema.Schema) bool { return s.Enum != nil })
				return schemas.FaultOf(asked[at], "allows "+name+", and "+export.Output+" has no such "+list+
					": add it there, beside "+strings.Join(names[:min(3, len(names))], ", ")+", or take it out here")
			}
		}
	}
	if vocabulary.IsSnapshot(export.View) {
		for _, name := range row.Names(r.library) {
			property := merged.Of(row.Property(name), nil)
			if of, _, _ := strings.Cut(property.Keywords().Source, "."); of == "event" || of == "orchestration" {
				return schemas.FaultOf(property[0], "x-source "+property.Keywords().Source+" is a fact of events, and rows of the view "+export.View+" are none: take a fact of what they are about")
			}
		}
	}
	asked := merged.Of(request.Property("attributes"), nil).Items()
	attributes := merged.Of(row.Property("attributes"), nil)
	for _, name := range attributes.Names(r.library) {
		if property := attributes.Property(name); len(property) > 0 && !merged.Schema(asked).Accepts(name) {
			return schemas.FaultOf(property[0], "cannot be asked for: "+export.Request+" does not allow the attribute "+name+"; allow it there")
		}
	}
	return nil
}

// eventsOf are the events of rows about messages; nil of other rows.
func (r *Renderer) eventsOf(row merged.Schema) []string {
	var names []string
	for _, step := range journeyOf(row, r.library) {
		names = append(names, step.Event)
	}
	return names
}

// enumerated are the names of an enum.
func enumerated(all merged.Schema) []string {
	var names []string
	for _, allowed := range all.Enum() {
		if name, is := allowed.(string); is {
			names = append(names, name)
		}
	}
	return names
}
