package rows

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/encode"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// value is how one value of a row becomes text.
type value struct {
	program
	absent func(*world.Row) bool // of a value that is one op; nil: never
}

func literal(text []byte) value { return value{program: program{tail: text}} }

func single(o op, absent func(*world.Row) bool) value {
	return value{program: program{ops: []op{o}}, absent: absent}
}

// compiler turns schemas into members of one kind of row.
type compiler struct {
	library *schemas.Library
	world   *world.World
	view    *world.View
	format  encode.Format
	// constants are the values that the kind of row fixes: its event type, channel or reason, by x-source.
	constants map[string]string
	// request are the values that are the same in the whole file, by x-source.
	request map[string]string
	// selected are the members that the request chooses, by the place of the
	// object that holds them: "/identifiers", "/attributes" or, for columns, "".
	selected map[string]selection
	// generators are those of values without a source, by schema.
	generators map[string]generator
	// alike are events that the schema says nothing about, each with the one whose members it has.
	alike map[string]string
	// surprises are additions that the schema does not announce; firstKind says that
	// the kind of row is the first one: a surprise renames the event.
	surprises exports.Surprises
	firstKind bool
	// extraDate repeats the last date of a row.
	extraDate bool
	// actionPrefix begins identifiers of built-in actions.
	actionPrefix string
	own          bool // the file shows a dataset
	// mandatory says that the schema demands the value that is being compiled.
	mandatory bool
	// reasons are those of the kind of row.
	reasons []string
}

// findFact finds the fact that a member prints.
func (c *compiler) findFact(source string) (world.Fact, bool) {
	if c.mandatory {
		return c.view.Demanded(source)
	}
	return c.view.Fact(source)
}

// memberName is the last name of a place.
func memberName(place string) string { return place[strings.LastIndexByte(place, '/')+1:] }

// maxPlaces is how deep a row may be nested; a schema that contains itself would go on for ever.
const maxPlaces = 16

// selection is a choice among the members of an object.
type selection struct {
	open   []string // members to choose among; nil: all
	chosen []string
}

// leavesOut reports whether a member could be chosen and was not.
func (s selection) leavesOut(name string) bool {
	return slices.Contains(s.open, name) && !slices.Contains(s.chosen, name)
}

// constantMembers are the members whose values the kind of row fixes.
func (c *compiler) constantMembers(all merged.Schema) map[string]any {
	known := map[string]any{}
	for _, name := range all.Names(c.library) {
		property := merged.Of(all.Property(name), nil)
		keywords := property.Keywords()
		text, is := c.constants[keywords.Source]
		if !is {
			continue
		}
		if other, is := c.alike[text]; is && keywords.Source == vocabulary.EventType {
			text = other
		}
		if wire, renamed := keywords.WireNames[text]; renamed {
			text = wire
		}
		if property.Items() != nil {
			known[name] = []any{text}
		} else {
			known[name] = text
		}
	}
	return known
}

