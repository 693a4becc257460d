package simulation

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
	// Growth is by how much the population grows in a year, as a share of itself.
	Growth *float64 `json:"growth,omitempty"`
	Reach  Reach    `json:"reach,omitzero"`
	OptIn  OptIn    `json:"opt_in,omitzero"`
	// WeeklyMessages is how many messages a week are meant for a person in the busiest weeks of a year, of all channels.
	WeeklyMessages *float64 `json:"weekly_messages,omitempty"`
	// Campaigns is how many orchestrations send them.
	Campaigns *int `json:"campaigns,omitempty"`
	// Rates are, by event as files write it, the share of the messages at the step before that reach this one, in place of the rate
	// of the schema.
	Rates map[string]float64 `json:"rates,omitempty"`
	// Churn is the share of active people who stop using the app and reading in four weeks; some come back.
	Churn *float64 `json:"churn,omitempty"`
	// Regions are the weights of the regions that people live in, by their codes; nil: the usual ones.
	Regions map[string]float64 `json:"regions,omitempty"`
	// Places are regions that people may live in, beside those that are known or in place of them, and Names are those of people by
	// language.
	Places []Place          `json:"places,omitempty"`
	Names  map[string]Names `json:"names,omitempty"`
	// Segments are labels of installations with their weights, in place of those that follow from the dates.
	Segments map[string]float64 `json:"segments,omitempty"`
	// Texture is how awkward texts are.
	Texture texture.Level `json:"texture,omitempty"`
}

// Reach is by what people can be reached: the share of those with an installation and no address, with an e-mail address and nothing
// else, and with a telephone number. Together they are at most 1; a default gives way to what was set.
type Reach struct {
	PushOnly  *float64 `json:"push_only,omitempty"`
	EmailOnly *float64 `json:"email_only,omitempty"`
	SMS       *float64 `json:"sms,omitempty"`
}

// OptIn is the share of installations that take push messages, and of addresses that take marketing.
type OptIn struct {
	Push  *float64 `json:"push,omitempty"`
	Email *float64 `json:"email,omitempty"`
	SMS   *float64 `json:"sms,omitempty"`
}

// Limits and defaults of Settings.
const (
	MaxCampaigns      = 1_000
	MaxWeeklyMessages = 100
	MostChurn         = 0.5

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
	Field  string // the name of the field, such as "Reach.PushOnly"
	Event  string // of a map: which entry
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
	for _, of := range []struct {
		field string
		value *float64
		most  float64
	}{
		{"Growth", s.Growth, 1},
		{"Reach.PushOnly", s.Reach.PushOnly, 1}, {"Reach.EmailOnly", s.Reach.EmailOnly, 1}, {"Reach.SMS", s.Reach.SMS, 1},
		{"OptIn.Push", s.OptIn.Push, 1}, {"OptIn.Email", s.OptIn.Email, 1}, {"OptIn.SMS", s.OptIn.SMS, 1},
		{"WeeklyMessages", s.WeeklyMessages, MaxWeeklyMessages}, {"Churn", s.Churn, MostChurn},
	} {
		if of.value != nil && !(*of.value >= 0 && *of.value <= of.most) {
			return &SettingsError{Field: of.field, Reason: fmt.Sprintf("is %v; it must be from 0 to %v", *of.value, of.most)}
		}
	}
	if s.Campaigns != nil && (*s.Campaigns < 1 || *s.Campaigns > MaxCampaigns) {
		return &SettingsError{Field: "Campaigns", Reason: fmt.Sprintf("is %d; it must be from 1 to %d", *s.Campaigns, MaxCampaigns)}
	}
	if !s.Texture.Known() {
		return &SettingsError{Field: "Texture", Reason: fmt.Sprintf("is %q; it must be one of %v", s.Texture, texture.Levels())}
	}
	for _, event := range slices.Sorted(maps.Keys(s.Rates)) {
		if rate := s.Rates[event]; !(rate >= 0 && rate <= 1) {
			return &SettingsError{"Rates", event, fmt.Sprintf("is %v; it is a share, from 0 to 1", rate)}
		}
	}
	if of, reason := checkPlaces(s.Places, s.Names); reason != "" {
		return &SettingsError{"Places", of, reason}
	}
	if err := checkWeights("Regions", s.Regions, Regions(s.Places...)); err != nil {
		return err
	}
	if err := checkWeights("Segments", s.Segments, nil); err != nil {
		return err
	}
	return s.checkShares()
}

// checkWeights finds weights below zero, names that are not known, and weights that are all zero.
func checkWeights(field string, weights map[string]float64, known []string) error {
	all := 0.0
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		if known != nil && !slices.Contains(known, name) {
			return &SettingsError{field, name, "is not known; known are " + strings.Join(known, ", ")}
		}
		if weight := weights[name]; !(weight >= 0 && weight <= 1e9) {
			return &SettingsError{field, name, fmt.Sprintf("is %v; it is a weight, from 0 to 1e9", weight)}
		}
		all += weights[name]
	}
	if weights != nil && !(all > 0) {
		return &SettingsError{Field: field, Reason: "have no weight above zero"}
	}
	return nil
}

// checkShares finds shares that cannot all be true of one population.
func (s Settings) checkShares() error {
	pushOnly, emailOnly, sms := s.shares()
	if pushOnly+emailOnly+sms <= 1+1e-9 {
		return nil
	}
	const reason = "is %v: push-only people (%v), e-mail-only people (%v) and those with a telephone number are different ones, at most 1"
	return &SettingsError{Field: "Reach.SMS", Reason: fmt.Sprintf(reason, sms, pushOnly, emailOnly)}
}

// shares are those of Reach.
func (s Settings) shares() (pushOnly, emailOnly, sms float64) {
	room := 1.0 // for defaults
	for _, set := range []*float64{s.Reach.PushOnly, s.Reach.EmailOnly, s.Reach.SMS} {
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
	pushOnly, emailOnly = share(s.Reach.PushOnly, DefaultPushOnly), share(s.Reach.EmailOnly, DefaultEmailOnly)
	return pushOnly, emailOnly, share(s.Reach.SMS, DefaultSMS)
}

func orDefault[T any](set *T, usual T) T {
	if set != nil {
		return *set
	}
	return usual
}

func sortedKeys[T any](of map[string]T) []string { return slices.Sorted(maps.Keys(of)) }
