package texture

// mixture is which shapes the texts of a column have, and how often.
type mixture []share

// share is how many of a million texts have a shape.
type share struct {
	shape shape
	parts uint64
}

const million = 1_000_000

// pick is the shape that a random number draws.
func (m mixture) pick(random uint64) shape {
	drawn := random >> 32 * million >> 32
	for _, s := range m {
		if drawn < s.parts {
			return s.shape
		}
		drawn -= s.parts
	}
	return asItIs
}

// evenly gives every text one of some shapes.
func evenly(shapes ...shape) (m mixture) {
	for i, s := range shapes {
		parts := uint64(million / len(shapes))
		if i == 0 {
			parts += million % uint64(len(shapes))
		}
		m = append(m, share{s, parts})
	}
	return m
}

// mixtureOf is the mixture of a kind. The shares of realistic ones are those that are told of real bases. See
// docs/explanation/awkward-values.md#how-often
func mixtureOf(kind Kind, hostile bool) mixture {
	switch kind {
	case Identifiers:
		if hostile {
			return append(mixture{{longest, 1_000}}, evenly(quoted, latin, particle, script, marks, blanks, long, emoji, odd, bidi, returns,
				formula, capitals, zeros)...)
		}
		return mixture{{latin, 20_000}, {particle, 10_000}, {zeros, 10_000}, {capitals, 10_000}, {script, 5_000}, {blanks, 3_000},
			{long, 2_000}, {marks, 1_000}, {formula, 1_000}, {emoji, 500}, {odd, 300}}
	case Names:
		if hostile {
			return evenly(quoted, latin, particle, script, marks, blanks, long, emoji, odd, bidi, returns, formula, capitals, literal)
		}
		return mixture{{emoji, 2 * million / 16}, {quoted, million / 16}, {latin, 2 * million / 16}, {particle, million / 16},
			{script, million / 16}, {blanks, million / 16}, {marks, million / 16}}
	case Answers:
		if hostile {
			return append(mixture{{longest, 1_000}}, evenly(quoted, latin, particle, script, marks, blanks, long, emoji, odd, bidi, returns,
				formula, capitals, literal, empty)...)
		}
		return mixture{{latin, 60_000}, {particle, 40_000}, {empty, 10_000}, {script, 5_000}, {capitals, 5_000}, {blanks, 3_000},
			{literal, 2_000}, {long, 2_000}, {marks, 1_000}, {formula, 500}, {emoji, 500}, {odd, 300}}
	case Addresses:
		if hostile {
			return evenly(capitals, plus, quoteMark, longLocal, international)
		}
		// One person in thirteen has a domain of their own; the others get a tag in its place.
		return mixture{{capitals, 20_000}, {plus, 9_000}, {quoteMark, 5_000}, {longLocal, 500}, {international, 6_400}}
	case Links:
		if hostile {
			return evenly(query)
		}
		return mixture{{query, 300_000}}
	case Numbers:
		if hostile {
			return mixture{{edge, million / 2}}
		}
		return mixture{{edge, 10_000}}
	}
	if hostile { // of Devices
		return evenly(zeroed, capitals)
	}
	return mixture{{zeroed, 80_000}}
}