// object compiles the members of an object at a place in the row, each with the separator behind it.
func (c *compiler) object(of []*jsonschema.Schema, place string) (program, error) {
	if strings.Count(place, "/") > maxPlaces {
		return program{}, fmt.Errorf("the schema is nested deeper than %d members, or contains itself", maxPlaces)
	}
	all := merged.Of(of, nil)
	all = merged.Of(of, c.constantMembers(all))
	choice := c.selected[place]
	names := all.Names(c.library)
	if choice.open == nil && choice.chosen != nil {
		names = choice.chosen
	}
	if columns := all.Keywords().CSV; columns != nil {
		names = merged.InOrder(columns.Columns, names)
	}
	var members program
	type member struct {
		name    string
		made    value
		allowed merged.Schema
		needed  bool
	}
	var kept []member
	lastDate := -1
	for _, name := range names {
		if choice.leavesOut(name) {
			continue
		}
		allowed := merged.Schema(all.Property(name)) // without the alternatives that generated values take
		property := merged.Of(allowed, nil)
		if property.Refused() {
			continue
		}
		c.mandatory = c.own && c.demands(all, property, name)
		made, err := c.value(property, place+"/"+name)
		if err != nil {
			return program{}, inPlace(append(property, all...), err)
		}
		if len(made.ops) == 1 && made.ops[0].date {
			lastDate = len(kept)
		}
		needed := all.Required(name) || slices.Contains(choice.chosen, name)
		if share := property.Keywords().Values.NullShare; share != nil && *share > 0 && needed && !allowed.Accepts(c.format.Missing()) {
			return program{},
				inPlace(property,
					fmt.Errorf("x-null-share: the member is required, and its schema does not allow %s: allow it, or take the member off required",
						encode.JSON(c.format.Missing())))
		}
		kept = append(kept, member{name, made, allowed, needed})
	}
	for i, m := range kept {
		if i == 0 && place == "" && c.surprises.Has(exports.SurpriseNull) {
			m.made = literal(c.format.Value(c.format.Missing()))
		}
		c.join(&members, m.name, m.made, m.allowed, m.needed)
		if c.extraDate && i == lastDate {
			c.join(&members, m.name, m.made, m.allowed, m.needed)
		}
	}
	if c.surprising(place) {
		c.join(&members, exports.SurpriseName, literal(c.format.Text(exports.SurpriseName)), nil, true)
	}
	return members, nil
}

// surprising reports whether the object at a place has a member that no schema announces.
func (c *compiler) surprising(place string) bool {
	switch {
	case place == "/attributes":
		return c.surprises.Has(exports.SurpriseAttribute)
	case place != "":
		return false
	case c.format.CSV:
		return c.surprises.Has(exports.SurpriseColumn)
	}
	return c.surprises.Has(exports.SurpriseMember)
}

// join adds a member with its name and separator.
func (c *compiler) join(members *program, name string, made value, allowed merged.Schema, needed bool) {
	before, after := append(encode.JSON(name), ':'), []byte(",")
	if c.format.CSV {
		before, after = nil, []byte(c.format.Separator)
	}
	if made.absent == nil {
		members.append(before)
		members.join(made.program)
		members.append(after)
		return
	}
	only := made.ops[0]
	only.absent, only.before = made.absent, slices.Concat(before, only.before)
	switch {
	case c.format.CSV:
	case allowed.Accepts(nil):
		only.instead = slices.Concat(before, []byte("null"))
	case needed && allowed.Accepts(""):
		only.instead = slices.Concat(before, []byte(`""`))
	default: // it is left out, with its comma
		only.after = slices.Concat(only.after, after)
		after = nil
	}
	members.add(only)
	members.append(after)
}

// inPlace adds to what is wrong with a schema where that stands, unless it is said already.
func inPlace(all merged.Schema, err error) error {
	var fault *schemas.FileError
	if err == nil || len(all) == 0 || errors.As(err, &fault) {
		return err
	}
	return schemas.FaultOf(all[0], err.Error())
}

// value compiles one value at a place in the row.
func (c *compiler) value(all merged.Schema, place string) (value, error) {
	if fixed, is := all.Constant(); is {
		return literal(c.format.Value(fixed)), nil
	}
	keywords := all.Keywords()
	if text, is := c.request[keywords.Source]; is {
		return literal(c.format.Text(text)), nil
	}
	if keywords.Source != "" {
		return c.sourced(all, keywords, place)
	}
	if len(all.Names(c.library)) > 0 || c.selected[place].chosen != nil {
		if c.format.CSV {
			return value{}, fmt.Errorf("a column of a CSV file is text, and the schema asks for an object")
		}
		members, err := c.object(all, place)
		if err != nil {
			return value{}, err
		}
		if share := keywords.Values.NullShare; share != nil && *share > 0 {
			return value{}, fmt.Errorf("x-null-share: an object with members of its own is never null: give the keyword to its members")
		}
		made := literal([]byte("{"))
		made.join(members)
		made.close('}')
		return made, nil
	}
	return c.generated(all, keywords, place)
}

