package dataset

import (
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// givenRow says of facts what a row has of them: see [world.Values]. Most facts have the names of members.
type givenRow struct {
	input.Row
	id         string
	attributes map[string]any // of a profile, once somebody asks
}

// Given implements [world.Values].
func (r *givenRow) Given(fact string) (text string, number int64, is bool) {
	of, member, _ := strings.Cut(fact, ".")
	switch kind := r.Kind; {
	case kind == input.Events:
		return r.event(fact, member)
	case fact == vocabulary.ProfileID && kind == input.Profiles, fact == vocabulary.InstallationID && kind == input.Installations:
		return r.id, 0, true
	case fact == vocabulary.EmailAddress, fact == vocabulary.PhoneNumber: // events may change them
		return "", 0, false
	case of+"s" != string(kind):
		return "", 0, false
	}
	return r.Value(member)
}

// event is what an event says of a fact.
func (r *givenRow) event(fact, member string) (text string, number int64, is bool) {
	switch fact {
	case vocabulary.EventType:
		return r.Type(), 0, true
	case vocabulary.EventID:
		member = "event_id"
	case vocabulary.OrchestrationID, vocabulary.OrchestrationName:
		member = "orchestration_" + member
	case vocabulary.EmailAddress:
		if !strings.HasPrefix(r.Type(), "email") { // else it tells where the message went
			return "", 0, false
		}
	case vocabulary.PhoneNumber:
		if !strings.HasPrefix(r.Type(), "sms") {
			return "", 0, false
		}
	}
	return r.Value(member)
}
