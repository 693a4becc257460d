package mockserver

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"

// World shapes the synthetic population and what is sent to it. The zero value
// is the usual world; a nil field means its default. It is part of what a file
// is made of: the same seed, number of profiles and World give the same files.
//
// Its fields are those of the flags of the command with these names: the shares
// PushOnly, EmailOnly, SMS, PushOptIn, EmailOptIn, SMSOptIn, AudienceShare and
// SegmentShare (*float64, from 0 to 1), the numbers Campaigns and WeeklyMessages
// (*int), and Rates, a share by event (map[string]float64).
//
//	mockserver.World{PushOptIn: new(0.9), Rates: map[string]float64{"email_open": 0.5}}
type World = world.Settings
