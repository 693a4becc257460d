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
	PushOnly *float64 `json:"push_only,omitempty"`
	// EmailOnly is the share of profiles that have an e-mail address and
	// neither an installation nor a telephone number, from 0 to 1; nil:
	// DefaultEmailOnly.
	EmailOnly *float64 `json:"email_only,omitempty"`
	// SMS is the share of profiles that have a telephone number, from 0 to 1;
	// nil: DefaultSMS, or what PushOnly and EmailOnly leave, if that is less. The three
	// shares are together at most 1; a default gives way to what was set.
	SMS *float64 `json:"sms,omitempty"`
	// PushOptIn is the share of installations that usually take push
	// notifications, from 0 to 1; nil: DefaultPushOptIn.
	PushOptIn *float64 `json:"push_opt_in,omitempty"`
	// EmailOptIn is the share of e-mail addresses whose person usually takes
	// marketing e-mails, from 0 to 1; nil: DefaultEmailOptIn.
	EmailOptIn *float64 `json:"email_opt_in,omitempty"`
	// SMSOptIn is the share of telephone numbers whose person usually takes
	// marketing SMS, from 0 to 1; nil: DefaultSMSOptIn.
	SMSOptIn *float64 `json:"sms_opt_in,omitempty"`
	// Rates are, by event as files write it, the share of the messages at the
	// step before that reach this one, from 0 to 1, in place of the rate that the
	// schemas give (the schema keyword x-journey): {"email_open": 0.5}. An event
	// has the same rate in all exports.
	Rates map[string]float64 `json:"rates,omitempty"`
	// Weights are, by column and value, how often values come that are drawn from a list, in place of the usual ones: {"platform":
	// {"ios": 3, "android": 1}}. A value of which nothing is said has the weight 0. See [WeightColumns] and, for what a column may
	// have, [CheckWeighted].
	Weights map[string]map[string]int `json:"weights,omitempty"`
	// Campaigns is how many orchestrations send the messages of profiles, from
	// 1 to MaxCampaigns; nil: DefaultCampaigns.
	Campaigns *int `json:"campaigns,omitempty"`
	// WeeklyMessages is how many messages a week are meant for each profile in the
	// busiest weeks of a year, which is 0.84 of that on average, from 0 to MaxWeeklyMessages; nil: DefaultWeeklyMessages. Push orchestrations
	// send three times as many as that. Who has no address or did not consent gets
	// fewer.
	WeeklyMessages *float64 `json:"weekly_messages,omitempty"`
	// AudienceShare is the share of installations that the audience of a campaign
	// or transactional group is, from 0 to 1; nil: all for push messages, and from
	// LeastAudience to MostAudience for in-app messages, as their token chooses.
	AudienceShare *float64 `json:"audience_share,omitempty"`
	// SegmentShare is the share of profiles that a segment is, from 0 to 1; nil:
	// from LeastSegment to MostSegment, as its code chooses.
	SegmentShare *float64 `json:"segment_share,omitempty"`
	// Growth is by how much the population grows in a year, as a share of itself, from 0
	// to 1; nil: DefaultGrowth. The number of profiles of a world is reached years after
	// it begins; with 0 all are there when it does.
	Growth *float64 `json:"growth,omitempty"`
	// SendHours are the weights of the hours of a day, by UTC or by LocalSending where people live, at which messages go out, and SendWeekdays those of
	// the days of a week, from Monday on: 24 and 7 numbers from 0 to MaxWeight; nil: usual ones.
	SendHours    []int `json:"send_hours,omitempty"`
	SendWeekdays []int `json:"send_weekdays,omitempty"`
	// LocalSending is the share of orchestrations that send by the clocks of the people they write to, from 0 to 1, first those of SMS
	// and push messages; nil: DefaultLocalSending. SendHours and SendWeekdays are theirs too, there.
	LocalSending *float64 `json:"local_sending,omitempty"`
	// AppHours and AppWeekdays are those of the use of the app, where its users live.
	AppHours    []int `json:"app_hours,omitempty"`
	AppWeekdays []int `json:"app_weekdays,omitempty"`
	// CampaignQuality is, by channel (email, sms, push), how often people open and click the messages of its orchestrations against
	// the mean of the list, over which they are spread evenly; rates stay as they are. nil: from half to one and a half, evenly; of push messages from a third to more than twice.
	CampaignQuality map[string][]float64 `json:"campaign_quality,omitempty"`
	// Changes are, by what changes (see [ChangeNames]), the share of those who have it that leave their usual state in four weeks, and
	// return to it about two weeks later: who consents withdraws, who has an address loses it, and the other way round. See [UsualChange].
	Changes map[string]float64 `json:"changes,omitempty"`
	// EndsByMessage is the share of withdrawals and of lost addresses and tokens that come with an event of a message: an unsubscription, a
	// complaint, a hard bounce; the others are made elsewhere. From 0 to 1; nil: DefaultEndsByMessage.
	EndsByMessage *float64 `json:"ends_by_message,omitempty"`
	// Phones is what becomes of the profiles beyond those for whom there are reserved
	// telephone numbers: they share them, or have none. Empty: PhonesRepeat.
	Phones Phones `json:"phones,omitempty"`
	// Texture is how awkward texts are: tidy, realistic or hostile. Empty: tidy,
	// as all worlds were that do not say it; who plans files says it always.
	Texture texture.Level `json:"texture,omitempty"`
}

// Phones is what there is when the reserved telephone numbers are used up.
type Phones string

