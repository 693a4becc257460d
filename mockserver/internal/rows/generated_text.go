package rows

import (
	"math"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// text is a string: pieces without separators between them.
type text struct {
	pieces []generator
	append func(dst []byte, text string) []byte // writes a string as the format has it; nil: it is a piece itself
	fixed  bool                                 // different draws give different texts
}

func (g text) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	begin := len(dst)
	for _, piece := range g.pieces {
		dst, draws = piece.write(dst, draws)
	}
	if g.append != nil {
		dst = g.append(dst[:begin], string(dst[begin:]))
	}
	return dst, draws
}

func (g text) alternatives() uint64 {
	if !g.fixed {
		return 0
	}
	product := uint64(1)
	for _, piece := range g.pieces {
		product = times(product, alternativesOf(piece))
	}
	return product
}

func (b *generatorBuilder) text(all merged.Schema, keywords schemas.Keywords) generator {
	least, most := 0, math.MaxInt
	pattern, formats := "", []string(nil)
	for _, part := range all {
		if part.Pattern != nil {
			b.sure = b.sure && pattern == ""
			pattern = part.Pattern.String()
		}
		if part.Format != "" {
			formats = append(formats, part.Format)
		}
		least = max(least, part.MinLength)
		if part.MaxLength >= 0 {
			most = min(most, part.MaxLength)
		}
	}
	made := text{append: b.format.AppendText, fixed: true}
	layout := dateLayout(all, pattern)
	switch {
	case layout != "":
		made.pieces = []generator{between(layout, keywords)}
	case pattern != "":
		b.sure = b.sure && formats == nil && least == 0 && most == math.MaxInt
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			b.sure = false
			break
		}
		m := matcher{fixed: true, exact: true}
		made.pieces = m.pieces(tree.Simplify())
		made.fixed, b.sure = m.fixed, b.sure && m.exact
	case len(formats) > 0:
		b.sure = b.sure && len(formats) == 1 && least == 0 && most == math.MaxInt
		made.pieces = b.formatted(formats[0], keywords)
		if made.pieces == nil {
			b.sure = false
			made.pieces = b.words(least, most)
		}
	default:
		made.pieces = b.words(least, most)
	}
	return made
}

// words are two words and a number that tells texts apart, as far as there is room.
func (b *generatorBuilder) words(least, most int) []generator {
	digits := 8
	if b.unique {
		digits = 13 // 2^64 of them
	}
	const longest = len("juniper-juniper-")
	var pieces []generator
	if most >= longest+digits {
		pieces = []generator{oneWord, constant("-"), oneWord, constant("-")}
		least -= len("iris-iris-")
	} else {
		digits = min(digits, most)
	}
	digits = max(digits, least)
	for ; digits > 0; digits -= min(digits, 8) {
		pieces = append(pieces, alphanumeric(min(digits, 8)))
	}
	return pieces
}

var oneWord = func() choice {
	made := choice{}
	for _, word := range []string{
		"amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "harbor", "iris", "juniper", "lotus", "maple", "nova", "opal", "pine",
		"quartz",
	} {
		made.texts = append(made.texts, []byte(word))
	}
	return made
}()

// digitsOf is a number of a fixed count of digits in a base.
type digitsOf struct {
	base, width int
	count       uint64
}

func newDigits(base, width int) digitsOf {
	count := uint64(1)
	for range width {
		count *= uint64(base)
	}
	return digitsOf{base, width, count}
}

func hexadecimal(width int) generator  { return newDigits(16, width) }
func alphanumeric(width int) generator { return newDigits(36, width) }

func (g digitsOf) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	var buffer [16]byte
	number, draws := draws.Below(g.count)
	digits := strconv.AppendUint(buffer[:0], number, g.base)
	for range g.width - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...), draws
}

func (g digitsOf) alternatives() uint64 { return g.count }

// instants are moments in a range, a number of seconds apart.
type instants struct {
	first, step int64
	count       uint64
	layout      string
}

const daySeconds = 86_400

