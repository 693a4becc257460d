// Package texture makes texts awkward: legal values with quotes, separators, line breaks, blanks, leading zeros, other scripts, emoji,
// combining marks and great lengths, as real bases have them. What becomes of a text is a function of a seed, the column, the number of
// what the text belongs to, and the text itself; nothing of a file goes into it, so one person has one awkward name in all files. It
// knows nothing of the world, nor of formats: escaping is up to who writes the text.
package texture

import (
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/mixer"
)

// Level is how awkward texts are.
type Level string

// The levels.
const (
	// Tidy leaves all texts as they are.
	Tidy Level = "tidy"
	// Realistic is about as awkward as a base of real people.
	Realistic Level = "realistic"
	// Hostile is awkward everywhere.
	Hostile Level = "hostile"
)

// Levels are all levels, the tidiest first.
func Levels() []Level { return []Level{Tidy, Realistic, Hostile} }

// OrDefault is the level, or the usual one where none is said.
func (l Level) OrDefault() Level {
	if l == "" {
		return Realistic
	}
	return l
}

// Known reports whether there is such a level, or none is said.
func (l Level) Known() bool { return slices.Contains(Levels(), l.OrDefault()) }

// Texture is what becomes of the texts of one world. Nil leaves them as they are.
type Texture struct {
	level Level
	seed  uint64
}

// New is the texture of a level under a seed. Of no level, it is tidy.
func New(level Level, seed uint64) *Texture {
	if level == Tidy || level == "" {
		return nil
	}
	return &Texture{level, seed}
}

// Hostile reports whether it is awkward everywhere.
func (t *Texture) Hostile() bool { return t != nil && t.level == Hostile }

// Kind is what a column holds.
type Kind uint8

// The kinds of columns.
const (
	// Identifiers are distinct, and stay so; the text is given back by [Column.Plain].
	Identifiers Kind = iota
	// Names are labels that somebody typed, of a few things that are numbered.
	Names
	// Answers are what people say of themselves, which is sometimes nothing.
	Answers
	// Addresses are e-mail addresses, and stay such.
	Addresses
	// Links are URLs without a query, and become others.
	Links
	// Numbers are numbers, of which some are the first or the last that are allowed.
	Numbers
	// Devices are UUIDs of devices, which some devices write in capitals.
	Devices
)

// Column is what becomes of the texts of one column. It is immutable and safe for concurrent use.
type Column struct {
	key      uint64
	kind     Kind
	hostile  bool
	mixture  mixture
	literals []uint64                               // of Identifiers: the numbers whose identifier is a word that stands for nothing
	has      func(number uint64) bool               // who has an identifier; nil: none looks like another
	plain    func(dst []byte, number uint64) []byte // writes it before it becomes awkward
}

// Column is the column of a name; nil when its texts stay as they are.
func (t *Texture) Column(name string, kind Kind) *Column {
	if t == nil {
		return nil
	}
	made := &Column{key: mixer.Mix(t.seed, mixer.Name(name)), kind: kind, hostile: t.Hostile(), mixture: mixtureOf(kind, t.Hostile())}
	if kind == Identifiers {
		made.literals = made.literalNumbers()
	}
	return made
}

// Touches reports whether the text of a number becomes another.
func (c *Column) Touches(number uint64) bool { return c != nil && c.shapeOf(number) != asItIs }

// Apply changes the text of a number, which stands at the end of dst from begin on.
func (c *Column) Apply(dst []byte, begin int, number uint64) []byte {
	if c == nil {
		return dst
	}
	made := c.shapeOf(number)
	if made == lookAlike {
		return c.appendLookAlike(dst[:begin], number)
	}
	if made == literal && c.kind == Identifiers {
		return append(dst[:begin], nothings[slices.Index(c.literals, number)]...)
	}
	return made.write(dst, begin, c.draw(number))
}

// Edge is which of some numbers takes the place of that of a number.
func (c *Column) Edge(number uint64, of int) int { return int(c.draw(number) % uint64(of)) }

// draw is a random number for a number, other than that by which its shape is drawn.
func (c *Column) draw(number uint64) uint64 { return mixer.Mix(c.key, number^0x5851f42d4c957f2d) }

// shapeOf is what becomes of the text of a number.
func (c *Column) shapeOf(number uint64) shape {
	if c.mayPair(number) {
		if first, second := c.pairOf(number); number == second {
			return lookAlike
		} else if number == first && c.disguiseOf(first) == composed {
			return accented
		}
	}
	return c.ownShapeOf(number)
}

// ownShapeOf is that of a number that is of no pair.
func (c *Column) ownShapeOf(number uint64) shape {
	random := mixer.Mix(c.key, number)
	if c.kind == Identifiers && slices.Contains(c.literals, number) {
		return literal
	}
	if c.hostile && (c.kind == Identifiers || c.kind == Answers) && c.isOne(number, enormousOf) {
		return enormous
	}
	if share := c.quotedOf(number); share > 0 && c.isOne(number, share) {
		if share == crowdOf {
			return several
		}
		return quoted
	}
	if c.kind == Names && !c.hostile {
		// Names are few: every sixteen of them show what the mixture has, in an order of their own.
		random = (number*5 + mixer.Mix(c.key, number/16)) % 16 << 60
	}
	return c.mixture.pick(random)
}

// quotedOf is out of how many numbers one has an identifier or an answer that must be quoted in CSV; 0: that is left to the mixture.
// There are more of them among the first, so that small files have some.
func (c *Column) quotedOf(number uint64) uint64 {
	switch {
	case c.hostile || c.kind != Identifiers && c.kind != Answers:
		return 0
	case number < 64:
		return 8
	case c.kind == Identifiers && number < crowd:
		return crowdOf
	}
	return 256
}

// crowd is how many numbers a world has of which one night tells in a few hundred rows. A file shows whom it has to, in the
// order of time, so what is in all of such files has to be frequent among them.
const (
	crowd   = 1 << 16
	crowdOf = 16
)

// enormousOf is out of how many numbers one has an enormous identifier or answer in a hostile world.
const enormousOf = 4_096

// isOne reports whether a number is the one of its group that is chosen.
func (c *Column) isOne(number, of uint64) bool {
	return number%of == mixer.Mix(c.key^of, number/of)%of
}
