package world

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

// Settings shape a population and what is sent to it. The zero value is the
// usual world; a nil share or number means its default. They belong to what a
// file depends on, like the seed and the number of profiles. Users know them as
// mockserver.World.
// See docs/explanation/world.md#why-do-people-have-opt-in-bounce-and-click-rates-like-these
type Settings struct {
	// PushOnly is the share of profiles that have an installation and neither
	// an e-mail address nor a telephone number, from 0 to 1; nil: DefaultPushOnly.
	PushOnly *float64 `json:"push-only,omitempty"`
	// EmailOnly is the share of profiles that have an e-mail address and
	// neither an installation nor a telephone number, from 0 to 1; nil:
	// DefaultEmailOnly.
	EmailOnly *float64 `json:"email-only,omitempty"`
	// SMS is the share of profiles that have a telephone number, from 0 to 1;
	// nil: DefaultSMS, or what PushOnly and EmailOnly leave, if that is less. The three
	// shares are together at most 1; a default gives way to what was set.
	SMS *float64 `json:"sms,omitempty"`
	// PushOptIn is the share of installations that usually take push
	// notifications, from 0 to 1; nil: DefaultPushOptIn.
	PushOptIn *float64 `json:"push-opt-in,omitempty"`
	// EmailOptIn is the share of e-mail addresses whose person usually takes
	// marketing e-mails, from 0 to 1; nil: DefaultEmailOptIn.
	EmailOptIn *float64 `json:"email-opt-in,omitempty"`
	// SMSOptIn is the share of telephone numbers whose person usually takes
	// marketing SMS, from 0 to 1; nil: DefaultSMSOptIn.
	SMSOptIn *float64 `json:"sms-opt-in,omitempty"`
	// Rates are, by event as files write it, the share of the messages at the
	// step before that reach this one, from 0 to 1, in place of the rate that the
	// schemas give (the schema keyword x-journey): {"email_open": 0.5}. An event
	// has the same rate in all exports.
	Rates map[string]float64 `json:"rates,omitempty"`
	// Regions are weights that say how many people live in each region, from 0 to MaxWeight, in place of the usual ones: {"FR": 3,
	// "DE": 1}. A region that is not named has the weight 0. See [RegionNames].
	Regions map[string]int `json:"regions,omitempty"`
	// Campaigns is how many orchestrations send the messages of profiles, from
	// 1 to MaxCampaigns; nil: DefaultCampaigns.
	Campaigns *int `json:"campaigns,omitempty"`
	// WeeklyMessages is how many messages a week are meant for each profile in the
	// busiest weeks of a year, which is 0.84 of that on average, from 0 to MaxWeeklyMessages; nil: DefaultWeeklyMessages. Push orchestrations
	// send three times as many as that. Who has no address or did not consent gets
	// fewer.
	WeeklyMessages *float64 `json:"weekly-messages,omitempty"`
	// Growth is by how much the population grows in a year, as a share of itself, from 0
	// to 1; nil: DefaultGrowth. The number of profiles of a world is reached years after
	// it begins; with 0 all are there when it does.
	Growth *float64 `json:"growth,omitempty"`
	// Texture is how awkward texts are: tidy, realistic or hostile. Empty: tidy,
	// as all worlds were that do not say it; who plans files says it always.
	Texture texture.Level `json:"texture,omitempty"`
}

// Limits of Settings.
const (
	MaxCampaigns      = 1_000
	MaxWeeklyMessages = 100
)

// Defaults of Settings. Flags and the doc of mockserver.World state them.
const (
	DefaultPushOnly       = 0.07
	DefaultEmailOnly      = 0.05
	DefaultSMS            = 0.56
	DefaultPushOptIn      = 0.64
	DefaultEmailOptIn     = 0.74
	DefaultSMSOptIn       = 0.55
	DefaultCampaigns      = 24
	DefaultWeeklyMessages = 3
	DefaultGrowth         = 0.25
)

// What no setting says.
const (
	localSending  = 0.9 // the share of orchestrations that send by the clocks of people
	endsByMessage = 0.7 // the share of withdrawals and lost addresses that come with an event of a message
	// In percent: a token or a code chooses a share between them.
	leastAudience, mostAudience = 20, 80
	leastSegment, mostSegment   = 5, 50
)

// SettingsError says what is wrong with one of the Settings.
type SettingsError struct {
	Key    string // its name in files, such as "push-only"
	Event  string // of Rates: which event; of Regions: which region
	Reason string // what was found and what is allowed
}

func (e *SettingsError) Error() string {
	if e.Event != "" {
		return fmt.Sprintf("world: %s of %q %s", e.Key, e.Event, e.Reason)
	}
	return fmt.Sprintf("world: %s %s", e.Key, e.Reason)
}