// sourced compiles a value of the world.
func (c *compiler) sourced(all merged.Schema, keywords schemas.Keywords, place string) (value, error) {
	fact, found := c.findFact(keywords.Source)
	if !found {
		return value{}, fmt.Errorf("x-source %q: the world has no such value", keywords.Source)
	}
	fact = c.prefixed(fact, keywords.Source)
	items := all.Items()
	switch {
	case fact.Each != nil && items == nil:
		return value{}, fmt.Errorf("x-source %q is a list of things: it needs an array whose items have sources", keywords.Source)
	case fact.Each != nil:
		item, err := c.value(merged.Of(items, nil), place+"/0")
		if err != nil {
			return value{}, inPlace(items, err)
		}
		return single(listOp(fact.Each, item.program), fact.Absent), nil
	case items != nil && !c.format.CSV:
		if fixed, is := c.constants[keywords.Source]; is {
			names := []string{fixed}
			if keywords.Source == vocabulary.EventReasons {
				names = c.reasons
			}
			return c.list(merged.Of(items, nil), keywords, names)
		}
		item, err := c.scalar(fact, merged.Of(items, nil), keywords)
		item.before, item.after = slices.Concat([]byte("["), item.before), slices.Concat(item.after, []byte("]"))
		return single(item, fact.Absent), err
	}
	if fixed, is := c.constants[keywords.Source]; is {
		if c.firstKind && keywords.Source == vocabulary.EventType && c.surprises.Has(exports.SurpriseEvent) {
			return literal(c.format.Text(exports.SurpriseName)), nil
		}
		return literal(c.format.Text(asked.WireName(keywords, fixed))), refusedName(all, keywords, fixed)
	}
	only, err := c.scalar(fact, all, keywords)
	return single(only, c.absentToo(fact.Absent, all, keywords, place)), err
}

// absentToo is when a fact is absent, and which share of it besides the schema says.
func (c *compiler) absentToo(absent func(*world.Row) bool, all merged.Schema, keywords schemas.Keywords,
	place string) func(*world.Row) bool {
	if keywords.Values.NullShare == nil || *keywords.Values.NullShare == 0 {
		return absent
	}
	share := c.sometimesNull(all, keywords, place)
	return func(row *world.Row) bool { return absent != nil && absent(row) || share(row.Key()) }
}

// list is a list of names that the kind of row fixes.
func (c *compiler) list(items merged.Schema, keywords schemas.Keywords, names []string) (value, error) {
	var texts [][]byte
	for _, name := range names {
		if err := refusedName(items, keywords, name); err != nil {
			return value{}, err
		}
		texts = append(texts, c.format.Text(asked.WireName(keywords, name)))
	}
	return literal(slices.Concat([]byte("["), bytes.Join(texts, []byte(",")), []byte("]"))), nil
}

// builtInPrefix begins identifiers of built-in actions in the world.
const builtInPrefix = "service."

// prefixed is a fact in which identifiers of built-in actions begin as the interface has it.
func (c *compiler) prefixed(fact world.Fact, source string) world.Fact {
	text := fact.Text
	if source != vocabulary.CTA || c.actionPrefix == builtInPrefix || text == nil {
		return fact
	}
	fact.Text = func(dst []byte, row *world.Row) []byte {
		begin := len(dst)
		dst = text(dst, row)
		if action, builtIn := strings.CutPrefix(string(dst[begin:]), builtInPrefix); builtIn {
			dst = append(append(dst[:begin], c.actionPrefix...), action...)
		}
		return dst
	}
	return fact
}

// refusedName is an error when the schema does not allow a name that the world has.
func refusedName(all merged.Schema, keywords schemas.Keywords, name string) error {
	if wire := asked.WireName(keywords, name); !all.Accepts(wire) {
		return fmt.Errorf("x-source %q gives %q, which the schema does not allow: allow it, or rename it with x-wire-names", keywords.Source,
			wire)
	}
	return nil
}
