package overlay

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/simulation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// World is the population beside which the rows of a dataset stand.
func World(seed uint64, profiles int64, s simulation.Settings) (*world.World, error) {
	var regions map[string]int
	for region, weight := range s.Regions {
		if regions == nil {
			regions = map[string]int{}
		}
		regions[region] = int(weight)
	}
	return world.NewWith(seed, profiles, world.Settings{
		PushOnly: s.PushOnly, EmailOnly: s.EmailOnly, SMS: s.SMS, PushOptIn: s.PushOptIn, EmailOptIn: s.EmailOptIn, SMSOptIn: s.SMSOptIn,
		Rates: s.Rates, Regions: regions, Campaigns: s.Campaigns, WeeklyMessages: s.WeeklyMessages, Growth: s.Growth, Texture: s.Texture,
	})
}
