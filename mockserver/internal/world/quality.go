package world

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Limits of the factors in [Settings.CampaignQuality], against the mean of their list, and how many a list has at most. Beyond them even
// people of the lowest and of the highest level of activity are not enough.
const (
	LeastQuality = 0.12
	MostQuality  = 2.4
	MaxQualities = 100
)

// QualityChannels are the channels whose campaigns may have a quality.
func QualityChannels() []string { return slices.Sorted(slices.Values(channelNames[1:])) }

// checkQuality finds factors that campaigns cannot have beside each other.
func (s Settings) checkQuality() error {
	for _, channel := range slices.Sorted(maps.Keys(s.CampaignQuality)) {
		factors := s.CampaignQuality[channel]
		wrong := func(reason string, arguments ...any) error {
			return &SettingsError{Field: "CampaignQuality", Event: channel, Reason: fmt.Sprintf(reason, arguments...)}
		}
		if !slices.Contains(QualityChannels(), channel) {
			return wrong("has no meaning: the channels are %s", strings.Join(QualityChannels(), ", "))
		}
		if len(factors) == 0 || len(factors) > MaxQualities {
			return wrong("has %d factors; it must have 1 to %d", len(factors), MaxQualities)
		}
		mean := meanOf(factors)
		for _, factor := range factors {
			if part := factor / mean; !(factor > 0) || !(part >= LeastQuality && part <= MostQuality) {
				return wrong("has the factor %v, where the mean is %.3g; each must be %v to %v times the mean", factor, mean, LeastQuality, MostQuality)
			}
		}
	}
	return nil
}

// usualPushQuality is that of push campaigns of which settings say nothing: nine parts of a log-normal distribution with a sigma of 0.6.
// Nobody opens one who does not start the app, so levels of activity alone would hardly tell push campaigns apart.
var usualPushQuality = []float64{0.385, 0.56, 0.702, 0.844, 1, 1.184, 1.424, 1.786, 2.6}

func meanOf(list []float64) float64 {
	sum := 0.0
	for _, each := range list {
		sum += each
	}
	return sum / float64(max(len(list), 1))
}

// ParseQuality reads a channel and the quality of its campaigns, such as "email=0.5;1;1.5".
func ParseQuality(text string) (channel string, factors []float64, err error) {
	channel, list, found := strings.Cut(text, "=")
	if !found || channel == "" {
		return "", nil, errors.New("must be a channel and the quality of its campaigns, such as email=0.5;1;1.5")
	}
	for part := range strings.SplitSeq(list, ";") {
		factor, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(factor > 0) || math.IsInf(factor, 0) {
			return "", nil, fmt.Errorf("of %s says %q; it must be numbers above 0, separated by semicolons, such as 0.5;1;1.5", channel, part)
		}
		factors = append(factors, factor)
	}
	return channel, factors, nil
}

// answering is, by effect, how often people answer against those without one; the first is that of the worst. answeringInApp is that of
// what happens in the app.
var answering, answeringInApp = answersUnder(false, &alwaysAwake), answersUnder(true, &awakeShare)

func answersUnder(inApp bool, awake *[levels]float64) (made [2*setEffect + 1]float64) {
	for at := range made {
		for level := range levels {
			as := actingLevel(level, at-setEffect, inApp)
			made[at] += float64(awake[level] * activity[as] / awake[as])
		}
		made[at] /= levels
	}
	return made
}

// setQuality makes the effects of the orchestrations of a channel, in the order of their ranks, those of factors: they are spread
// evenly over the list. An effect that lies between two levels is the higher one in some of the weeks.
func setQuality(effects []effect, ranks []int, factors []float64, inApp bool) {
	factors = slices.Sorted(slices.Values(factors))
	mean := meanOf(factors)
	for rank, i := range ranks {
		place := float64((2*rank+1)*len(factors))/float64(2*len(ranks)) - 0.5
		place = min(max(place, 0), float64(len(factors)-1))
		low := int(place)
		high := min(low+1, len(factors)-1)
		effects[i].inApp = inApp
		effects[i].set((factors[low] + float64((place-float64(low))*(factors[high]-factors[low]))) / mean)
	}
}

// set makes an effect that of a factor.
func (e *effect) set(factor float64) {
	of, at := &answering, 0
	if e.inApp {
		of = &answeringInApp
	}
	for at < len(of)-2 && of[at+1] <= factor {
		at++
	}
	part := (factor - of[at]) / (of[at+1] - of[at])
	e.more = int64(math.Round(min(max(part, 0), 1) * designWeeks))
	e.base = at - setEffect
}
