package dataset

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// Rows say of facts what they have of them: see [simulation.Values].
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

// The members of rows that are facts as they stand, by the names of these.
var (
	profileTexts = map[string]func(*profileRow) string{
		vocabulary.ProfileID:       func(r *profileRow) string { return r.id },
		vocabulary.MailboxProvider: func(r *profileRow) string { return r.MailboxProvider },
		vocabulary.PhoneCountry:    func(r *profileRow) string { return r.PhoneCountry },
		vocabulary.Language:        func(r *profileRow) string { return r.Language },
		vocabulary.Region:          func(r *profileRow) string { return r.Region },
		vocabulary.Timezone:        func(r *profileRow) string { return r.Timezone },
	}
	profileTimes = map[string]func(*profileRow) input.Timestamp{
		vocabulary.CreationDate:                func(r *profileRow) input.Timestamp { return r.CreationDate },
		vocabulary.LastVisitDate:               func(r *profileRow) input.Timestamp { return r.LastVisitDate },
		vocabulary.LastActivity:                func(r *profileRow) input.Timestamp { return r.LastActivity },
		vocabulary.LastEmailMarketingOpen:      func(r *profileRow) input.Timestamp { return r.LastEmailMarketingOpen },
		vocabulary.LastEmailMarketingClick:     func(r *profileRow) input.Timestamp { return r.LastEmailMarketingClick },
		vocabulary.LastEmailTransactionalOpen:  func(r *profileRow) input.Timestamp { return r.LastEmailTransactionalOpen },
		vocabulary.LastEmailTransactionalClick: func(r *profileRow) input.Timestamp { return r.LastEmailTransactionalClick },
	}
	eventTexts = map[string]func(*eventRow) string{
		vocabulary.EventID:            func(e *eventRow) string { return e.EventID },
		vocabulary.CTA:                func(e *eventRow) string { return e.CTA },
		vocabulary.ClickURL:           func(e *eventRow) string { return e.ClickURL },
		vocabulary.ClickURLName:       func(e *eventRow) string { return e.ClickURLName },
		vocabulary.BounceCode:         func(e *eventRow) string { return e.BounceCode },
		vocabulary.BounceType:         func(e *eventRow) string { return e.BounceType },
		vocabulary.MessageLanguage:    func(e *eventRow) string { return e.MessageLanguage },
		vocabulary.TransactionalToken: func(e *eventRow) string { return e.TransactionalToken },
		vocabulary.OrchestrationID:    func(e *eventRow) string { return e.OrchestrationID },
		vocabulary.OrchestrationName:  func(e *eventRow) string { return e.OrchestrationName },
		vocabulary.StepID:             func(e *eventRow) string { return e.StepID },
		vocabulary.StepName:           func(e *eventRow) string { return e.StepName },
		vocabulary.SentID:             func(e *eventRow) string { return e.SentID },
		vocabulary.ABTestingStatus:    func(e *eventRow) string { return e.ABTestingStatus },
		vocabulary.ABTestingVariant:   func(e *eventRow) string { return e.ABTestingVariant },
	}
)

func text(of string) (string, int64, bool) { return of, 0, of != "" }

func date(of input.Timestamp) (string, int64, bool) { return "", of.Second, of.Given }

func integer(of *input.Integer) (string, int64, bool) {
	if of == nil {
		return "", 0, false
	}
	return "", int64(*of), true
}

// Given implements [simulation.Values].
func (r *profileRow) Given(fact string) (string, int64, bool) {
	if of := profileTexts[fact]; of != nil {
		return text(of(r))
	}
	if of := profileTimes[fact]; of != nil {
		return date(of(r))
	}
	return "", 0, false
}

// Member implements [simulation.Values].
func (r *profileRow) Member(name string) (value any, is bool) {
	value, is = r.Further[name]
	return value, is
}

// Given implements [simulation.Values].
func (r *installationRow) Given(fact string) (string, int64, bool) {
	switch fact {
	case vocabulary.InstallationID:
		return text(r.id)
	case vocabulary.AdvertisingID:
		return text(r.AdvertisingID)
	case vocabulary.Platform:
		return text(r.Platform)
	case vocabulary.SmartSegment:
		return text(r.SmartSegment)
	case vocabulary.InstallDate:
		return date(r.InstallDate)
	case vocabulary.LastStartDate:
		return date(r.LastStartDate)
	}
	return "", 0, false
}

// Member implements [simulation.Values].
func (r *installationRow) Member(name string) (value any, is bool) {
	value, is = r.Further[name]
	return value, is
}

// Given implements [simulation.Values].
func (e *eventRow) Given(fact string) (string, int64, bool) {
	if of := eventTexts[fact]; of != nil {
		return text(of(e))
	}
	switch fact {
	case vocabulary.EmailAddress:
		return sentTo((*input.Event)(e), "email", e.EmailAddress)
	case vocabulary.PhoneNumber:
		return sentTo((*input.Event)(e), "sms", e.PhoneNumber)
	case vocabulary.CTAPosition:
		return integer(e.CTAPosition)
	case vocabulary.SMSParts:
		return integer(e.SMSParts)
	case vocabulary.MachineOpen:
		if e.MachineOpen != nil {
			return "", map[bool]int64{true: 1}[*e.MachineOpen], true
		}
	}
	return "", 0, false
}

// Member implements [simulation.Values].
func (e *eventRow) Member(name string) (value any, is bool) {
	value, is = e.Further[name]
	return value, is
}
