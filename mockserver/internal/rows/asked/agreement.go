package asked

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Check is an error when what requests may ask for and what rows have are not the same: a column or an event that no row would show, an
// attribute that nobody could ask for, a fact of events where there are none. It names the place in the schema files.
func Check(library *schemas.Library) error {
	if err := library.CheckRoles(); err != nil {
		return err
	}
	var unseen []unseenName
	seen := map[unseenName]bool{} // without what is wrong
	for _, export := range library.Exports() {
		row := merged.Of([]*jsonschema.Schema{library.Schema(export.Output)}, nil)
		if export.Format != "csv" {
			row = merged.Of(row.Items(), nil)
		}
		if fault := checkSnapshot(library, export, row); fault != nil {
			return fault
		}
		if fault := checkAttributes(library, export, row); fault != nil {
			return fault
		}
		identifiers := merged.Of(row.Property("identifiers"), nil)
		for _, list := range []struct {
			name  string
			shown []string
		}{{"ids", row.Names(library)}, {"identifiers", identifiers.Names(library)}, {"events", eventsOf(library, row)}} {
			asked := Requested(library, export, list.name)
			for _, called := range asked.Names() {
				at, name := asked.Listed(called), WireName(asked.Keywords(), called)
				found := unseenName{at: at.Location, name: name}
				if list.shown == nil || slices.Contains(list.shown, name) {
					seen[found] = true
					continue
				}
				found.fault = schemas.FaultOf(at, "allows "+name+", and no rows have it: add it to "+listedIn(library, export, row, list.name)+
					", beside "+strings.Join(list.shown[:min(3, len(list.shown))], ", ")+", or take it out here")
				unseen = append(unseen, found)
			}
		}
	}
	for _, each := range unseen {
		if !seen[unseenName{at: each.at, name: each.name}] { // exports may share a list, and each show some of it
			return each.fault
		}
	}
	return nil
}

// listedIn is the place where rows list what a request may ask for: the enum of events, or the properties of rows.
func listedIn(library *schemas.Library, export schemas.Export, row merged.Schema, list string) string {
	for _, name := range row.Names(library) {
		for _, s := range merged.Of(row.Property(name), nil) {
			if list == "events" && len(schemas.KeywordsOf(s).Journey) > 0 {
				fault := schemas.FaultOf(s, "")
				return fault.File + "#" + fault.Pointer
			}
		}
	}
	return export.Output
}

// unseenName is a name that requests may ask for, by the place of the enum that has it, and rows do not show.
type unseenName struct {
	at, name string
	fault    *schemas.FileError
}

// Empty refuses an export whose files have no row, at the place that says which rows there are; nil where rows may be rare.
func Empty(library *schemas.Library, export schemas.Export) error {
	row := merged.Of([]*jsonschema.Schema{library.Schema(export.Output)}, nil)
	if export.Format != "csv" {
		row = merged.Of(row.Items(), nil)
	}
	for _, name := range row.Names(library) {
		property := merged.Of(row.Property(name), nil)
		if property.Keywords().Source == vocabulary.EventType {
			if len(property.Keywords().Journey) > 0 {
				return nil
			}
			return schemas.FaultOf(property[0], "says which events there are, and not how they follow each other, so every file is empty: write an "+
				"x-journey whose first step has a channel, such as email")
		}
	}
	switch export.View {
	case vocabulary.ViewInstallationMessages, vocabulary.ViewInstallationRecipients, vocabulary.ViewProfileMessages:
		return &schemas.FileError{File: export.Output, Pointer: "/x-export/view", Message: "is " + export.View + ", of which there are no rows, so " +
			"every file is empty: give the member with the type of events the x-source event.type, or take another view"}
	}
	return nil
}

// checkSnapshot refuses facts of events in rows that are none.
func checkSnapshot(library *schemas.Library, export schemas.Export, row merged.Schema) error {
	if !vocabulary.IsSnapshot(export.View) {
		return nil
	}
	for _, name := range row.Names(library) {
		property := merged.Of(row.Property(name), nil)
		source := property.Keywords().Source
		if of, _, _ := strings.Cut(source, "."); of == "event" || of == "orchestration" {
			return schemas.FaultOf(property[0], "x-source "+source+" is a fact of events, and rows of the view "+export.View+" are none: take a fact of what they are about")
		}
	}
	return nil
}

// checkAttributes refuses attributes that rows list and requests do not allow.
func checkAttributes(library *schemas.Library, export schemas.Export, row merged.Schema) error {
	asked := Requested(library, export, "attributes")
	attributes := merged.Of(row.Property("attributes"), nil)
	for _, name := range attributes.Names(library) {
		if property := attributes.Property(name); len(property) > 0 && !asked.Allows(name) {
			return schemas.FaultOf(property[0], "cannot be asked for: "+export.Request+" does not allow the attribute "+name+"; allow it there")
		}
	}
	return nil
}

// eventsOf are the events of rows about messages; nil of other rows.
func eventsOf(library *schemas.Library, row merged.Schema) []string {
	var names []string
	for _, step := range Journey(row, library) {
		names = append(names, step.Event)
	}
	return names
}
