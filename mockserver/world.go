package mockserver

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"

// World shapes the synthetic population and what is sent to it. The zero value
// is the usual world; a nil field means its default. It is part of what a file
// is made of: the same seed, number of profiles and World give the same files.
//
// Its fields, and what nil means:
//
//	PushOnly       *float64  share of profiles with an installation alone, 0 to 1; 0.07
//	EmailOnly      *float64  share with an e-mail address alone; 0.05
//	SMS            *float64  share with a telephone number; 0.56; the three add up to at most 1
//	PushOptIn      *float64  share of installations that usually take push notifications; 0.64
//	EmailOptIn     *float64  share of e-mail addresses that usually take marketing; 0.74
//	SMSOptIn       *float64  share of telephone numbers that usually take marketing; 0.55
//	AudienceShare  *float64  share of installations in an audience; 0.2 to 0.8, by its token, in the app, else all
//	Growth         *float64  by which the population grows in a year, as a share of itself, 0 to 1; 0.25
//	SegmentShare   *float64  share of profiles in a segment; 0.05 to 0.5, by its code
//	Campaigns      *int      orchestrations that send the messages of profiles, 1 to 1,000; 24
//	WeeklyMessages *float64  messages a week meant for a profile in the busiest weeks, 0 to 100; 3
//	SendHours      []int     weights of the 24 hours, by UTC or by LocalSending where people live, at which messages go out; SendWeekdays of 7 days, from Monday on; AppHours and AppWeekdays of the use of the app, where its users live
//	LocalSending   *float64  share of orchestrations that send by the clocks of the people they write to, first those of SMS and push messages, 0 to 1; 0.9
//	Rates          map[string]float64  by event, the share of messages that reach it; the schemas'
//	Weights        map[string]map[string]int  by column and value, how often values come that are drawn from a list, such as platform and region; usual ones
//	CampaignQuality map[string][]float64  by channel, how often the messages of its orchestrations are opened and clicked against their mean, from the worst to the best; from half to one and a half, of push messages closer
//	Changes        map[string]float64  by what changes, such as "email_consent" and "push_token", the share that does in four weeks; usual ones
//	EndsByMessage  *float64  share of withdrawals and lost addresses that come with an event of a message; 0.7
//	Phones         world.Phones  beyond some 34,500 profiles, "repeat" the reserved telephone numbers, or have "none"; repeat
//	Texture        texture.Level  how awkward texts are: "tidy", "realistic", "sudden" or "hostile"; realistic
//
//	mockserver.World{PushOptIn: new(0.9), Rates: map[string]float64{"email_open": 0.5}}
type World = world.Settings
