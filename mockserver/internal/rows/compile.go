package rows

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// writer adds the text of a value of a row.
type writer func(dst []byte, row *world.Row) []byte

// value is how one value of a row becomes text: literal text, or a writer.
type value struct {
	literal []byte
	write   writer
	absent  func(*world.Row) bool // nil: never
}

// member is one member of an object or one column of a row. Text before the
// value, names of members among it, is already joined.
type member struct {
	before  []byte
	write   writer // nil: only text
	absent  func(*world.Row) bool
	instead []byte // the whole text when absent; nil: nothing
}

// compiler turns schemas into members for one kind of row: known says which
// event, channel or reason it has.
type compiler struct {
	library *schemas.Library
	world   *world.World
	scope   world.Scope
	format  format
	known   map[string]string // by x-source
	// selected are the members that the request chooses, by the place of the
	// object that holds them: "/identifiers", "/attributes" or, for columns, "".
	selected map[string]selection
	// samples are the texts of values without a source, by schema.
	samples map[string][][]byte
}

// maxPlaces is how deep a row may be nested; a schema that contains itself
// would go on for ever.
const maxPlaces = 16

// selection is a choice among the members of an object.
type selection struct {
	open   []string // members to choose among; nil: all
	chosen []string
}

// leavesOut says whether a member could be chosen and was not.
func (s selection) leavesOut(name string) bool {
	return slices.Contains(s.open, name) && !slices.Contains(s.chosen, name)
}

// knownMembers are the members whose values this kind of row fixes.
func (c *compiler) knownMembers(all conjuncts) map[string]any {
	known := map[string]any{}
	for _, name := range all.names(c.library) {
		property := flatten(all.property(name), nil)
		keywords := property.keywords()
		text, is := c.known[keywords.Source]
		if !is {
			continue
		}
		if wire, renamed := keywords.WireNames[text]; renamed {
			text = wire
		}
		if property.items() != nil {
			known[name] = []any{text}
		} else {
			known[name] = text
		}
	}
	return known
}

