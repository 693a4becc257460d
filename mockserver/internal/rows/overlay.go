package rows

import (
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/overlay"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// attributesPlace is where the custom attributes of a profile stand.
const attributesPlace = "/attributes/"

// addOverlay adds the rows of a dataset to a plan and its view: programs for
// loaded rows, behind those of the synthetic rows, which stay as they are.
func (r *Renderer) addOverlay(made *plan, c *compiler, root []*jsonschema.Schema, export schemas.Export, spec exports.File, query world.Query, request merged.Schema) (world.View, error) {
	if spec.DataGeneration == 0 && !spec.DataOnly {
		return c.scope.View, nil
	}
	if r.datasetAt == nil {
		return nil, fmt.Errorf("the file shows generation %d of a dataset, and this server has no dataset", spec.DataGeneration)
	}
	snapshot, err := r.datasetAt(spec.DataGeneration)
	if err != nil {
		return nil, err
	}
	wanted := overlay.Query{World: query, Only: spec.DataOnly, Wire: func(name string) string {
		return asked.WireName(asked.Requested(request, "events").Keywords(), name)
	}}
	switch export.Target {
	case "campaign":
		wanted.Campaign = spec.Target
	case "group":
		wanted.Group = spec.Target
	}
	overlay := overlay.New(snapshot, c.world, wanted, c.scope.View)
	if overlay == nil {
		return c.scope.View, nil
	}
	loaded := *c
	loaded.overlay = overlay
	synthetic, first := made.pick, len(made.variants)
	pick := func(*world.Row) int { return 0 }
	kinds := []map[string]string{nil}
	var reasons [][]string
	switch {
	case len(c.scope.View.Events()) > 0:
		kinds = kinds[:0]
		for _, name := range c.scope.View.Events() {
			kinds = append(kinds, map[string]string{vocabulary.EventType: name})
		}
		pick = func(row *world.Row) int { return int(row.Event) }
	case export.View == vocabulary.ViewProfileChanges:
		var channels []string
		channels, reasons = overlay.Reasons()
		kinds = kinds[:0]
		for i, channel := range channels {
			kinds = append(kinds, map[string]string{vocabulary.EventChannel: channel, vocabulary.EventReasons: reasons[i][0]})
		}
		pick = func(row *world.Row) int { return int(row.Reason) - 1 }
	}
	for i, known := range kinds {
		loaded.constants = known
		if reasons != nil {
			loaded.reasons = reasons[i]
		}
		members, err := loaded.object(root, "")
		if err != nil {
			return nil, fmt.Errorf("dataset: %w", err)
		}
		made.add(members)
	}
	made.pick = func(row *world.Row) int {
		if row.Loaded == nil {
			return synthetic(row)
		}
		return first + pick(row)
	}
	return overlay.View(), nil
}

// findFact finds the fact that a member prints.
func (c *compiler) findFact(source string) (world.Fact, bool) {
	if of, is := c.scope.View.(*simulated); is {
		fact, known := of.view.Fact(source)
		return simulatedFact(fact), known
	}
	if c.overlay != nil {
		return c.overlay.Fact(source, c.scope, c.mandatory)
	}
	return c.world.Fact(source, c.scope)
}

// demands reports whether the schema refuses a row without a member; a loaded
// row may lack it.
func (c *compiler) demands(all, property merged.Schema, name string) bool {
	if c.format.CSV {
		return !property.Accepts("")
	}
	return all.Required(name) && !property.Accepts(nil)
}

// listOfReasons is the list of the reasons of a row.
func (c *compiler) listOfReasons(items merged.Schema, keywords schemas.Keywords) (value, error) {
	text := []byte("[")
	for i, name := range c.reasons {
		if err := refusedName(items, keywords, name); err != nil {
			return value{}, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, c.format.Text(asked.WireName(keywords, name))...)
	}
	return literal(append(text, ']')), nil
}

// memberName is the last name of a place.
func memberName(place string) string { return place[strings.LastIndexByte(place, '/')+1:] }

// member compiles a member that is not listed: a custom attribute, or one that an
// overlay directory adds. Its value is the loaded one, null for an attribute that
// the dataset does not have, and else the one made for a synthetic row, of one of
// several alternatives; a loaded one may take any that the schema allows.
func (c *compiler) member(allowed merged.Schema, place string, made value) value {
	overlay := c.overlay
	if overlay == nil {
		return made
	}
	name, attribute := strings.CutPrefix(place, attributesPlace)
	if !attribute {
		name = memberName(place)
	}
	held := func(row *world.Row) (any, bool) {
		if attribute {
			return overlay.Attribute(row, name)
		}
		return overlay.Member(row, name)
	}
	nullable := attribute && allowed.Accepts(nil)
	var isAbsent func(*world.Row) bool
	if made.absent != nil {
		isAbsent = func(row *world.Row) bool {
			_, is := held(row)
			return !is && made.absent(row)
		}
	}
	made.Finish()
	return single(program.Op{Kind: program.Text, TextValue: program.TextValue{Text: func(dst []byte, row *world.Row) []byte {
		found, is := held(row)
		if is && nullable && (found == nil || !allowed.Accepts(found)) {
			return append(dst, "null"...)
		}
		if _, text := found.(string); is && (text || !c.format.CSV) && allowed.Accepts(found) {
			return append(dst, c.format.Value(found)...)
		}
		return made.Run(dst, row, nil)
	}}}, isAbsent)
}
