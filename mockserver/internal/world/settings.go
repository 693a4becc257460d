package world

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

// Settings shape a population and what is sent to it: each is a number or a list that a user can estimate. The zero value is the
// usual world; nil means the default. They belong to what a file depends on, like the seed and the number of people.
// See docs/explanation/world.md#why-do-people-have-opt-in-bounce-and-click-rates-like-these
type Settings struct {
	// PushOnly, EmailOnly and SMS are the shares of people who have an installation and no address, an e-mail address and nothing else,
	// and a telephone number. Together they are at most 1; a default gives way to what was set.
	PushOnly  *float64 `json:"push-only,omitempty"`
	EmailOnly *float64 `json:"email-only,omitempty"`
	SMS       *float64 `json:"sms,omitempty"`
	// PushOptIn is the share of installations that take push messages, and the others that of addresses that take marketing.
	PushOptIn  *float64 `json:"push-opt-in,omitempty"`
	EmailOptIn *float64 `json:"email-opt-in,omitempty"`
	SMSOptIn   *float64 `json:"sms-opt-in,omitempty"`
	// Rates are, by event as files write it, the share of the messages at the step before that reach this one, in place of the rate
	// of the schema.
	Rates map[string]float64 `json:"rates,omitempty"`
	// Regions are the weights of the regions that people live in, by their codes; nil: the usual ones.
	Regions map[string]float64 `json:"regions,omitempty"`
	// Places are regions that people may live in, beside those that are known or in place of them, and Names are those of people by
	// language.
	Places []Place          `json:"places,omitempty"`
	Names  map[string]Names `json:"names,omitempty"`
	// Segments are labels of installations with their weights, in place of those that follow from the dates.
	Segments map[string]float64 `json:"segments,omitempty"`
	// Campaigns is how many orchestrations send messages.
	Campaigns *int `json:"campaigns,omitempty"`
	// WeeklyMessages is how many messages a week are meant for a person in the busiest weeks of a year, of all channels.
	WeeklyMessages *float64 `json:"weekly-messages,omitempty"`
	// Growth is by how much the population grows in a year, as a share of itself.
	Growth *float64 `json:"growth,omitempty"`
	// Churn is the share of active people who stop using the app and reading in four weeks; some come back.
	Churn *float64 `json:"churn,omitempty"`
	// Texture is how awkward texts are; empty: tidy.
	Texture texture.Level `json:"texture,omitempty"`
}

// Limits and defaults of Settings.
const (
	MaxCampaigns      = 1_000
	MaxWeeklyMessages = 100
	MaxWeight         = 1_000
	MaxChurn          = 0.5

	DefaultGrowth         = 0.25
	DefaultPushOnly       = 0.07
	DefaultEmailOnly      = 0.05
	DefaultSMS            = 0.56
	DefaultPushOptIn      = 0.64
	DefaultEmailOptIn     = 0.74
	DefaultSMSOptIn       = 0.55
	DefaultWeeklyMessages = 3
	DefaultCampaigns      = 24
	DefaultChurn          = 0.05
)

// SettingsError says what is wrong with one of the Settings.
type SettingsError struct {
	Key    string // its name in files, such as "push-only"
	Event  string // of a map: which entry
	Reason string // what was found and what is allowed
}

func (e *SettingsError) Error() string {
	if e.Event != "" {
		return e.Key + "." + e.Event + " " + e.Reason
	}
	return e.Key + " " + e.Reason
}

