package rows

import (
	"fmt"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// dataError is that of a dataset: no schema file is at fault.
type dataError struct{ error }

// give lets a view show the people of the dataset.
func (r *Renderer) give(view *world.View, export schemas.Export, spec exports.File) error {
	if r.datasetAt == nil {
		return fmt.Errorf("the file shows generation %d of a dataset, and this server has no dataset", spec.DataGeneration)
	}
	people, err := r.datasetAt(spec.DataGeneration)
	if err != nil {
		return dataError{err}
	}
	events := asked.Requested(r.library, export, "events").Keywords()
	own := world.Own{People: people, Only: spec.DataOnly, From: spec.Window.From, Wire: func(name string) string {
		return asked.WireName(events, name)
	}}
	switch export.Target {
	case "campaign":
		own.Campaign = spec.Target
	case "group":
		own.Group = spec.Target
	}
	return view.Give(own)
}

// demands reports whether the schema refuses a row without a member; a given row may lack it.
func (c *compiler) demands(all, property merged.Schema, name string) bool {
	if c.format.CSV {
		return !property.Accepts("")
	}
	return all.Required(name) && !property.Accepts(nil)
}

// attributesPlace is where the custom attributes of a profile stand.
const attributesPlace = "/attributes/"

// member compiles a member that is not listed: a custom attribute, or one that an overlay directory adds. Its value is the given one,
// null for an attribute that the dataset does not have, and else a generated one, of one of several alternatives; a given one may take
// any that the schema allows.
func (c *compiler) member(allowed merged.Schema, place string, made value) value {
	if !c.own {
		return made
	}
	name, attribute := strings.CutPrefix(place, attributesPlace)
	if !attribute {
		name = memberName(place)
	}
	held := func(row *world.Row) (any, bool) {
		if attribute {
			return row.Attribute(name)
		}
		return row.Member(name)
	}
	nullable := attribute && allowed.Accepts(nil)
	var isAbsent func(*world.Row) bool
	if made.absent != nil {
		isAbsent = func(row *world.Row) bool {
			_, is := held(row)
			return !is && made.absent(row)
		}
	}
	return single(textOp(func(dst []byte, row *world.Row) []byte {
		found, is := held(row)
		if is && nullable && (found == nil || !allowed.Accepts(found)) {
			return append(dst, "null"...)
		}
		if _, text := found.(string); is && (text || !c.format.CSV) && allowed.Accepts(found) {
			return append(dst, c.format.Value(found)...)
		}
		return made.run(dst, row, nil)
	}), isAbsent)
}
