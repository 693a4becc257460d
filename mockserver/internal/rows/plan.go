package rows

import (
	"errors"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/encode"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// plan writes the rows of one file: one list of members per kind of row, each
// with everything that this kind fixes already written out.
type plan struct {
	format   encode.Format
	header   []byte
	footer   []byte
	variants []program.Program
	pick     func(*world.Row) int
}

// appendRow writes one row. A row of JSON begins with the comma that divides it
// from the one before; the writer of the first row of a file leaves it out.
func (p *plan) appendRow(dst []byte, row *world.Row, s *program.Scratch) []byte {
	return p.variants[p.pick(row)].Run(dst, row, s)
}

// add adds the program of one kind of row, made of its members.
func (p *plan) add(members program.Program) {
	made := program.Program{}
	switch {
	case p.format.Lines:
		made.Tail = []byte("{")
	case !p.format.CSV:
		made.Tail = []byte(",\n{")
	}
	made.Join(members)
	switch {
	case p.format.Lines:
		made.Close('}')
		made.Append([]byte("\n"))
	case !p.format.CSV:
		made.Close('}')
	case len(made.Tail) > 0:
		made.Tail = p.format.EndLine(made.Tail)
	}
	made.Finish()
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
	made := &plan{pick: func(*world.Row) int { return 0 }}
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
	request := merged.Of([]*jsonschema.Schema{r.library.Schema(export.Request)}, nil)

	people, err := world.NewWith(spec.Seed, spec.Profiles, spec.Settings)
	if err != nil {
		return nil, err
	}
	query := world.Query{
		View: export.View, From: spec.Window.From, To: spec.Window.To, Now: spec.Now,
		Stream: streamName(export, spec.Target), Segment: spec.Segment,
		Events: asked.WireNames(request, "events", spec.Events), Channels: spec.Channels,
		Journey: asked.Journey(all, r.library),
	}
	c := &compiler{
		library: r.library, world: people, format: made.format, selected: selections(request, spec),
		generators: map[string]generator{}, request: map[string]string{vocabulary.APIKey: spec.APIKey}, extraDate: made.format.CSV && spec.Faults.ExtraDate, actionPrefix: export.Speaks.ActionPrefix,
	}
	sources := c.sources(all)
	query.ShowsLinks = slices.Contains(sources, vocabulary.CustomID)
	if isSimulated(spec) {
		file, err := r.planSimulated(made, c, root, export, spec, query)
		if err == nil {
			err = c.addHeader(made, all)
		}
		return file, err
	}
	arrive, sometime := arrivals(export, spec, &query)
	query.OnlyRecipients = !sometime && spec.DataGeneration == 0 && !spec.DataOnly && !slices.ContainsFunc(sources, world.TellsMoreThanWho)
	view, err := people.View(query)
	if err != nil {
		return nil, err
	}
	if c.scope, err = r.scope(view, people, spec); err != nil {
		return nil, err
	}
	c.alike = c.alikeEvents(root, query.Journey)
	kinds := []map[string]string{nil}
	switch {
	case len(view.Events()) > 0:
		kinds = kinds[:0]
		for _, name := range view.Events() {
			kinds = append(kinds, map[string]string{vocabulary.EventType: name})
		}
		made.pick = func(row *world.Row) int { return int(row.Event) }
	case export.View == vocabulary.ViewProfileChanges:
		kinds = kinds[:0]
		for reason, name := range world.ReasonNames {
			if reason == 0 {
				continue // that of no reason
			}
			kinds = append(kinds, map[string]string{vocabulary.EventReasons: name, vocabulary.EventChannel: world.Reason(reason).Channel()})
		}
		made.pick = func(row *world.Row) int { return int(row.Reason) - 1 }
	}
	for _, known := range kinds {
		c.constants = known
		members, err := c.object(root, "")
		if err != nil {
			return nil, err
		}
		made.add(members)
	}
	program.Share(made.variants, query.OnlyRecipients)
	if view, err = r.addOverlay(made, c, root, export, spec, query, request); err != nil {
		return nil, err
	}
	if sometime {
		if distinct, are := c.scope.View.(world.Recipients); are {
			arrive.Behind = distinct.Behind
		}
		view = arrive.View(view)
	}
	if err := c.addHeader(made, all); err != nil {
		return nil, err
	}
	return &File{renderer: r, export: export, spec: spec, plan: made, view: view, source: source{people, c.scope}}, nil
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

// scope is what facts need to know: the view, and the first views of messages from
// which people tell of their latest opens, and of what they are shown in the app.
func (r *Renderer) scope(view world.View, people *world.World, spec exports.File) (world.Scope, error) {
	made := world.Scope{View: view}
	for _, export := range r.library.Exports() {
		steps, place := asked.JourneyOf(r.library, export), &made.Messages
		if export.View == vocabulary.ViewInstallationMessages && !slices.ContainsFunc(steps, func(s world.Step) bool { return s.Channel != "" }) {
			place = &made.InApp
		} else if export.View != vocabulary.ViewProfileMessages {
			continue
		}
		found, err := people.View(world.Query{View: export.View, Stream: streamName(export, ""), Now: spec.Now, Journey: steps})
		if err != nil {
			return made, err
		}
		if *place == nil {
			*place = found
		}
	}
	return made, nil
}

// selections are the members that the request chooses. The items of "ids" and
// "identifiers" are names of columns and members; those of "attributes" are
// any names.
func selections(request merged.Schema, spec exports.File) map[string]selection {
	chosen := map[string]selection{
		"":             {open: asked.Enumerated(asked.Requested(request, "ids")), chosen: spec.IDs},
		"/identifiers": {open: asked.Enumerated(asked.Requested(request, "identifiers")), chosen: spec.Identifiers},
	}
	if len(request.Property("attributes")) > 0 {
		chosen["/attributes"] = selection{chosen: append([]string{}, spec.Attributes...)}
	}
	return chosen
}