// object compiles the members of an object at a place in the row.
func (c *compiler) object(of []*jsonschema.Schema, place string) ([]member, error) {
	if strings.Count(place, "/") > maxPlaces {
		return nil, fmt.Errorf("the schema is nested deeper than %d members, or contains itself", maxPlaces)
	}
	all := flatten(of, nil)
	all = flatten(of, c.knownMembers(all))
	choice := c.selected[place]
	names := all.names(c.library)
	if choice.open == nil && choice.chosen != nil {
		names = choice.chosen
	}
	if columns := all.keywords().CSV; columns != nil {
		names = inOrder(columns.Columns, names)
	}
	var members []member
	for _, name := range names {
		if choice.leavesOut(name) {
			continue
		}
		property := flatten(all.property(name), nil)
		if property.refused() {
			continue
		}
		made, err := c.value(property, place+"/"+name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		needed := all.required(name) || slices.Contains(choice.chosen, name)
		members = c.join(members, name, made, property, needed)
	}
	return members, nil
}

// inOrder puts the names of an order first and keeps the others behind them.
func inOrder(order, names []string) []string {
	var sorted []string
	for _, name := range order {
		if slices.Contains(names, name) {
			sorted = append(sorted, name)
		}
	}
	for _, name := range names {
		if !slices.Contains(order, name) {
			sorted = append(sorted, name)
		}
	}
	return sorted
}

// join adds a member and merges it with the text before it where it can.
func (c *compiler) join(members []member, name string, made value, property conjuncts, needed bool) []member {
	var before, after []byte
	if c.format.csv {
		after = []byte(c.format.separator)
	} else {
		before, after = append(jsonText(name), ':'), []byte(",")
	}
	if made.write == nil {
		text := slices.Concat(before, made.literal, after)
		if last := len(members) - 1; last >= 0 && members[last].write == nil {
			members[last].before = append(members[last].before, text...)
			return members
		}
		return append(members, member{before: text})
	}
	write := made.write
	added := member{before: before, absent: made.absent, write: func(dst []byte, row *world.Row) []byte {
		return append(write(dst, row), after...)
	}}
	switch {
	case c.format.csv:
		added.instead = after
	case property.accepts(nil):
		added.instead = slices.Concat(before, []byte("null"), after)
	case needed && property.accepts(""):
		added.instead = slices.Concat(before, []byte(`""`), after)
	}
	if last := len(members) - 1; last >= 0 && members[last].write == nil && made.absent == nil {
		added.before = slices.Concat(members[last].before, added.before)
		members = members[:last]
	}
	return append(members, added)
}

// value compiles one value at a place in the row.
func (c *compiler) value(all conjuncts, place string) (value, error) {
	if fixed, is := all.constant(); is {
		return value{literal: c.format.value(fixed)}, nil
	}
	keywords := all.keywords()
	if keywords.Source != "" {
		fact, found := c.world.Fact(keywords.Source, c.scope)
		if !found {
			return value{}, fmt.Errorf("x-source %q: the world has no such value", keywords.Source)
		}
		return c.fact(fact, all, keywords, place)
	}
	if len(all.names(c.library)) > 0 || c.selected[place].chosen != nil {
		if c.format.csv {
			return value{}, fmt.Errorf("a column of a CSV file is text, and the schema asks for an object")
		}
		members, err := c.object(all, place)
		if err != nil {
			return value{}, err
		}
		return value{write: objectWriter(members)}, nil
	}
	return c.free(all, keywords, place)
}

func objectWriter(members []member) writer {
	return func(dst []byte, row *world.Row) []byte {
		return closeList(runMembers(append(dst, '{'), members, row), '}')
	}
}

// closeList puts a bracket in the place of the last comma.
func closeList(dst []byte, bracket byte) []byte {
	if dst[len(dst)-1] == ',' {
		dst[len(dst)-1] = bracket
		return dst
	}
	return append(dst, bracket)
}

func runMembers(dst []byte, members []member, row *world.Row) []byte {
	for i := range members {
		m := &members[i]
		if m.absent != nil && m.absent(row) {
			dst = append(dst, m.instead...)
			continue
		}
		dst = append(dst, m.before...)
		if m.write != nil {
			dst = m.write(dst, row)
		}
	}
	return dst
}

// fact compiles a value of the world.
func (c *compiler) fact(fact world.Fact, all conjuncts, keywords schemas.Keywords, place string) (value, error) {
	if fact.Constant != nil {
		return value{literal: c.format.text(fact.Constant())}, nil
	}
	items := all.items()
	switch {
	case fact.Each != nil && items == nil:
		return value{}, fmt.Errorf("x-source %q is a list of things: it needs an array whose items have sources", keywords.Source)
	case fact.Each != nil:
		item, err := c.value(flatten(items, nil), place+"/0")
		if err != nil {
			return value{}, fmt.Errorf("items: %w", err)
		}
		return value{absent: fact.Absent, write: func(dst []byte, row *world.Row) []byte {
			dst = append(dst, '[')
			fact.Each(row, func(each *world.Row) {
				dst = append(item.text(dst, each), ',')
			})
			return closeList(dst, ']')
		}}, nil
	case items != nil && !c.format.csv:
		if fixed, is := c.known[keywords.Source]; is {
			text := slices.Concat([]byte("["), c.format.text(wireName(keywords, fixed)), []byte("]"))
			return value{literal: text}, refusedName(flatten(items, nil), keywords, fixed)
		}
		single, err := c.scalar(fact, flatten(items, nil), keywords)
		if err != nil {
			return value{}, err
		}
		return value{absent: fact.Absent, write: func(dst []byte, row *world.Row) []byte {
			return append(single(append(dst, '['), row), ']')
		}}, nil
	}
	if fixed, is := c.known[keywords.Source]; is {
		return value{literal: c.format.text(wireName(keywords, fixed))}, refusedName(all, keywords, fixed)
	}
	write, err := c.scalar(fact, all, keywords)
	return value{write: write, absent: fact.Absent}, err
}

// refusedName is an error when the schema does not allow a name that the world
// gives.
func refusedName(all conjuncts, keywords schemas.Keywords, name string) error {
	if wire := wireName(keywords, name); !all.accepts(wire) {
		return fmt.Errorf("x-source %q gives %q, which the schema does not allow: allow it, or rename it with x-wire-names", keywords.Source, wire)
	}
	return nil
}

func wireName(keywords schemas.Keywords, name string) string {
	if wire, renamed := keywords.WireNames[name]; renamed {
		return wire
	}
	return name
}

func (v *value) text(dst []byte, row *world.Row) []byte {
	if v.write == nil {
		return append(dst, v.literal...)
	}
	return v.write(dst, row)
}

// scalar compiles a fact that is one text, number, date, flag or choice.
func (c *compiler) scalar(fact world.Fact, all conjuncts, keywords schemas.Keywords) (writer, error) {
	quote := func(write writer) writer {
		if c.format.csv {
			return write
		}
		return func(dst []byte, row *world.Row) []byte { return append(write(append(dst, '"'), row), '"') }
	}
	switch {
	case fact.Text != nil:
		return quote(fact.Text), nil
	case fact.Time != nil:
		zone := "Z"
		if keywords.DateFormat == "local-date-time" {
			zone = ""
		}
		return quote(func(dst []byte, row *world.Row) []byte {
			return append(appendDateTime(dst, fact.Time(row)), zone...)
		}), nil
	case fact.Number != nil:
		write := func(dst []byte, row *world.Row) []byte { return strconv.AppendInt(dst, fact.Number(row), 10) }
		if all.accepts("0") && !all.accepts(0) {
			return quote(write), nil
		}
		return write, nil
	case fact.Flag != nil:
		yes, no := []byte("true"), []byte("false")
		if all.accepts("true") && !all.accepts(true) {
			yes, no = c.format.text("true"), c.format.text("false")
		}
		return func(dst []byte, row *world.Row) []byte {
			if fact.Flag(row) {
				return append(dst, yes...)
			}
			return append(dst, no...)
		}, nil
	case fact.Choice != nil:
		texts := make([][]byte, len(fact.Names))
		for i, name := range fact.Names {
			texts[i] = c.format.text(wireName(keywords, name))
			if err := refusedName(all, keywords, name); err != nil {
				return nil, err
			}
		}
		return func(dst []byte, row *world.Row) []byte { return append(dst, texts[fact.Choice(row)]...) }, nil
	}
	return nil, fmt.Errorf("x-source %q: the world does not say what kind of value it is", keywords.Source)
}
