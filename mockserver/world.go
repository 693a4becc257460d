package mockserver

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"

// World shapes the synthetic population and what is sent to it. The zero value is the usual world; a nil field means its default. It is
// part of what a file is made of: the same seed, number of profiles and World give the same files. The schema file
// schemas/mock/world.json describes it as JSON, with bounds and defaults.
//
//	PushOnly, EmailOnly, SMS          *float64  shares of profiles, 0 to 1, together at most 1
//	PushOptIn, EmailOptIn, SMSOptIn   *float64  shares of those that usually consent, 0 to 1
//	Growth                            *float64  by which the population grows in a year, 0 to 1
//	Churn                             *float64  share of active people who stop in four weeks, 0 to 0.5
//	Campaigns                         *int      orchestrations, 1 to 1000
//	WeeklyMessages                    *float64  messages a week for a profile, 0 to 100
//	Rates                             map[string]float64  by event, the share of messages that reach it
//	Regions                           map[string]float64  by region, a weight from 0 to 1000
//	Places                            []Place             further regions, with clocks, languages, mailboxes and numbers
//	Names                             map[string]Names    by language, names of people
//	Segments                          map[string]float64  by label of installations, a weight from 0 to 1000
//	Texture                           texture.Level       "tidy", "realistic" or "hostile"; empty means realistic
//
//	mockserver.World{PushOptIn: new(0.9), Rates: map[string]float64{"email_open": 0.5}}
type World = world.Settings

// Place is a region in which people live, Zone is a part of it, and Names are those of the people who speak a language. The keys
// places and names of mock/world.json describe them.
type (
	Place = world.Place
	Zone  = world.Zone
	Names = world.Names
)
