package world

import (
	"errors"
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

// Defaults of Settings.
const (
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

// Check finds settings that contradict each other, or regions that are not known. The bounds of each are in schemas/mock/world.json.
func (s Settings) Check() error {
	known := Regions(s.Places...)
	slices.Sort(known)
	for _, region := range slices.Sorted(maps.Keys(s.Regions)) {
		if !slices.Contains(known, region) {
			return fmt.Errorf("regions.%s has no meaning: the regions are %s", region, strings.Join(known, ", "))
		}
	}
	if len(slices.Compact(known)) < len(known) {
		return errors.New("places has a region twice")
	}
	for key, weights := range map[string]map[string]float64{"regions": s.Regions, "segments": s.Segments} {
		if weights != nil && sumOf(slices.Collect(maps.Values(weights))) <= 0 {
			return fmt.Errorf("%s have no weight above zero", key)
		}
	}
	pushOnly, emailOnly, sms := s.shares()
	if pushOnly+emailOnly+sms <= 1+1e-9 {
		return nil
	}
	key, share := "email-only", emailOnly
	if s.SMS != nil {
		key, share = "sms", sms
	}
	return fmt.Errorf("%s is %v: push-only profiles (%v), e-mail-only profiles (%v) and those with a telephone number (%v) are different "+
		"ones, together at most 1", key, share, pushOnly, emailOnly, sms)
}

// shares returns those of PushOnly, EmailOnly and SMS. Defaults get the room that the others leave.
func (s Settings) shares() (pushOnly, emailOnly, sms float64) {
	room := 1 - orDefault(s.PushOnly, 0) - orDefault(s.EmailOnly, 0) - orDefault(s.SMS, 0)
	share := func(set *float64, usual float64) float64 {
		if set == nil {
			usual = max(min(usual, room), 0)
			room -= usual
		}
		return orDefault(set, usual)
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
