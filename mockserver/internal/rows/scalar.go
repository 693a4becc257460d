package rows

import (
	"fmt"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// maxWrittenOut is the largest number of orchestrations whose values are
// written out when the plan is compiled; for more, that would take too much
// memory.
const maxWrittenOut = 256

// escaped writes the text of a fact, with escapes where it may need them.
func (c *compiler) escaped(source string, fact world.Fact) func(dst []byte, row *world.Row) []byte {
	if !c.world.Awkward(source) {
		return fact.Text
	}
	return func(dst []byte, row *world.Row) []byte {
		begin := len(dst)
		if dst = fact.Text(dst, row); fact.Length(row) < 0 {
			return c.format.Escape(dst, begin)
		}
		return dst
	}
}

// scalar compiles a fact that is one text, number, date, flag or choice.
func (c *compiler) scalar(fact world.Fact, all merged.Schema, keywords schemas.Keywords) (program.Op, error) {
	var quote []byte
	if !c.format.CSV {
		quote = []byte(`"`)
	}
	switch {
	case fact.Words != nil:
		return program.Op{Kind: program.Text, TextValue: program.TextValue{Text: func(dst []byte, row *world.Row) []byte {
			return c.format.AppendText(dst, asked.WireName(keywords, fact.Words(row)))
		}}}, nil
	case fact.Text != nil:
		made := program.Op{Kind: program.Text, TextValue: program.TextValue{Text: c.escaped(keywords.Source, fact), Optional: fact.Hints.Optional}, Before: quote, After: quote}
		if count := world.Orchestrations(c.scope.View); fact.Hints.DependsOn == world.OnOrchestration && c.overlay == nil && count <= maxWrittenOut {
			made.DependsOn.Orchestrations = count
		} else if fact.Hints.DependsOn == world.OnRecipient && c.overlay == nil {
			made.DependsOn.Recipient = keywords.Source
		}
		return made, nil
	case fact.Time != nil:
		made := program.Op{Kind: program.Time, Number: fact.Time, Before: quote, After: quote}
		if fact.Hints.InOrder {
			made.Kind = program.TimeInOrder
		}
		if keywords.DateFormat != "local-date-time" {
			made.After = slices.Concat([]byte("Z"), quote)
		}
		return made, nil
	case fact.Number != nil:
		made := program.Op{Kind: program.Number, Number: fact.Number}
		if all.Accepts("0") && !all.Accepts(0) {
			made.Before, made.After = quote, quote
		}
		return made, nil
	case fact.Flag != nil:
		texts := [][]byte{[]byte("false"), []byte("true")}
		if all.Accepts("true") && !all.Accepts(true) {
			texts = [][]byte{c.format.Text("false"), c.format.Text("true")}
		}
		return program.Op{Kind: program.Flag, Flag: fact.Flag, Texts: texts}, nil
	case fact.Choice != nil:
		made := program.Op{Kind: program.Choice, Choice: fact.Choice, Texts: make([][]byte, len(fact.Names))}
		for i, name := range fact.Names {
			made.Texts[i] = c.format.Text(asked.WireName(keywords, name))
			if err := refusedName(all, keywords, name); err != nil {
				return program.Op{}, err
			}
		}
		return made, nil
	}
	return program.Op{}, fmt.Errorf("x-source %q: the world does not say what kind of value it is", keywords.Source)
}
