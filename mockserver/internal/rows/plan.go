package rows

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/encode"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// plan writes the rows of one file: one list of members per kind of row, each with everything that this kind fixes already written out.
type plan struct {
	format   encode.Format
	header   []byte
	footer   []byte
	variants []program
	pick     func(*world.Row) int
	// check makes what tries a row, in one goroutine; nil: the schema is known to fit.
	check func() func(row []byte) error
	unfit atomic.Pointer[UnfitError] // of a row that is empty, for it was drawn in vain
}

// mostRedraws is how often a row is drawn again that does not fit its schema.
const mostRedraws = 128

// UnfitError says that no row that fits its schema was found.
type UnfitError struct{ err error }

func (e *UnfitError) Error() string {
	return fmt.Sprintf("a row does not fit its schema, and was drawn %d times: %v", mostRedraws+1, e.err)
}

// appendRow returns a function for one goroutine that writes a row. A row of JSON begins with the comma that divides it
// from the one before; the writer of the first row of a file leaves it out. Conditions between members are met by drawing
// all values without a source again; a row that cannot meet them is empty.
func (p *plan) appendRow() func(dst []byte, row *world.Row) []byte {
	used := &scratch{}
	if p.check == nil {
		return func(dst []byte, row *world.Row) []byte { return p.variants[p.pick(row)].run(dst, row, used) }
	}
	check := p.check()
	return func(dst []byte, row *world.Row) []byte {
		defer func() { row.Attempt = 0 }()
		begin := len(dst)
		for row.Attempt = 0; ; row.Attempt++ {
			dst = p.variants[p.pick(row)].run(dst[:begin], row, used)
			err := check(dst[begin:])
			if err == nil {
				return dst
			}
			if row.Attempt == mostRedraws {
				p.unfit.CompareAndSwap(nil, &UnfitError{err})
				return dst[:begin]
			}
		}
	}
}

// add adds the program of one kind of row, made of its members.
func (p *plan) add(members program) {
	made := program{}
	switch {
	case p.format.Lines:
		made.tail = []byte("{")
	case !p.format.CSV:
		made.tail = []byte(",\n{")
	}
	made.join(members)
	switch {
	case p.format.Lines:
		made.close('}')
		made.append([]byte("\n"))
	case !p.format.CSV:
		made.close('}')
	case len(made.tail) > 0:
		made.tail = p.format.EndLine(made.tail)
	}
	p.variants = append(p.variants, made)
}

// byteOrderMark is U+FEFF in UTF-8.
const byteOrderMark = "\uFEFF"

// lead is how many bytes of the first row of a file are left out.
func (p *plan) lead() int {
	if p.format.CSV || p.format.Lines {
		return 0
	}
	return len(",")
}

// plan compiles the file of a request.
func (r *Renderer) plan(export schemas.Export, spec exports.File) (*File, error) {
	root := []*jsonschema.Schema{r.library.Schema(export.Output)}
	made := &plan{}
	if made.format.CSV = export.Format == "csv"; !made.format.CSV {
		if made.format.Lines = export.Lines(); !made.format.Lines {
			made.header, made.footer = []byte("["), []byte("\n]\n")
		}
		root = merged.Of(root, nil).Items()
	}
	if spec.Faults.ByteOrderMark {
		made.header = append([]byte(byteOrderMark), made.header...)
	}
	all := merged.Of(root, nil)
	if made.format.CSV {
		made.format.Separator = all.Keywords().CSV.Separator
		made.format.CRLF = spec.Faults.CRLF
	}
	people, err := world.New(spec.Seed, spec.Profiles, spec.Settings)
	if err != nil {
		return nil, err
	}
	query := world.Query{
		View: export.View, From: spec.Window.From, To: spec.Window.To, Now: spec.Now,
		Stream: streamName(export, spec.Target), Segment: spec.Segment,
		Events: asked.Events(r.library, export, all, spec.Events), Channels: spec.Channels,
		Journey: asked.Journey(all, r.library), Messages: r.messages(),
	}
	c := &compiler{
		library: r.library, world: people, format: made.format, selected: r.selections(export, spec),
		generators: map[string]generator{}, request: map[string]string{vocabulary.APIKey: spec.APIKey}, extraDate: made.format.CSV &&
			spec.Faults.ExtraDate, surprises: spec.Faults.Surprises, actionPrefix: export.Speaks.ActionPrefix,
	}
	query.ShowsLinks = slices.Contains(c.sources(all), vocabulary.CustomID)
	file := &File{renderer: r, export: export, spec: spec, plan: made, arrives: arrivals(export, spec, &query)}
	if c.view, err = people.View(query); err != nil {
		return nil, err
	}
	if c.own = spec.DataGeneration != 0 || spec.DataOnly; c.own {
		if err := r.give(c.view, export, spec); err != nil {
			return nil, err
		}
	}
	file.view = c.view
	c.alike = c.alikeEvents(root, query.Journey)
	if err := c.addKinds(made, root, export.View); err != nil {
		return nil, err
	}
	if err := c.addHeader(made, all); err != nil {
		return nil, err
	}
	inRows := spec.Faults.ExtraDate && made.format.CSV || spec.Faults.Surprises != "" && spec.Faults.Surprises != exports.SurpriseStatus
	// The embedded files are held to this by a test.
	if embedded, err := schemas.Embedded(); err == nil && r.library != embedded && !inRows {
		var columns []string
		if made.format.CSV {
			columns = c.columns(all)
		}
		if r.library.RowCheck(export, columns) != nil {
			made.check = func() func([]byte) error { return r.library.RowCheck(export, columns) }
		}
	}
	return file, nil
}

