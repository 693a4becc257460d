package rows

import (
	"context"
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/simulation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// simulated is a file of the world that is simulated forward: it is written from its beginning to its end, and only so.
type simulated struct {
	view    *simulation.View
	arrives *arrival.View // what has arrived of the rows; nil: all of them
}

// Events are the names of the events.
func (s *simulated) Events() []string { return s.view.Events() }

// Units are parts of the people.
func (s *simulated) Units() int64 { return s.view.Parts() }

// Append appends nothing: no row is computed where it is wanted.
func (*simulated) Append(rows []world.Row, _ int64) []world.Row { return rows }

// simulate makes the simulated rows of a file.
func (r *Renderer) simulate(export schemas.Export, spec exports.File, query world.Query) (*simulated, *arrival.Files, error) {
	people, err := simulation.New(spec.Seed, spec.Profiles, simulatedSettings(spec.Settings))
	if err != nil {
		return nil, nil, err
	}
	made := simulation.Query{
		View: query.View, From: query.From, To: query.To, Now: query.Now, Stream: query.Stream, Segment: query.Segment,
		Events: query.Events, Channels: query.Channels, Journey: simulatedSteps(query.Journey), ShowsLinks: query.ShowsLinks,
	}
	for _, other := range r.library.Exports() {
		if other.View == vocabulary.ViewProfileMessages && made.Messages == nil {
			made.Messages = simulatedSteps(asked.JourneyOf(r.library, other))
		}
	}
	arrive, sometime := arrivals(export, spec, &query)
	made.From = query.From
	view, err := people.View(made)
	if err != nil || !sometime {
		return &simulated{view: view}, nil, err
	}
	return &simulated{view: view}, &arrive, nil
}

func simulatedSteps(steps []world.Step) (made []simulation.Step) {
	for _, s := range steps {
		made = append(made, simulation.Step{
			Event: s.Event, After: s.After, Rate: s.Rate, Delay: s.Delay, Spread: s.Spread, Unless: s.Unless, Channel: s.Channel, Consent: s.Consent,
			Person: s.Person, Burst: s.Burst, Machine: simulation.Machine(s.Machine), Again: simulation.Again(s.Again),
		})
	}
	return made
}

// simulatedSettings are those of settings that the simulated world has too.
func simulatedSettings(s world.Settings) simulation.Settings {
	var regions map[string]float64
	for code, weight := range s.Regions {
		if regions == nil {
			regions = map[string]float64{}
		}
		regions[code] = float64(weight)
	}
	return simulation.Settings{
		Regions: regions, Growth: s.Growth, Reach: simulation.Reach{PushOnly: s.PushOnly, EmailOnly: s.EmailOnly, SMS: s.SMS},
		OptIn:          simulation.OptIn{Push: s.PushOptIn, Email: s.EmailOptIn, SMS: s.SMSOptIn},
		WeeklyMessages: s.WeeklyMessages, Campaigns: s.Campaigns, Rates: s.Rates, Texture: s.Texture,
	}
}

// simulatedFact is a fact of the rows of the other world, which have those of the simulation in Loaded.
func simulatedFact(of simulation.Fact) (made world.Fact) {
	row := func(r *world.Row) *simulation.Row { return r.Loaded.(*simulation.Row) }
	made.Names = of.Names
	if of.Text != nil {
		made.Text = func(dst []byte, r *world.Row) []byte { return of.Text(dst, row(r)) }
		made.Length = func(*world.Row) int { return -1 }
	}
	if of.Flag != nil {
		made.Flag = func(r *world.Row) bool { return of.Flag(row(r)) }
	}
	if of.Number != nil {
		made.Number = func(r *world.Row) int64 { return of.Number(row(r)) }
	}
	if of.Time != nil {
		made.Time = func(r *world.Row) int64 { return of.Time(row(r)) }
	}
	if of.Choice != nil {
		made.Choice = func(r *world.Row) int { return of.Choice(row(r)) }
	}
	if of.Absent != nil {
		made.Absent = func(r *world.Row) bool { return of.Absent(row(r)) }
	}
	if of.Each != nil {
		made.Each = func(r *world.Row, items []world.Row) []world.Row {
			for _, item := range of.Each(row(r), nil) {
				items = append(items, worldRow(&item))
			}
			return items
		}
	}
	return made
}

// worldRow is a row of the other world about the same.
func worldRow(of *simulation.Row) world.Row {
	message := of.Message
	if message == 0 && of.Event >= 0 {
		message = 1
	}
	installation := int64(-1)
	if of.Installation >= 0 {
		installation = of.Number()<<3 | int64(of.Installation)
	}
	return world.Row{
		Profile: of.Number(), Installation: installation, Time: of.Time, Message: message, Event: int32(of.Event),
		Reason: world.Reason(of.Reason), Loaded: of,
	}
}

// planSimulated compiles the programs of a simulated file, and makes it.
func (r *Renderer) planSimulated(
	made *plan, c *compiler, root []*jsonschema.Schema, export schemas.Export, spec exports.File, query world.Query,
) (*File, error) {
	simulated, arrive, err := r.simulate(export, spec, query)
	if err != nil {
		return nil, err
	}
	events := simulated.Events()
	c.scope = world.Scope{View: simulated}
	c.alike = c.alikeEvents(root, query.Journey)
	kinds := []map[string]string{nil}
	switch {
	case len(events) > 0:
		kinds = kinds[:0]
		for _, name := range events {
			kinds = append(kinds, map[string]string{vocabulary.EventType: name})
		}
		made.pick = func(row *world.Row) int { return int(row.Event) }
	case export.View == vocabulary.ViewProfileChanges:
		kinds = kinds[:0]
		for reason, name := range simulation.ReasonNames()[1:] {
			kinds = append(kinds, map[string]string{vocabulary.EventReasons: name, vocabulary.EventChannel: simulation.ReasonChannel(reason + 1)})
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
	if arrive != nil {
		simulated.arrives = arrive.View(simulated)
	}
	return &File{
		renderer: r, export: export, spec: spec, plan: made, view: simulated, source: source{c.world, c.scope},
	}, nil
}

// renderInOrder gives the rows of a range of units to take in their order, until it returns false. Rows in order of time are those of
// all people.
func (s *simulated) renderInOrder(ctx context.Context, by *plan, from, to int64, take func(*chunk) bool) error {
	if s.view.Ordered() && (from > 0 || to < s.Units()) {
		return errors.New("a file in order of time is not written in shards under this version of the world")
	}
	c := chunk{unit: from, text: make([]byte, 0, 2*program.PieceBytes)}
	give := func() bool {
		more := take(&c)
		c.text, c.ends = c.text[:0], c.ends[:0]
		return more
	}
	more := true
	err := s.view.Write(ctx, simulation.Output{
		Render: func() simulation.Render { return s.render(by) }, From: from, To: to,
		Take: func(text []byte) (bool, error) {
			c.text = append(c.text, text...)
			if c.ends = append(c.ends, int32(len(c.text))); len(c.text) >= program.PieceBytes {
				more = give()
			}
			return more, nil
		},
		Done: func(unit int64) { c.unit = unit },
	})
	if err == nil && more && len(c.ends) > 0 {
		c.unit = to
		give()
	}
	return err
}

// count counts the rows of the first units, up to a limit.
func (s *simulated) count(ctx context.Context, by *plan, units, limit int64) (count int64, err error) {
	if limit <= 0 || units == 0 {
		return 0, nil
	}
	err = s.renderInOrder(ctx, by, 0, units, func(c *chunk) bool {
		count += int64(len(c.ends))
		return count < limit
	})
	return min(count, limit), err
}

// render makes what renders rows in one goroutine.
func (s *simulated) render(by *plan) simulation.Render {
	scratch := &program.Scratch{}
	var row world.Row
	return func(dst []byte, of *simulation.Row) ([]byte, int) {
		row = worldRow(of)
		copies := 1
		if arrives := s.arrives; arrives != nil {
			row.Loaded = nil
			fate := arrives.Of(&row)
			copies, row.Loaded = fate.Copies, of
			of.Skew = fate.Skew
		}
		if copies == 0 {
			return dst, 0
		}
		return by.appendRow(dst, &row, scratch), copies
	}
}

// isSimulated reports whether a world version is the one that is simulated forward.
func isSimulated(spec exports.File) bool { return spec.WorldVersion == simulation.Version }
