package dataset

import (
	"maps"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// maxDeclared is how many names of attributes are remembered of a dataset.
const maxDeclared = 10_000

// declared are the names of the custom attributes of loaded rows.
type declared struct {
	names  map[string]bool
	sorted []string // nil: to be made anew; shared with readers, and never changed
}

func (d *declared) add(name string) (added bool) {
	if d.names[name] || len(d.names) == maxDeclared || len(name) == 0 {
		return false
	}
	if d.names == nil {
		d.names = map[string]bool{}
	}
	d.names[name], d.sorted = true, nil
	return true
}

func (d *declared) remove(names []string) {
	for _, name := range names {
		delete(d.names, name)
		d.sorted = nil
	}
}

func (d *declared) all() []string {
	if d.sorted == nil {
		d.sorted = slices.Sorted(maps.Keys(d.names))
	}
	return d.sorted
}

// declare notes the attributes that a row has or changes.
func (a *builder) declare(row *input.Row) {
	note := func(name string) {
		if a.declared.add(name) {
			a.declaring = append(a.declaring, name)
		}
	}
	switch row.Kind {
	case input.Profiles:
		for _, name := range row.Attributes() {
			note(name)
		}
	case input.Events:
		note(row.Get("attribute"))
		note(row.Get("collection"))
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
