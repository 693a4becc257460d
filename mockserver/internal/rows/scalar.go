package rows

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/encode"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// scalar compiles a fact that is one text, number, date, flag or choice.
func (c *compiler) scalar(fact world.Fact, all merged.Schema, keywords schemas.Keywords) (op, error) {
	var quote []byte
	if !c.format.CSV {
		quote = []byte(`"`)
	}
	switch {
	case fact.Text != nil && fact.Awkward:
		made := textOp(func(dst []byte, row *world.Row) []byte {
			begin := len(dst)
			dst = fact.Text(dst, row)
			if renamed, is := keywords.WireNames[string(dst[begin:])]; is {
				dst = append(dst[:begin], renamed...)
			}
			return c.format.Escape(dst, begin)
		})
		made.before, made.after = quote, quote
		return made, nil
	case fact.Text != nil:
		made := textOp(fact.Text)
		made.before, made.after = quote, quote
		return made, nil
	case fact.Time != nil:
		if as := otherDate(all, keywords); as != nil {
			return textOp(func(dst []byte, row *world.Row) []byte {
				return append(dst, c.format.Value(as(time.Unix(fact.Time(row), 0)))...)
			}), nil
		}
		made := dateOp(fact.Time)
		made.before, made.after = quote, quote
		if keywords.DateFormat != "local-date-time" {
			made.after = slices.Concat([]byte("Z"), quote)
		}
		return made, nil
	case fact.Number != nil:
		made := textOp(func(dst []byte, row *world.Row) []byte { return strconv.AppendInt(dst, fact.Number(row), 10) })
		if all.Accepts("0") && !all.Accepts(0) {
			made.before, made.after = quote, quote
		}
		return made, nil
	case fact.Flag != nil:
		texts := [][]byte{[]byte("false"), []byte("true")}
		for _, pair := range encode.FlagForms() {
			if all.Accepts(pair[0]) && all.Accepts(pair[1]) {
				texts = [][]byte{c.format.Value(pair[0]), c.format.Value(pair[1])}
				break
			}
		}
		return choiceOp(texts, func(row *world.Row) int {
			if fact.Flag(row) {
				return 1
			}
			return 0
		}), nil
	case fact.Choice != nil:
		texts := make([][]byte, len(fact.Names))
		for i, name := range fact.Names {
			texts[i] = c.format.Text(asked.WireName(keywords, name))
			if err := refusedName(all, keywords, name); err != nil {
				return op{}, err
			}
		}
		return choiceOp(texts, fact.Choice), nil
	}
	return op{}, fmt.Errorf("x-source %q: the world does not say what kind of value it is", keywords.Source)
}

// otherDate is a form of dates that schemas accept where they do not the usual one; nil for that.
func otherDate(all merged.Schema, keywords schemas.Keywords) func(time.Time) any {
	sample := time.Date(2026, 11, 29, 15, 4, 5, 0, time.UTC)
	forms := encode.DateForms(keywords.DateFormat)
	if at := slices.IndexFunc(forms, func(as func(time.Time) any) bool { return all.Accepts(as(sample)) }); at > 0 {
		return forms[at]
	}
	return nil
}