// Check finds what is out of range, or contradicts itself: a *SettingsError.
func (s Settings) Check() error {
	for _, of := range []struct {
		key   string
		value *float64
		most  float64
	}{
		{"push-only", s.PushOnly, 1}, {"email-only", s.EmailOnly, 1}, {"sms", s.SMS, 1}, {"push-opt-in", s.PushOptIn, 1},
		{"email-opt-in", s.EmailOptIn, 1}, {"sms-opt-in", s.SMSOptIn, 1}, {"growth", s.Growth, 1},
		{"weekly-messages", s.WeeklyMessages, MaxWeeklyMessages}, {"churn", s.Churn, MaxChurn},
	} {
		if of.value != nil && !(*of.value >= 0 && *of.value <= of.most) {
			return &SettingsError{Key: of.key, Reason: fmt.Sprintf("is %v; it must be from 0 to %v", *of.value, of.most)}
		}
	}
	if s.Campaigns != nil && (*s.Campaigns < 1 || *s.Campaigns > MaxCampaigns) {
		return &SettingsError{Key: "campaigns", Reason: fmt.Sprintf("is %d; it must be from 1 to %d", *s.Campaigns, MaxCampaigns)}
	}
	if !s.Texture.Known() {
		return &SettingsError{Key: "texture", Reason: fmt.Sprintf("is %q; it must be one of %v", s.Texture, texture.Levels())}
	}
	for _, event := range slices.Sorted(maps.Keys(s.Rates)) {
		if rate := s.Rates[event]; !(rate >= 0 && rate <= 1) {
			return &SettingsError{"rates", event, fmt.Sprintf("is %v; it is a share, from 0 to 1", rate)}
		}
	}
	if of, reason := checkPlaces(s.Places, s.Names); reason != "" {
		return &SettingsError{"places", of, reason}
	}
	if err := checkWeights("regions", s.Regions, Regions(s.Places...)); err != nil {
		return err
	}
	if err := checkWeights("segments", s.Segments, nil); err != nil {
		return err
	}
	return s.checkShares()
}

// checkWeights finds weights below zero, names that are not known, and weights that are all zero.
func checkWeights(key string, weights map[string]float64, known []string) error {
	all := 0.0
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		if known != nil && !slices.Contains(known, name) {
			return &SettingsError{key, name, fmt.Sprintf("has no meaning: the %s are %s", key, strings.Join(slices.Sorted(slices.Values(known)), ", "))}
		}
		if weight := weights[name]; !(weight >= 0 && weight <= MaxWeight) {
			return &SettingsError{key, name, fmt.Sprintf("has the weight %v; it must be from 0 to %d", weight, MaxWeight)}
		}
		all += weights[name]
	}
	if weights != nil && !(all > 0) {
		return &SettingsError{Key: key, Reason: "have no weight above zero"}
	}
	return nil
}

// checkShares finds shares that cannot all be true of one population.
func (s Settings) checkShares() error {
	pushOnly, emailOnly, sms := s.shares()
	if pushOnly+emailOnly+sms <= 1+1e-9 {
		return nil
	}
	key, share := "email-only", emailOnly
	if s.SMS != nil {
		key, share = "sms", sms
	}
	const reason = "is %v: push-only profiles (%v), e-mail-only profiles (%v) and those with a telephone number (%v) are different ones, " +
		"together at most 1"
	return &SettingsError{Key: key, Reason: fmt.Sprintf(reason, share, pushOnly, emailOnly, sms)}
}

// shares are those of PushOnly, EmailOnly and SMS.
func (s Settings) shares() (pushOnly, emailOnly, sms float64) {
	room := 1.0 // for defaults
	for _, set := range []*float64{s.PushOnly, s.EmailOnly, s.SMS} {
		if set != nil {
			room -= *set
		}
	}
	share := func(set *float64, usual float64) float64 {
		if set != nil {
			return *set
		}
		usual = max(min(usual, room), 0)
		room -= usual
		return usual
	}
	pushOnly, emailOnly = share(s.PushOnly, DefaultPushOnly), share(s.EmailOnly, DefaultEmailOnly)
	return pushOnly, emailOnly, share(s.SMS, DefaultSMS)
}

func orDefault[T any](set *T, usual T) T {
	if set != nil {
		return *set
	}
	return usual
}

// Clone is a copy that shares nothing with the original.
func (s Settings) Clone() Settings {
	for _, of := range []**float64{
		&s.PushOnly, &s.EmailOnly, &s.SMS, &s.PushOptIn, &s.EmailOptIn, &s.SMSOptIn, &s.WeeklyMessages, &s.Growth, &s.Churn,
	} {
		*of = clonePointer(*of)
	}
	s.Campaigns = clonePointer(s.Campaigns)
	s.Rates, s.Regions, s.Segments = maps.Clone(s.Rates), maps.Clone(s.Regions), maps.Clone(s.Segments)
	s.Places, s.Names = slices.Clone(s.Places), maps.Clone(s.Names)
	return s
}

func clonePointer[T any](of *T) *T {
	if of == nil {
		return nil
	}
	return new(*of)
}
