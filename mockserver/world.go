package mockserver

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"

// World shapes the synthetic population and what is sent to it. The zero value
// is the usual world; a nil field means its default. It is part of what a file
// is made of: the same seed, number of profiles and World give the same files.
type World struct {
	// PushOnly is the share of profiles that have an installation and neither
	// an e-mail address nor a telephone number, from 0 to 1; nil: 0.07.
	PushOnly *float64
	// EmailOnly is the share of profiles that have an e-mail address and
	// neither an installation nor a telephone number, from 0 to 1; nil: 0.05.
	EmailOnly *float64
	// SMS is the share of profiles that have a telephone number, from 0 to 1;
	// nil: 0.56. The three shares are together at most 1; a default gives way to
	// what was set.
	SMS *float64
	// PushOptIn is the share of installations that usually take push
	// notifications, from 0 to 1; nil: 0.64.
	PushOptIn *float64
	// EmailOptIn is the share of e-mail addresses whose person usually takes
	// marketing e-mails, from 0 to 1; nil: 0.74.
	EmailOptIn *float64
	// SMSOptIn is the share of telephone numbers whose person usually takes
	// marketing SMS, from 0 to 1; nil: 0.55.
	SMSOptIn *float64
	// Rates are, by event as files write it, the share of the messages at the
	// step before that reach this one, from 0 to 1, in place of the rate of the
	// schemas: {"email_open": 0.5}. An event has the same rate in all exports.
	Rates map[string]float64
	// Campaigns is how many orchestrations send the messages of profiles, from
	// 1 to 1,000; nil: 24.
	Campaigns *int
	// WeeklyMessages is how many messages a week are meant for each profile,
	// from 0 to 100; nil: 3. Who has no address or did not consent gets fewer.
	WeeklyMessages *int
	// AudienceShare is the share of installations that the audience of a
	// campaign or transactional group is, from 0 to 1; nil: from 0.2 to 0.8, as
	// its token chooses.
	AudienceShare *float64
	// SegmentShare is the share of profiles that a segment is, from 0 to 1; nil:
	// from 0.05 to 0.5, as its code chooses.
	SegmentShare *float64
}

// settings are the same for the packages that make files.
func (w World) settings() world.Settings { return world.Settings(w) }