// Check finds what is out of range, or contradicts itself: a *SettingsError.
func (s Settings) Check() error {
	for _, share := range []struct {
		key   string
		value *float64
	}{
		{"push-only", s.PushOnly}, {"email-only", s.EmailOnly}, {"sms", s.SMS}, {"push-opt-in", s.PushOptIn},
		{"email-opt-in", s.EmailOptIn}, {"sms-opt-in", s.SMSOptIn}, {"growth", s.Growth},
	} {
		if share.value != nil && !isShare(*share.value) {
			return &SettingsError{Key: share.key, Reason: fmt.Sprintf("is %v; it is a share, from 0 to 1", *share.value)}
		}
	}
	if s.Campaigns != nil && (*s.Campaigns < 1 || *s.Campaigns > MaxCampaigns) {
		return &SettingsError{Key: "campaigns", Reason: fmt.Sprintf("is %d; it must be from 1 to %d", *s.Campaigns, MaxCampaigns)}
	}
	if s.WeeklyMessages != nil && !(*s.WeeklyMessages >= 0 && *s.WeeklyMessages <= MaxWeeklyMessages) {
		return &SettingsError{Key: "weekly-messages", Reason: fmt.Sprintf("is %v; it must be from 0 to %d", *s.WeeklyMessages, MaxWeeklyMessages)}
	}
	if !s.Texture.Known() {
		return &SettingsError{Key: "texture", Reason: fmt.Sprintf("is %q; it must be one of %v", s.Texture, texture.Levels())}
	}
	for _, event := range slices.Sorted(maps.Keys(s.Rates)) {
		if !isShare(s.Rates[event]) {
			return &SettingsError{Key: "rates", Event: event, Reason: fmt.Sprintf("is %v; it is a share, from 0 to 1", s.Rates[event])}
		}
	}
	if err := s.checkRegions(); err != nil {
		return err
	}
	return s.checkShares()
}

func isShare(value float64) bool { return value >= 0 && value <= 1 }

// checkShares finds shares that cannot all be true of one population.
func (s Settings) checkShares() error {
	pushOnly, emailOnly, sms := s.shares()
	if s.SMS != nil {
		sms = *s.SMS
	}
	if pushOnly+emailOnly+sms <= 1+1e-9 {
		return nil
	}
	key, share := "email-only", emailOnly
	if s.SMS != nil {
		key, share = "sms", sms
	}
	return &SettingsError{Key: key, Reason: fmt.Sprintf(
		"is %v: push-only profiles (%v), e-mail-only profiles (%v) and those with a telephone number (%v) are different ones, together at most 1",
		share, pushOnly, emailOnly, sms)}
}

// shares are those of PushOnly, EmailOnly and SMS. A default gives way to what
// was set.
func (s Settings) shares() (pushOnly, emailOnly, sms float64) {
	pushOnly, emailOnly, sms = DefaultPushOnly, DefaultEmailOnly, DefaultSMS
	room := 1.0 // for defaults
	for _, set := range []*float64{s.PushOnly, s.EmailOnly, s.SMS} {
		if set != nil {
			room -= *set
		}
	}
	for _, share := range []struct {
		set   *float64
		value *float64
	}{{s.PushOnly, &pushOnly}, {s.EmailOnly, &emailOnly}, {s.SMS, &sms}} {
		if share.set != nil {
			*share.value = *share.set
			continue
		}
		*share.value = max(min(*share.value, room), 0)
		room -= *share.value
	}
	return pushOnly, emailOnly, sms
}

// SayTextureOnly reports whether everything but the texture is as usual, as in most worlds.
func SayTextureOnly(s *Settings) bool {
	return s.PushOnly == nil && s.EmailOnly == nil && s.SMS == nil && s.PushOptIn == nil && s.EmailOptIn == nil && s.SMSOptIn == nil &&
		s.Rates == nil && s.Regions == nil && s.Campaigns == nil && s.WeeklyMessages == nil && s.Growth == nil
}

// Clone is a copy that shares nothing with the original.
func (s Settings) Clone() Settings {
	for _, share := range []**float64{&s.PushOnly, &s.EmailOnly, &s.SMS, &s.PushOptIn, &s.EmailOptIn, &s.SMSOptIn, &s.Growth} {
		*share = clonePointer(*share)
	}
	s.Campaigns, s.WeeklyMessages = clonePointer(s.Campaigns), clonePointer(s.WeeklyMessages)
	s.Rates, s.Regions = maps.Clone(s.Rates), maps.Clone(s.Regions)
	return s
}

func clonePointer[T any](of *T) *T {
	if of == nil {
		return nil
	}
	copied := *of
	return &copied
}

func orDefault[T any](set *T, usual T) T {
	if set != nil {
		return *set
	}
	return usual
}
