package rows

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/overlay"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/simulation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// loadedRows are the rows of a file that shows a dataset. They stand in rows of the simulation.
type loadedRows struct {
	overlay *overlay.Overlay // nil: the dataset has no rows for the file
	world   *world.World
	scope   world.Scope
	view    world.View
	// own says that a program is being compiled for rows of the dataset, and else for the drawn ones beside them; mandatory that the
	// schema demands the value, and reasons are those of the row, which may have several.
	own, mandatory bool
	reasons        []string
}

func worldRow(row *simulation.Row) *world.Row { return row.Loaded.(*world.Row) }

func simulationRow(of *world.Row) simulation.Row {
	return simulation.Row{Loaded: of, Time: of.Time, Event: int(of.Event), Reason: int(of.Reason), Installation: -1}
}

// loadRows adds the programs of a file that shows a dataset, and finds its rows.
func (r *Renderer) loadRows(made *plan, c *compiler, root []*jsonschema.Schema, export schemas.Export, spec exports.File, query simulation.Query, request merged.Schema) (*loadedRows, error) {
	if r.datasetAt == nil {
		return nil, fmt.Errorf("the file shows generation %d of a dataset, and this server has no dataset", spec.DataGeneration)
	}
	snapshot, err := r.datasetAt(spec.DataGeneration)
	if err != nil {
		return nil, err
	}
	drawn := &loadedRows{}
	if drawn.world, err = overlay.World(spec.Seed, spec.Profiles, spec.Settings); err != nil {
		return nil, err
	}
	wanted := overlay.Query{World: world.Query{
		View: query.View, From: query.From, To: query.To, Now: query.Now, Stream: query.Stream, Segment: query.Segment, Events: query.Events,
		Channels: query.Channels, Journey: worldSteps(query.Journey), ShowsLinks: query.ShowsLinks,
	}, Only: spec.DataOnly, Wire: func(name string) string {
		return asked.WireName(asked.Requested(request, "events").Keywords(), name)
	}}
	switch export.Target {
	case "campaign":
		wanted.Campaign = spec.Target
	case "group":
		wanted.Group = spec.Target
	}
	view, err := drawn.world.View(wanted.World)
	if err != nil {
		return nil, err
	}
	if drawn.scope, err = r.scope(view, drawn.world, spec); err != nil {
		return nil, err
	}
	drawn.view = view
	drawn.overlay = overlay.New(snapshot, drawn.world, wanted, view)
	c.loaded = drawn
	if err := c.addKinds(made, root, export.View); err != nil || drawn.overlay == nil {
		return drawn, err
	}
	own := *drawn
	own.own = true
	c.loaded = &own
	synthetic, first := made.pick, len(made.variants)
	pick := synthetic
	if export.View == vocabulary.ViewProfileChanges {
		channels, reasons := own.overlay.Reasons()
		for i, channel := range channels {
			own.reasons = reasons[i]
			if err := c.addKind(made, root, map[string]string{vocabulary.EventChannel: channel, vocabulary.EventReasons: reasons[i][0]}); err != nil {
				return nil, fmt.Errorf("dataset: %w", err)
			}
		}
	} else if err := c.addKinds(made, root, export.View); err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	made.pick = func(row *simulation.Row) int {
		if worldRow(row).Loaded == nil {
			return synthetic(row)
		}
		return first + pick(row)
	}
	drawn.view = own.overlay.View()
	return drawn, nil
}

func worldSteps(steps []simulation.Step) (made []world.Step) {
	for _, s := range steps {
		made = append(made, world.Step{
			Event: s.Event, After: s.After, Rate: s.Rate, Delay: s.Delay, Spread: s.Spread, Unless: s.Unless, Channel: s.Channel,
			Consent: s.Consent, Person: s.Person, Burst: s.Burst, Machine: world.Machine(s.Machine), Again: world.Again(s.Again),
		})
	}
	return made
}

// scope is what facts need to know: the view, and the first views of messages from
// which people tell of their latest opens, and of what they are shown in the app.
func (r *Renderer) scope(view world.View, people *world.World, spec exports.File) (world.Scope, error) {
	made := world.Scope{View: view}
	for _, export := range r.library.Exports() {
		steps, place := asked.JourneyOf(r.library, export), &made.Messages
		if export.View == vocabulary.ViewInstallationMessages && !slices.ContainsFunc(steps, func(s simulation.Step) bool { return s.Channel != "" }) {
			place = &made.InApp
		} else if export.View != vocabulary.ViewProfileMessages {
			continue
		}
		found, err := people.View(world.Query{View: export.View, Stream: streamName(export, ""), Now: spec.Now, Journey: worldSteps(steps)})
		if err != nil {
			return made, err
		}
		if *place == nil {
			*place = found
		}
	}
	return made, nil
}

