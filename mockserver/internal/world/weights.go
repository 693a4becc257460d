package world

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// MaxWeight is the largest weight in [Settings.Regions].
const MaxWeight = 1_000

// RegionNames are the regions that people live in, in order.
func RegionNames() (names []string) {
	for i := range places.All {
		names = append(names, places.All[i].Region)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// checkRegions finds weights of regions that are unknown, out of range, or all 0.
func (s Settings) checkRegions() error {
	all, known := 0, RegionNames()
	for _, region := range slices.Sorted(maps.Keys(s.Regions)) {
		wrong := func(reason string, arguments ...any) error {
			return &SettingsError{Key: "regions", Event: region, Reason: fmt.Sprintf(reason, arguments...)}
		}
		if !slices.Contains(known, region) {
			return wrong("has no meaning: the regions are %s", strings.Join(known, ", "))
		}
		if weight := s.Regions[region]; weight < 0 || weight > MaxWeight {
			return wrong("has the weight %d; it must be from 0 to %d", weight, MaxWeight)
		}
		all += s.Regions[region]
	}
	if s.Regions != nil && all == 0 {
		return &SettingsError{Key: "regions", Reason: "have no weight above 0; one region at least must have one"}
	}
	return nil
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

// drawn is what settings say of values that are drawn, as it is looked up for each row.
type drawn struct {
	homes    homes
	channels channelShares
}

func (s Settings) drawn() (made drawn) {
	made.homes = s.homes()
	made.channels = s.channelShares(made.homes.mobileShare())
	return made
}