// messages is the life of the messages to profiles.
func (r *Renderer) messages() []world.Step {
	for _, export := range r.library.Exports() {
		if export.View == vocabulary.ViewProfileMessages {
			return asked.JourneyOf(r.library, export)
		}
	}
	return nil
}

// addKinds adds the programs of all kinds of rows of a view.
func (c *compiler) addKinds(made *plan, root []*jsonschema.Schema, view string) error {
	made.pick = func(*world.Row) int { return 0 }
	kinds := []map[string]string{nil}
	var reasons [][]string
	switch {
	case len(c.view.Events()) > 0:
		kinds = kinds[:0]
		for _, name := range c.view.Events() {
			kinds = append(kinds, map[string]string{vocabulary.EventType: name})
		}
		made.pick = func(row *world.Row) int { return row.Event }
	case view == vocabulary.ViewProfileChanges:
		kinds = kinds[:0]
		reasons = world.Reasons()[1:]
		for reason, names := range reasons {
			kinds = append(kinds, map[string]string{vocabulary.EventReasons: names[0], vocabulary.EventChannel: world.ReasonChannel(reason + 1)})
		}
		made.pick = func(row *world.Row) int { return row.Reason - 1 }
	}
	for i, known := range kinds {
		c.constants, c.firstKind = known, i == 0
		if reasons != nil {
			c.reasons = reasons[i]
		}
		members, err := c.object(root, "")
		if err != nil {
			return err
		}
		made.add(members)
	}
	return nil
}

// addHeader adds the names of the columns of a CSV file.
func (c *compiler) addHeader(made *plan, all merged.Schema) error {
	if !made.format.CSV {
		return nil
	}
	columns := c.columns(all)
	if len(columns) == 0 {
		return errors.New("no column is left: the request chooses none, and there is no other")
	}
	if c.surprises.Has(exports.SurpriseColumn) {
		columns = append(columns, exports.SurpriseName)
	}
	for _, name := range columns {
		made.header = append(append(made.header, c.format.Text(name)...), c.format.Separator...)
	}
	made.header = made.format.EndLine(made.header)
	return nil
}

// columns are the members that a row has, at its root.
func (c *compiler) columns(all merged.Schema) (names []string) {
	order := []string(nil)
	if csv := all.Keywords().CSV; csv != nil {
		order = csv.Columns
	}
	for _, name := range merged.InOrder(order, all.Names(c.library)) {
		if !c.selected[""].leavesOut(name) && !merged.Of(all.Property(name), nil).Refused() {
			names = append(names, name)
		}
	}
	return names
}

// sources are the facts that the columns print.
func (c *compiler) sources(all merged.Schema) (names []string) {
	for _, name := range c.columns(all) {
		names = append(names, merged.Of(all.Property(name), nil).Keywords().Source)
	}
	return names
}

// selections are the members that the request chooses. The items of "ids" and "identifiers" are names of columns and members; those of
// "attributes" are any names.
func (r *Renderer) selections(export schemas.Export, spec exports.File) map[string]selection {
	chosen := map[string]selection{
		"":             {open: asked.Requested(r.library, export, "ids").Names(), chosen: spec.IDs},
		"/identifiers": {open: asked.Requested(r.library, export, "identifiers").Names(), chosen: spec.Identifiers},
	}
	if export.Roles["attributes"] != nil {
		chosen["/attributes"] = selection{chosen: append([]string{}, spec.Attributes...)}
	}
	return chosen
}
