package world

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What changes, in [Settings.Changes].
const (
	ChangeEmailAddress = "email_address"
	ChangeEmailConsent = "email_consent"
	ChangePhoneNumber  = "phone_number"
	ChangePushOptIn    = "push_opt_in"
	ChangePushToken    = "push_token"
	ChangeSMSConsent   = "sms_consent"
)

// comingAndGoing is the share of people whose address may come and go, and no other's does.
const comingAndGoing = 0.1

// mostMoving is how large a share is picked in one pass at most.
const mostMoving = 0.5

// changing is what may change: the share of those who have it that usually do, and how many times as many are picked, of whom the others
// never change.
type changing struct{ usual, picked float64 }

var changings = map[string]changing{
	ChangeEmailAddress: {0.01, 1 / comingAndGoing},
	ChangeEmailConsent: {0.03, 1},
	ChangePhoneNumber:  {0.01, 1 / comingAndGoing},
	ChangePushOptIn:    {0.05, 1},
	ChangePushToken:    {0.03, 1},
	ChangeSMSConsent:   {0.025, 1},
}

// ChangeNames are what may change, in order.
func ChangeNames() []string { return slices.Sorted(maps.Keys(changings)) }

// UsualChange is the share in the usual world.
func UsualChange(what string) float64 { return changings[what].usual }

// MostChange is the largest share that may be set.
func MostChange(what string) float64 { return mostMoving / changings[what].picked }

// moving is the share of the entities of a timeline that are picked in one pass.
func (s Settings) moving(what string) float64 {
	of := changings[what]
	if set, is := s.Changes[what]; is {
		of.usual = set
	}
	return of.usual * of.picked
}

// checkChanges finds changes that are unknown or out of range.
func (s Settings) checkChanges() error {
	for _, what := range slices.Sorted(maps.Keys(s.Changes)) {
		wrong := func(reason string, arguments ...any) error {
			return &SettingsError{Field: "Changes", Event: what, Reason: fmt.Sprintf(reason, arguments...)}
		}
		if _, known := changings[what]; !known {
			return wrong("has no meaning: what changes is %s", strings.Join(ChangeNames(), ", "))
		}
		if share := s.Changes[what]; !(share >= 0 && share <= MostChange(what)) {
			return wrong("is %v; it is a share, from 0 to %v", share, MostChange(what))
		}
	}
	return nil
}
