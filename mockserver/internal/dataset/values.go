package dataset

import (
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// Rows say of facts what they have of them: see [world.Values]. Most facts have the names of members.
type (
	profileRow struct {
		input.Profile
		id         string
		attributes map[string]any // once somebody asks
	}
	installationRow struct {
		input.Installation
		id string
	}
	eventRow input.Event
)

// Given implements [world.Values].
func (r *profileRow) Given(fact string) (text string, number int64, is bool) {
	switch fact {
	case vocabulary.ProfileID:
		return r.id, 0, true
	case vocabulary.EmailAddress, vocabulary.PhoneNumber: // events may change them
		return "", 0, false
	}
	return input.ValueOf(input.Profiles, &r.Profile, strings.TrimPrefix(fact, "profile."))
}

// Given implements [world.Values].
func (r *installationRow) Given(fact string) (text string, number int64, is bool) {
	if fact == vocabulary.InstallationID {
		return r.id, 0, true
	}
	return input.ValueOf(input.Installations, &r.Installation, strings.TrimPrefix(fact, "installation."))
}

// Given implements [world.Values].
func (e *eventRow) Given(fact string) (text string, number int64, is bool) {
	_, member, _ := strings.Cut(fact, ".")
	switch fact {
	case vocabulary.EventID:
		member = "event_id"
	case vocabulary.OrchestrationID, vocabulary.OrchestrationName:
		member = "orchestration_" + member
	case vocabulary.EmailAddress:
		if !strings.HasPrefix(e.Type, "email") { // else it tells where the message went
			return "", 0, false
		}
	case vocabulary.PhoneNumber:
		if !strings.HasPrefix(e.Type, "sms") {
			return "", 0, false
		}
	}
	return input.ValueOf(input.Events, (*input.Event)(e), member)
}