// write gives the rows of some units to take, until it returns false.
func (l *loadedRows) write(ctx context.Context, by *plan, from, to int64, take func(*chunk) bool) error {
	c, scratch := chunk{}, &program.Scratch{}
	var rows []world.Row
	for unit := from; unit < to; unit++ {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		rows = l.view.Append(rows[:0], unit)
		for i := range rows {
			row := simulationRow(&rows[i])
			c.add(0, by.appendRow(c.text, &row, scratch))
		}
		if c.done = float64(unit+1-from) / float64(to-from); len(c.text) >= pieceBytes || unit+1 == to {
			if !take(&c) {
				return nil
			}
			c.empty()
		}
	}
	return nil
}

// fact finds a fact of the rows.
func (l *loadedRows) fact(source string) (made simulation.Fact, known bool) {
	var of world.Fact
	if l.own {
		of, known = l.overlay.Fact(source, l.scope, l.mandatory)
	} else {
		of, known = l.world.Fact(source, l.scope)
	}
	made.Names = of.Names
	switch {
	case of.Words != nil:
		made.Awkward = true
		made.Text = func(dst []byte, r *simulation.Row) []byte { return append(dst, of.Words(worldRow(r))...) }
	case of.Text != nil:
		made.Awkward = l.world.Awkward(source)
		made.Text = func(dst []byte, r *simulation.Row) []byte { return of.Text(dst, worldRow(r)) }
	case of.Flag != nil:
		made.Flag = func(r *simulation.Row) bool { return of.Flag(worldRow(r)) }
	case of.Number != nil:
		made.Number = func(r *simulation.Row) int64 { return of.Number(worldRow(r)) }
	case of.Time != nil:
		made.Time = func(r *simulation.Row) int64 { return of.Time(worldRow(r)) }
	case of.Choice != nil:
		made.Choice = func(r *simulation.Row) int { return of.Choice(worldRow(r)) }
	case of.Each != nil:
		made.Each = func(r *simulation.Row, items []simulation.Row) []simulation.Row {
			for _, item := range of.Each(worldRow(r), nil) {
				items = append(items, simulationRow(&item))
			}
			return items
		}
	}
	if of.Absent != nil {
		made.Absent = func(r *simulation.Row) bool { return of.Absent(worldRow(r)) }
	}
	return made, known
}

// key is that of what a row is about, for values without a source.
func (l *loadedRows) key(row *simulation.Row) uint64 {
	if l.own {
		return l.overlay.Key(worldRow(row))
	}
	return worldRow(row).Key()
}

// leaves reports whether generated values of a row stay as they are.
func (l *loadedRows) leaves(row *simulation.Row) bool {
	return l.own && !l.overlay.IsSynthetic(worldRow(row))
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
	for i, name := range c.loaded.reasons {
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

// attributesPlace is where the custom attributes of a profile stand.
const attributesPlace = "/attributes/"

// member compiles a member that is not listed: a custom attribute, or one that an
// overlay directory adds. Its value is the loaded one, null for an attribute that
// the dataset does not have, and else the one made for a synthetic row, of one of
// several alternatives; a loaded one may take any that the schema allows.
func (c *compiler) member(allowed merged.Schema, place string, made value) value {
	if c.loaded == nil || !c.loaded.own {
		return made
	}
	overlay := c.loaded.overlay
	name, attribute := strings.CutPrefix(place, attributesPlace)
	if !attribute {
		name = memberName(place)
	}
	held := func(row *simulation.Row) (any, bool) {
		if attribute {
			return overlay.Attribute(worldRow(row), name)
		}
		return overlay.Member(worldRow(row), name)
	}
	nullable := attribute && allowed.Accepts(nil)
	var isAbsent func(*simulation.Row) bool
	if made.absent != nil {
		isAbsent = func(row *simulation.Row) bool {
			_, is := held(row)
			return !is && made.absent(row)
		}
	}
	made.Finish()
	return single(program.Op{Kind: program.Text, Text: func(dst []byte, row *simulation.Row) []byte {
		found, is := held(row)
		if is && nullable && (found == nil || !allowed.Accepts(found)) {
			return append(dst, "null"...)
		}
		if _, text := found.(string); is && (text || !c.format.CSV) && allowed.Accepts(found) {
			return append(dst, c.format.Value(found)...)
		}
		return made.Run(dst, row, nil)
	}}, isAbsent)
}
