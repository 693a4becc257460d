package dataset

import (
	"maps"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// maxDeclared is how many names of attributes are remembered of a dataset.
const maxDeclared = 10_000

// declared are the names of the custom attributes of loaded rows. What readers have of it is never changed.
type declared struct {
	names  map[string]bool
	own    bool     // nobody else has the map
	sorted []string // nil: to be made anew
}

func (d *declared) add(name string) {
	if d.names[name] || len(d.names) == maxDeclared || name == "" {
		return
	}
	if !d.own {
		d.names, d.own = maps.Clone(d.names), true
	}
	if d.names == nil {
		d.names = map[string]bool{}
	}
	d.names[name], d.sorted = true, nil
}

func (d *declared) all() []string {
	if d.sorted == nil {
		d.sorted = slices.Sorted(maps.Keys(d.names))
	}
	return d.sorted
}

// declare notes the attributes that a row has or changes.
func (d *declared) declare(row *input.Row) {
	switch row.Kind {
	case input.Profiles:
		for _, name := range row.Attributes() {
			d.add(name)
		}
	case input.Events:
		d.add(row.Get("attribute"))
		d.add(row.Get("collection"))
	}
}

// Attributes are the names of the custom attributes that a dataset has had since
// it began, sorted.
func (d Dataset) Attributes() []string {
	shown := d.log.published.Load()
	if _, own := shown.statuses[d.key]; own {
		return shown.attributes[d.key]
	}
	return shown.attributes[""]
}
