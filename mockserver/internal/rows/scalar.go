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

// scalar compiles a fact that is one text, number, date, flag or choice.
func (c *compiler) scalar(fact world.Fact, all merged.Schema, keywords schemas.Keywords) (program.Op, error) {
	var quote []byte
	if !c.format.CSV {
		quote = []byte(`"`)
	}
	switch {
	case fact.Text != nil && fact.Awkward:
		return program.Op{Kind: program.Text, Text: func(dst []byte, row *world.Row) []byte {
			begin := len(dst)
			dst = fact.Text(dst, row)
			if renamed, is := keywords.WireNames[string(dst[begin:])]; is {
				dst = append(dst[:begin], renamed...)
			}
			return c.format.Escape(dst, begin)
		}, Before: quote, After: quote}, nil
	case fact.Text != nil:
		return program.Op{Kind: program.Text, Text: fact.Text, Before: quote, After: quote}, nil
	case fact.Time != nil:
		made := program.Op{Kind: program.Time, Number: fact.Time, Before: quote, After: quote}
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
