package rows

import (
	"fmt"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// maxWrittenOut is the largest number of orchestrations whose values are
// written out when the plan is compiled; for more, that would take too much
// memory.
const maxWrittenOut = 256

// scalar compiles a fact that is one text, number, date, flag or choice.
func (c *compiler) scalar(fact world.Fact, all mergedSchema, keywords schemas.Keywords) (op, error) {
	var quote []byte
	if !c.format.csv {
		quote = []byte(`"`)
	}
	switch {
	case fact.Words != nil:
		return op{kind: opText, textValue: textValue{text: func(dst []byte, row *world.Row) []byte {
			return append(dst, c.format.text(wireName(keywords, fact.Words(row)))...)
		}}}, nil
	case fact.Text != nil:
		made := op{kind: opText, textValue: textValue{fact.Text, fact.Width, fact.Length}, before: quote, after: quote}
		if count := world.Orchestrations(c.scope.View); fact.PerOrchestration && c.overlay == nil && count <= maxWrittenOut {
			made.each = count
		}
		return made, nil
	case fact.Time != nil:
		made := op{kind: opTime, number: fact.Time, before: quote, after: quote}
		if keywords.DateFormat != "local-date-time" {
			made.after = slices.Concat([]byte("Z"), quote)
		}
		return made, nil
	case fact.Number != nil:
		made := op{kind: opNumber, number: fact.Number}
		if all.accepts("0") && !all.accepts(0) {
			made.before, made.after = quote, quote
		}
		return made, nil
	case fact.Flag != nil:
		texts := [][]byte{[]byte("false"), []byte("true")}
		if all.accepts("true") && !all.accepts(true) {
			texts = [][]byte{c.format.text("false"), c.format.text("true")}
		}
		return op{kind: opFlag, flag: fact.Flag, texts: texts}, nil
	case fact.Choice != nil:
		made := op{kind: opChoice, choice: fact.Choice, texts: make([][]byte, len(fact.Names))}
		for i, name := range fact.Names {
			made.texts[i] = c.format.text(wireName(keywords, name))
			if err := refusedName(all, keywords, name); err != nil {
				return op{}, err
			}
		}
		return made, nil
	}
	return op{}, fmt.Errorf("x-source %q: the world does not say what kind of value it is", keywords.Source)
}
