package world

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// Columns whose values have weights in [Settings.Weights]: the members of the rows of a dataset that are drawn from a list. All
// others follow from what happens to people, or are of their own.
const (
	WeightPlatform        = "platform"
	WeightRegion          = "region"
	WeightTimezone        = "timezone"
	WeightLanguage        = "language"
	WeightMailboxProvider = "mailbox_provider"
	WeightBounceCode      = "bounce_code"
	WeightCTA             = "cta"
	WeightCTAPosition     = "cta_position"
	WeightSMSParts        = "sms_parts"
	WeightMessageLanguage = "message_language"
	WeightSmartSegment    = "smart_segment"
)

// OtherWeight stands for what there is besides a value that is drawn: messages in the languages of people beside default ones, and
// the segments that follow from the use of an app beside "migrated".
const OtherWeight = "other"

// MaxWeighted is how many values of a column may have a weight, and MaxWeightedText how long one is at most.
const (
	MaxWeighted     = 200
	MaxWeightedText = 100
)

// WeightColumns are the columns whose values may have weights, in order.
func WeightColumns() []string {
	return []string{
		WeightBounceCode, WeightCTA, WeightCTAPosition, WeightLanguage, WeightMailboxProvider, WeightMessageLanguage, WeightPlatform, WeightRegion,
		WeightSMSParts, WeightSmartSegment, WeightTimezone,
	}
}

// weightedValues are the values that a column may have; nil: any text, or what a pattern says.
func weightedValues(column string) []string {
	switch column {
	case WeightPlatform:
		return platformNames
	case WeightRegion, WeightTimezone, WeightLanguage:
		var all []string
		for i := range places.All {
			all = append(all, livesIn(&places.All[i], column, false), livesIn(&places.All[i], column, true))
		}
		slices.Sort(all)
		return slices.Compact(slices.DeleteFunc(all, func(value string) bool { return value == "" }))
	case WeightMessageLanguage:
		return []string{defaultLanguage, OtherWeight}
	case WeightSmartSegment:
		return []string{smartSegments[migratedSegment], OtherWeight}
	}
	return nil
}

// Of columns without a list: what a value is like, in words and as a pattern.
var (
	plainText   = regexp.MustCompile(`^[!#-:<-\[\]-~]+( +[!#-:<-\[\]-~]+)*$`)
	wholeNumber = regexp.MustCompile(`^(0|[1-9][0-9]{0,3})$`)
	mailCode    = regexp.MustCompile(`^[45]\.[0-9]{1,3}\.[0-9]{1,3}$`)
)

// CheckWeighted finds out whether a value of a column may have a weight: what is allowed, if it may not.
func CheckWeighted(column, value string) (allowed string) {
	if !slices.Contains(WeightColumns(), column) {
		return "one of " + strings.Join(WeightColumns(), ", ")
	}
	if list := weightedValues(column); list != nil {
		if slices.Contains(list, value) {
			return ""
		}
		return "one of " + strings.Join(list, ", ")
	}
	number := wholeNumber.MatchString(value)
	_, _, bounced := bounceOf(value)
	switch {
	case column == WeightCTAPosition && !number, column == WeightSMSParts && (!number || value == "0"):
		return "a whole number of at most four digits, such as 1"
	case column == WeightBounceCode && !bounced:
		return "one of " + strings.Join(bounceCodes(), ", ") + ", or another code of e-mails (RFC 3463), such as 5.7.1"
	case len(value) > MaxWeightedText, !plainText.MatchString(value):
		return fmt.Sprintf("1 to %d letters, digits and signs of ASCII, without quotes, semicolons and backslashes, and without spaces before and behind", MaxWeightedText)
	}
	return ""
}

// checkValueWeights finds weights of values that are unknown, out of range, or contradict each other.
func (s Settings) checkValueWeights() error {
	for _, column := range slices.Sorted(maps.Keys(s.Weights)) {
		wrong := func(reason string, arguments ...any) error {
			return &SettingsError{Field: "Weights", Event: column, Reason: fmt.Sprintf(reason, arguments...)}
		}
		weights, all := s.Weights[column], 0
		if !slices.Contains(WeightColumns(), column) {
			return wrong("has no meaning: the columns whose values have weights are %s", strings.Join(WeightColumns(), ", "))
		}
		if len(weights) > MaxWeighted {
			return wrong("has %d values; it must have at most %d", len(weights), MaxWeighted)
		}
		for _, value := range slices.Sorted(maps.Keys(weights)) {
			if allowed := CheckWeighted(column, value); allowed != "" {
				return wrong("has a weight for %q; a value must be %s", value, allowed)
			}
			if weight := weights[value]; weight < 0 || weight > MaxWeight {
				return wrong("has the weight %d for %q; each is from 0 to %d", weight, value, MaxWeight)
			}
			all += weights[value]
		}
		if all == 0 {
			return wrong("has no weight above 0; it must have one at least, such as %s:1", slices.Concat(weightedValues(column), []string{"1"})[0])
		}
	}
	_, err := s.homes()
	return err
}

