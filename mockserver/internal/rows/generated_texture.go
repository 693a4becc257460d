package rows

import (
	"math/big"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// textured makes generated values awkward: texts where any text will do, and numbers as far as the schema goes. What a name says of an
// attribute (x-attribute-types) binds, too: a text of a list stays one of it. The loaded rows of a dataset stay as they are, unless one
// stands for a synthetic row.
func (c *compiler) textured(plain op, all merged.Schema, place string, key func(*world.Row) uint64) op {
	made, kinds := c.world.Texture(), all.Kinds()
	if made == nil || len(kinds) != 1 {
		return plain
	}
	var bounds []*big.Rat
	for _, part := range all {
		if part.Format != "" || part.Pattern != nil || part.MinLength > 0 || part.MaxLength >= 0 {
			return plain
		}
		bounds = append(bounds, part.Minimum, part.Maximum)
	}
	decides := all.Roots()
	values := awkwardValues{Number: key, Append: c.format.AppendText, Read: c.format.Read}
	if !c.format.CSV {
		values.Read = awkwardText
	}
	if c.own {
		values.Leaves = (*world.Row).Given
	}
	switch {
	case kinds[0] == "string" && takesAnyText(decides.Accepts):
		values.Column = made.Column(place, texture.Answers)
		return values.Texts(plain)
	case (kinds[0] == "integer" || kinds[0] == "number") && !c.format.CSV:
		if !made.Hostile() {
			decides = all
		}
		if numbers := edgeNumbers(made.Hostile(), decides.Accepts, bounds...); len(numbers) > 0 {
			values.Column = made.Column(place, texture.Numbers)
			return values.Numbers(plain, numbers)
		}
	}
	return plain
}