// The choices of [Phones].
const (
	PhonesRepeat Phones = "repeat" // several profiles have one number
	PhonesNone   Phones = "none"   // further profiles have no number
)

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
	DefaultLocalSending   = 0.9
	DefaultEndsByMessage  = 0.7
	// In percent: a token or a code chooses a share between them.
	LeastAudience, MostAudience = 20, 80
	LeastSegment, MostSegment   = 5, 50
)

// SettingsError says what is wrong with one of the Settings.
type SettingsError struct {
	Field  string // the name of the field, such as "PushOnly"
	Event  string // of Rates: which event; of Weights: which column; of CampaignQuality: which channel; of Changes: of what
	Reason string // what was found and what is allowed
}

func (e *SettingsError) Error() string {
	if e.Event != "" {
		return fmt.Sprintf("world: %s of %q %s", e.Field, e.Event, e.Reason)
	}
	return fmt.Sprintf("world: %s %s", e.Field, e.Reason)
}

// Check finds what is out of range, or contradicts itself: a *SettingsError.
func (s Settings) Check() error {
	for _, share := range []struct {
		field string
		value *float64
	}{
		{"PushOnly", s.PushOnly}, {"EmailOnly", s.EmailOnly}, {"SMS", s.SMS}, {"PushOptIn", s.PushOptIn},
		{"EmailOptIn", s.EmailOptIn}, {"SMSOptIn", s.SMSOptIn}, {"AudienceShare", s.AudienceShare}, {"SegmentShare", s.SegmentShare}, {"Growth", s.Growth},
		{"LocalSending", s.LocalSending},
		{"EndsByMessage", s.EndsByMessage},
	} {
		if share.value != nil && !isShare(*share.value) {
			return &SettingsError{Field: share.field, Reason: fmt.Sprintf("is %v; it is a share, from 0 to 1", *share.value)}
		}
	}
	if s.Campaigns != nil && (*s.Campaigns < 1 || *s.Campaigns > MaxCampaigns) {
		return &SettingsError{Field: "Campaigns", Reason: fmt.Sprintf("is %d; it must be from 1 to %d", *s.Campaigns, MaxCampaigns)}
	}
	if s.WeeklyMessages != nil && !(*s.WeeklyMessages >= 0 && *s.WeeklyMessages <= MaxWeeklyMessages) {
		return &SettingsError{Field: "WeeklyMessages", Reason: fmt.Sprintf("is %v; it must be from 0 to %d", *s.WeeklyMessages, MaxWeeklyMessages)}
	}
	if s.Phones != "" && s.Phones != PhonesRepeat && s.Phones != PhonesNone {
		return &SettingsError{Field: "Phones", Reason: fmt.Sprintf("is %q; it must be %s or %s", s.Phones, PhonesRepeat, PhonesNone)}
	}
	if !s.Texture.Known() {
		return &SettingsError{Field: "Texture", Reason: fmt.Sprintf("is %q; it must be one of %v", s.Texture, texture.Levels())}
	}
	for _, event := range slices.Sorted(maps.Keys(s.Rates)) {
		if !isShare(s.Rates[event]) {
			return &SettingsError{Field: "Rates", Event: event, Reason: fmt.Sprintf("is %v; it is a share, from 0 to 1", s.Rates[event])}
		}
	}
	if err := s.checkWeights(); err != nil {
		return err
	}
	if err := s.checkValueWeights(); err != nil {
		return err
	}
	if err := s.checkQuality(); err != nil {
		return err
	}
	if err := s.checkChanges(); err != nil {
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
	field, share := "EmailOnly", emailOnly
	if s.SMS != nil {
		field, share = "SMS", sms
	}
	return &SettingsError{Field: field, Reason: fmt.Sprintf(
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
	return s.CampaignQuality == nil && s.Changes == nil && s.EndsByMessage == nil &&
		s.PushOnly == nil && s.EmailOnly == nil && s.SMS == nil && s.PushOptIn == nil && s.EmailOptIn == nil && s.SMSOptIn == nil &&
		s.Rates == nil && s.Weights == nil && s.Campaigns == nil && s.WeeklyMessages == nil && s.AudienceShare == nil && s.SegmentShare == nil && s.Growth == nil &&
		s.LocalSending == nil &&
		s.SendHours == nil && s.SendWeekdays == nil && s.AppHours == nil && s.AppWeekdays == nil && s.Phones == ""
}

// Clone is a copy that shares nothing with the original.
func (s Settings) Clone() Settings {
	for _, share := range []**float64{&s.PushOnly, &s.EmailOnly, &s.SMS, &s.PushOptIn, &s.EmailOptIn, &s.SMSOptIn, &s.AudienceShare, &s.SegmentShare, &s.Growth, &s.EndsByMessage} {
		*share = clonePointer(*share)
	}
	s.LocalSending = clonePointer(s.LocalSending)
	s.Campaigns, s.WeeklyMessages = clonePointer(s.Campaigns), clonePointer(s.WeeklyMessages)
	s.Rates, s.Weights = maps.Clone(s.Rates), maps.Clone(s.Weights)
	for column, weights := range s.Weights {
		s.Weights[column] = maps.Clone(weights)
	}
	s.Changes, s.CampaignQuality = maps.Clone(s.Changes), maps.Clone(s.CampaignQuality)
	for channel, factors := range s.CampaignQuality {
		s.CampaignQuality[channel] = slices.Clone(factors)
	}
	for _, weights := range []*[]int{&s.SendHours, &s.SendWeekdays, &s.AppHours, &s.AppWeekdays} {
		*weights = slices.Clone(*weights)
	}
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