// dates are the first and last second of generated dates.
func dates(keywords schemas.Keywords) (first, last int64) {
	earliest, latest := keywords.Values.Earliest, keywords.Values.Latest
	if earliest.IsZero() {
		earliest = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		if !latest.IsZero() && latest.Before(earliest) {
			earliest = latest.AddDate(-10, 0, 0)
		}
	}
	if latest.IsZero() {
		latest = time.Date(2023, 12, 31, 0, 0, 0, 0, time.UTC)
		if latest.Before(earliest) {
			latest = earliest.AddDate(10, 0, 0)
		}
	}
	return earliest.Unix(), latest.Unix()
}

// between draws moments, or days, between x-earliest and x-latest.
func between(layout string, keywords schemas.Keywords) generator {
	step := int64(1)
	if layout == time.DateOnly {
		step = daySeconds
	}
	first, last := dates(keywords)
	first = (first + step - 1) / step * step
	return instants{first, step, uint64(max(last-first, 0)/step) + 1, layout}
}

// dateLayout is how a text with a pattern writes a moment, if dates and nothing else with as many digits match; "" for no date.
func dateLayout(all merged.Schema, pattern string) string {
	if pattern == "" {
		return ""
	}
	moments := []time.Time{time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC), time.Date(1999, 10, 31, 0, 0, 0, 0, time.UTC),
		time.Date(2026, 12, 1, 12, 30, 45, 0, time.UTC)}
	for _, layout := range []string{"2006-01-02T15:04:05Z", "2006-01-02T15:04:05", time.DateOnly} {
		refused := func(moment time.Time) bool { return !all.Accepts(moment.Format(layout)) }
		if !slices.ContainsFunc(moments, refused) && !all.Accepts(strings.Map(withoutDigit, layout)) {
			return layout
		}
	}
	return ""
}

func withoutDigit(r rune) rune {
	if r >= '0' && r <= '9' {
		return 'x'
	}
	return r
}

func (g instants) write(dst []byte, draws world.Draws) ([]byte, world.Draws) {
	index, draws := draws.Below(g.count)
	return time.Unix(g.first+int64(index)*g.step, 0).UTC().AppendFormat(dst, g.layout), draws
}

func (g instants) alternatives() uint64 { return g.count }

// formatted are the formats of draft 2020-12 that people use; nil: it is none of them.
func (b *generatorBuilder) formatted(format string, keywords schemas.Keywords) []generator {
	fixed := func(text string) generator { return constant(text) }
	switch format {
	case "date-time":
		return []generator{between("2006-01-02T15:04:05Z", keywords)}
	case "date":
		return []generator{between(time.DateOnly, keywords)}
	case "time":
		return []generator{instants{0, 1, daySeconds, "15:04:05Z"}}
	case "duration":
		return []generator{fixed("PT"), numbers{1, 1, 600, 0}, fixed("M")}
	case "uuid":
		variant := choice{texts: [][]byte{[]byte("8"), []byte("9"), []byte("a"), []byte("b")}}
		return []generator{hexadecimal(8), fixed("-"), hexadecimal(4), fixed("-4"), hexadecimal(3), fixed("-"), variant, hexadecimal(3),
			fixed("-"), hexadecimal(12)}
	case "email", "idn-email":
		return append(b.words(0, math.MaxInt), fixed("@example.com"))
	case "uri", "iri", "uri-reference", "iri-reference":
		return append([]generator{fixed("https://www.example.com/")}, b.words(0, math.MaxInt)...)
	case "hostname", "idn-hostname":
		return append(b.words(0, math.MaxInt), fixed(".example.com"))
	case "ipv4":
		// The network of RFC 2544, which no host on the Internet has.
		return []generator{fixed("198."), numbers{18, 1, 2, 0}, fixed("."), numbers{0, 1, 256, 0}, fixed("."), numbers{0, 1, 256, 0}}
	case "ipv6":
		return []generator{fixed("2001:db8:"), hexadecimal(4), fixed(":"), hexadecimal(4), fixed("::"), hexadecimal(4)}
	}
	return nil
}
