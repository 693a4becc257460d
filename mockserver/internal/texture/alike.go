package texture

import (
	"bytes"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/mixer"
)

// One of so many numbers has an identifier that looks like that of another one of them, and of the first numbers already one of a
// few, so that a small base has one.
const (
	alikeOf        = 1_024
	alikeOfHostile = 32
	alikeOfFirst   = 64
)

// Only every fourth number can be of a pair, so that nothing is drawn for the others.
const laneBits, lane = 2, 3

// WithLookAlikes is the column of identifiers with pairs that a person, or a reader that tidies up, takes for one. Who has an
// identifier at all is told by has, and what it is before it becomes awkward is written by plain.
func (c *Column) WithLookAlikes(has func(number uint64) bool, plain func(dst []byte, number uint64) []byte) *Column {
	if c == nil {
		return nil
	}
	made := *c
	made.has, made.plain = has, plain
	return &made
}

// LookAlike is the number whose text is made of that of a number, if there is one.
func (c *Column) LookAlike(number uint64) (second uint64, is bool) {
	if !c.mayPair(number) {
		return 0, false
	}
	first, second := c.pairOf(number)
	return second, number == first
}

// mayPair is false for most numbers that are of no pair.
func (c *Column) mayPair(number uint64) bool {
	return c != nil && c.has != nil && (number^c.key)&lane == 0
}

// noPair is a number that nothing has.
const noPair = 1<<64 - 1

// pairOf is the pair among whom a number that may be of one is, or two numbers that nothing has.
func (c *Column) pairOf(number uint64) (first, second uint64) {
	of := uint64(alikeOf)
	if c.hostile {
		of = alikeOfHostile
	}
	at := number % of
	begin := number - at | number&lane
	if at >= alikeOfFirst && number == at {
		return noPair, noPair
	} else if number == at {
		of = min(of, alikeOfFirst)
	}
	at, of = at>>laneBits, of>>laneBits
	random := mixer.Mix(c.key^alikeOf, begin)
	one, other := random%of, random>>32%of
	if (at-one)%of >= candidates && (at-other)%of >= candidates {
		return noPair, noPair // most are far from both, and it need not be found out who they are
	}
	first = c.whoSuits(begin, one, of, noPair)
	second = c.whoSuits(begin, other, of, first)
	if first == noPair || second == noPair {
		return noPair, noPair
	}
	return first, second
}

// candidates are how many numbers behind each other are looked at for one that suits. Four in five do.
const candidates = 8

// whoSuits is the first number from a place on that can be of a pair, and is not the other one of it. Behind the last of the
// group is its first.
func (c *Column) whoSuits(begin, at, of, taken uint64) (number uint64) {
	for nth := range uint64(candidates) {
		number = begin + (at+nth)%of<<laneBits
		if number != taken && c.has(number) && c.suits(c.ownShapeOf(number)) {
			return number
		}
	}
	return noPair
}

// suits reports whether a text of a shape can be of a pair. Nobody else loses what makes a reader fail, and in a
// hostile world, where every text has something, the ends of the text have to be letters and digits of it.
func (c *Column) suits(own shape) bool {
	switch own {
	case literal, zeros, longest, enormous:
		return false
	}
	return c.hostile || own == asItIs
}

// disguise is how two texts differ that look the same.
type disguise uint8

const (
	letters   disguise = iota // a letter of another script
	digits                    // a letter in place of a digit
	trailing                  // a blank at the end
	widthless                 // a character without width
	composed                  // a letter with a mark, as one character and as two
	disguises
)

func (c *Column) disguiseOf(first uint64) disguise {
	return disguise(mixer.Mix(c.key^alikeOfFirst, first) % uint64(disguises))
}

// as is a character that looks like another one.
type as struct{ is, looks string }

// alike are the characters by which texts are disguised: of letters and digits those that Unicode calls confusable (UTS 39).
// None is the same letter in the other case.
var alike = [...][]as{
	letters:  {{"e", "е"}, {"a", "а"}, {"c", "с"}, {"s", "ѕ"}, {"u", "υ"}, {"d", "ԁ"}, {"E", "Е"}, {"A", "А"}, {"C", "С"}, {"S", "Ѕ"}, {"B", "В"}},
	digits:   {{"0", "O"}, {"1", "l"}},
	composed: {{"ë", "e\u0308"}, {"ç", "c\u0327"}, {"ü", "u\u0308"}, {"ú", "u\u0301"}},
}

var (
	trailings = [...]string{" ", "\u00a0"}
	invisible = [...]string{"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"}
)

// appendLookAlike writes the text of the second of a pair: that of the first, but for what nobody sees.
func (c *Column) appendLookAlike(dst []byte, number uint64) []byte {
	first, _ := c.pairOf(number)
	begin := len(dst)
	dst = c.Apply(c.plain(dst, first), begin, first)
	random, by := c.draw(first)>>8, c.disguiseOf(first)
	switch by {
	case trailing:
		return append(dst, trailings[random%uint64(len(trailings))]...)
	case widthless:
		return insert(dst, len(dst)-1, invisible[random%uint64(len(invisible))])
	}
	for _, choices := range [...][]as{alike[by], alike[letters]} { // not every text has one of the digits
		for nth := range choices {
			choice := &choices[(random+uint64(nth))%uint64(len(choices))]
			if at := bytes.LastIndex(dst[begin:], []byte(choice.is)); at >= 0 {
				tail := string(dst[begin+at+len(choice.is):])
				return append(append(dst[:begin+at], choice.looks...), tail...)
			}
		}
	}
	return dst
}

// undisguised is a text with the characters in it that others look like, and without those that have no width.
func undisguised(text string) string {
	var pairs []string
	for _, choices := range [...][]as{alike[letters], alike[digits]} {
		for _, choice := range choices {
			pairs = append(pairs, choice.looks, choice.is)
		}
	}
	for _, none := range invisible {
		pairs = append(pairs, none, "")
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