// ParseWeights reads a column and the weights of its values, such as "platform=ios:3;android:1".
func ParseWeights(text string) (column string, weights map[string]int, err error) {
	column, list, found := strings.Cut(text, "=")
	if !found || column == "" {
		return "", nil, errors.New("must be a column and the weights of its values, such as platform=ios:3;android:1")
	}
	weights = map[string]int{}
	for part := range strings.SplitSeq(list, ";") {
		at := strings.LastIndexByte(part, ':') // a value may have a colon
		if at < 0 {
			return "", nil, fmt.Errorf("of %s says %q; it must be values and their weights, such as %s:1, separated by semicolons", column, part, part)
		}
		value := strings.TrimSpace(part[:at])
		weight, err := strconv.Atoi(strings.TrimSpace(part[at+1:]))
		if err != nil || weight < 0 || weight > MaxWeight {
			return "", nil, fmt.Errorf("of %s gives %q the weight %q; it must be a whole number from 0 to %d", column, value, part[at+1:], MaxWeight)
		}
		if _, twice := weights[value]; twice {
			return "", nil, fmt.Errorf("of %s gives %q two weights; name each value once", column, value)
		}
		weights[value] = weight
	}
	return column, weights, nil
}

// choices are some texts, each as often as its weight says.
type choices struct {
	texts []string
	ends  []int64 // of each, the sum of the weights up to it
}

// choicesOf are those of weights; nil: there are none.
func choicesOf(weights map[string]int) *choices {
	made, all := &choices{}, int64(0)
	for _, text := range slices.Sorted(maps.Keys(weights)) {
		if weights[text] > 0 {
			all += int64(weights[text])
			made.texts, made.ends = append(made.texts, text), append(made.ends, all)
		}
	}
	if all == 0 {
		return nil
	}
	return made
}

// at is the place of the text for a random number.
func (c *choices) at(random uint64) int {
	at, pick := 0, below(random, c.ends[len(c.ends)-1])
	for c.ends[at] <= pick {
		at++
	}
	return at
}

// partOf is which part of all a value is.
func (s Settings) weightedPart(column, value string) float64 {
	all := 0
	for _, weight := range s.Weights[column] {
		all += weight
	}
	return float64(s.Weights[column][value]) / float64(max(all, 1))
}

// drawn is what settings say of values that are drawn, as it is looked up for each row.
type drawn struct {
	// platforms are, of platformNames, the sums of the weights up to each.
	platforms [platformWeb + 1]int64
	homes     homes
	channels  channelShares
	mailboxes *mailboxes // nil: those of regions
	migrated  *chance    // nil: the usual
}

func (s Settings) drawn() (made drawn, err error) {
	made.platforms = [...]int64{platformIOS: 44, platformAndroid: 92, platformWeb: 100}
	if weights := s.Weights[WeightPlatform]; weights != nil {
		all := int64(0)
		for i, name := range platformNames {
			all += int64(weights[name])
			made.platforms[i] = all
		}
	}
	if s.Weights[WeightSmartSegment] != nil {
		migrated := chanceOf(s.weightedPart(WeightSmartSegment, smartSegments[migratedSegment]))
		made.migrated = &migrated
	}
	made.mailboxes = mailboxesOf(s.Weights[WeightMailboxProvider])
	made.homes, err = s.homes()
	made.channels = s.channelShares(made.homes.mobileShare())
	return made, err
}

// picked is one of some texts, as pick draws it, or as weights of a column say.
func (w *World) picked(column string, key uint64, usual ...string) Fact {
	of := choicesOf(w.settings.Weights[column])
	if of == nil {
		return pick(key, usual...)
	}
	return weightedFact(of.texts, func(r *Row) string { return of.texts[of.at(w.ofRepeat(r, key))] })
}

// weightedFact is one of some texts, which may need quotes in a file whose separator one of them holds.
func weightedFact(texts []string, of func(*Row) string) Fact {
	if slices.ContainsFunc(texts, func(text string) bool { return strings.ContainsAny(text, ",|") }) {
		return Fact{Words: of}
	}
	return textFact(of)
}

// numbered is a number from a list, drawn as the weights of a column say; nil: there are none.
func (w *World) numbered(column string, key uint64) func(r *Row) int64 {
	of := choicesOf(w.settings.Weights[column])
	if of == nil {
		return nil
	}
	numbers := make([]int64, len(of.texts))
	for i, text := range of.texts {
		numbers[i], _ = strconv.ParseInt(text, 10, 64) // it was checked
	}
	return func(r *Row) int64 { return numbers[of.at(draw(r.Message, key))] }
}

// ofRepeat is a random number of a message, and another one each time that its event comes again.
func (w *World) ofRepeat(r *Row, key uint64) uint64 {
	random := draw(r.Message, key)
	for range r.how.repeat {
		random = mix(random + golden)
	}
	return random
}
