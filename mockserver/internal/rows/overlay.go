package rows

import (
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// The names of facts that rows of own data treat on their own.
const (
	sourceType    = "event.type"
	sourceChannel = "event.channel"
	sourceReasons = "event.reasons"
)

// attributesPlace is where the custom attributes of a profile stand.
const attributesPlace = "/attributes/"

// addOwn adds the rows of own data to a plan and its view: programs of their
// own behind those of the synthetic rows, which stay as they are.
func (r *Renderer) addOwn(made *plan, c *compiler, root []*jsonschema.Schema, export schemas.Export, spec exports.File, query world.Query, request conjuncts) (world.View, error) {
	if spec.DataGeneration == 0 && !spec.DataOnly {
		return c.scope.View, nil
	}
	if r.datasetAt == nil {
		return nil, fmt.Errorf("the file shows own data of generation %d, and there is none here", spec.DataGeneration)
	}
	snapshot, err := r.datasetAt(spec.DataGeneration)
	if err != nil {
		return nil, err
	}
	wanted := dataset.Query{World: query, Only: spec.DataOnly, Wire: func(name string) string {
		return wireName(requested(request, "events").keywords(), name)
	}}
	// A path names one thing beside the application key.
	if strings.Contains(export.Path, "{group") {
		wanted.Group = spec.Target
	} else {
		wanted.Campaign = spec.Target
	}
	own := snapshot.Overlay(c.world, wanted, c.scope.View)
	if own == nil {
		return c.scope.View, nil
	}
	mine := *c
	mine.own = own
	synthetic, first := made.pick, len(made.variants)
	pick := func(*world.Row) int { return 0 }
	kinds := []map[string]string{nil}
	var reasons [][]string
	switch {
	case len(c.scope.View.Events()) > 0:
		kinds = kinds[:0]
		for _, name := range c.scope.View.Events() {
			kinds = append(kinds, map[string]string{sourceType: name})
		}
		pick = func(row *world.Row) int { return int(row.Event) }
	case export.View == world.ViewProfileChanges:
		var channels []string
		channels, reasons = own.Reasons()
		kinds = kinds[:0]
		for i, channel := range channels {
			kinds = append(kinds, map[string]string{sourceChannel: channel, sourceReasons: reasons[i][0]})
		}
		pick = func(row *world.Row) int { return int(row.Reason) - 1 }
	}
	for i, known := range kinds {
		mine.known = known
		if reasons != nil {
			mine.reasons = reasons[i]
		}
		members, err := mine.object(root, "")
		if err != nil {
			return nil, fmt.Errorf("own data: %w", err)
		}
		made.add(members)
	}
	made.pick = func(row *world.Row) int {
		if row.Loaded == 0 {
			return synthetic(row)
		}
		return first + pick(row)
	}
	return own.View(), nil
}

// find finds the fact that a member prints.
func (c *compiler) find(source string) (world.Fact, bool) {
	if c.own != nil {
		return c.own.Fact(source, c.scope, c.must)
	}
	return c.world.Fact(source, c.scope)
}

// needs says whether the schema refuses a row without a member: whoever brought
// the row need not know.
func (c *compiler) needs(all, property conjuncts, name string) bool {
	if c.format.csv {
		return !property.accepts("")
	}
	return all.required(name) && !property.accepts(nil)
}

// listOfReasons is the list of the reasons of a row.
func (c *compiler) listOfReasons(items conjuncts, keywords schemas.Keywords) (value, error) {
	text := []byte("[")
	for i, name := range c.reasons {
		if err := refusedName(items, keywords, name); err != nil {
			return value{}, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, c.format.text(wireName(keywords, name))...)
	}
	return literal(append(text, ']')), nil
}

// member compiles a member that the world does not know: a custom attribute, or
// one that somebody's own schemas add. It is what own data say, null for an
// attribute of which they say nothing, and else a made value.
func (c *compiler) member(all conjuncts, place string, texts [][]byte, key uint64) value {
	// What holds for a made value is narrower: of alternatives it takes one.
	own, allowed := c.own, all[:1]
	name, attribute := strings.CutPrefix(place, attributesPlace)
	if !attribute {
		name = place[strings.LastIndexByte(place, '/')+1:]
	}
	optional := attribute && allowed.accepts(nil)
	return single(op{kind: opText, text: func(dst []byte, row *world.Row) []byte {
		held, is := own.Member(row, name)
		if attribute {
			held, is = own.Attribute(row, name)
		}
		if is && optional && (held == nil || !allowed.accepts(held)) {
			return append(dst, "null"...)
		}
		if _, text := held.(string); is && (text || !c.format.csv) && allowed.accepts(held) {
			return append(dst, c.format.value(held)...)
		}
		return append(dst, texts[int((own.Key(row)^key)*0x9e3779b97f4a7c15>>32%uint64(len(texts)))]...)
	}}, nil)
}
