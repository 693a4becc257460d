package world

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"

// A fact is a method of an interface below: synthetic rows and the rows of a
// dataset implement it, each in their own way, and the compiler asks for both.
// F is how an implementation describes a value.

// InstallationFacts are the facts of an installation.
type InstallationFacts[F any] interface {
	InstallationID() F
	AdvertisingID() F
	Platform() F
	InstallDate() F
	LastStartDate() F
	SmartSegment() F
	IsOptIn() F
	IsReachable() F
	HasCustomID() F
}

// InstallationFact finds one of them by its name.
func InstallationFact[F any](of InstallationFacts[F], name string) (fact F, known bool) {
	switch name {
	case vocabulary.InstallationID:
		return of.InstallationID(), true
	case vocabulary.AdvertisingID:
		return of.AdvertisingID(), true
	case vocabulary.Platform:
		return of.Platform(), true
	case vocabulary.InstallDate:
		return of.InstallDate(), true
	case vocabulary.LastStartDate:
		return of.LastStartDate(), true
	case vocabulary.SmartSegment:
		return of.SmartSegment(), true
	case vocabulary.IsOptIn:
		return of.IsOptIn(), true
	case vocabulary.IsReachable:
		return of.IsReachable(), true
	case vocabulary.HasCustomID:
		return of.HasCustomID(), true
	}
	return fact, false
}

// ProfileFacts are the facts of a profile.
type ProfileFacts[F any] interface {
	ProfileID() F
	CustomID() F
	CreationDate() F
	BirthDate() F
	Age() F
	EmailAddress() F
	MailboxProvider() F
	PhoneNumber() F
	PhoneCountry() F
	EmailMarketing() F
	SMSMarketing() F
	HasEmailAddress() F
	HasPhoneNumber() F
	Language() F
	Region() F
	Timezone() F
	LastVisitDate() F
	LastActivity() F
	LastEmailMarketingOpen() F
	LastEmailMarketingClick() F
	LastEmailTransactionalOpen() F
	LastEmailTransactionalClick() F
	ProfileInstallations() F
}

// ProfileFact finds one of them by its name.
func ProfileFact[F any](of ProfileFacts[F], name string) (fact F, known bool) {
	switch name {
	case vocabulary.ProfileID:
		return of.ProfileID(), true
	case vocabulary.CustomID:
		return of.CustomID(), true
	case vocabulary.CreationDate:
		return of.CreationDate(), true
	case vocabulary.BirthDate:
		return of.BirthDate(), true
	case vocabulary.Age:
		return of.Age(), true
	case vocabulary.EmailAddress:
		return of.EmailAddress(), true
	case vocabulary.MailboxProvider:
		return of.MailboxProvider(), true
	case vocabulary.PhoneNumber:
		return of.PhoneNumber(), true
	case vocabulary.PhoneCountry:
		return of.PhoneCountry(), true
	case vocabulary.EmailMarketing:
		return of.EmailMarketing(), true
	case vocabulary.SMSMarketing:
		return of.SMSMarketing(), true
	case vocabulary.HasEmailAddress:
		return of.HasEmailAddress(), true
	case vocabulary.HasPhoneNumber:
		return of.HasPhoneNumber(), true
	case vocabulary.Language:
		return of.Language(), true
	case vocabulary.Region:
		return of.Region(), true
	case vocabulary.Timezone:
		return of.Timezone(), true
	case vocabulary.LastVisitDate:
		return of.LastVisitDate(), true
	case vocabulary.LastActivity:
		return of.LastActivity(), true
	case vocabulary.LastEmailMarketingOpen:
		return of.LastEmailMarketingOpen(), true
	case vocabulary.LastEmailMarketingClick:
		return of.LastEmailMarketingClick(), true
	case vocabulary.LastEmailTransactionalOpen:
		return of.LastEmailTransactionalOpen(), true
	case vocabulary.LastEmailTransactionalClick:
		return of.LastEmailTransactionalClick(), true
	case vocabulary.ProfileInstallations:
		return of.ProfileInstallations(), true
	}
	return fact, false
}

// EventFacts are the facts of an event and of the orchestration that sent its message.
type EventFacts[F any] interface {
	EventType() F
	EventDate() F
	EventID() F
	EventChannel() F
	EventReasons() F
	CTA() F
	CTAPosition() F
	ClickURL() F
	ClickURLName() F
	BounceCode() F
	BounceType() F
	MachineOpen() F
	MessageLanguage() F
	SMSParts() F
	TransactionalToken() F
	OrchestrationID() F
	OrchestrationName() F
	StepID() F
	StepName() F
	SentID() F
	ABTestingStatus() F
	ABTestingVariant() F
}

// EventFact finds one of them by its name.
func EventFact[F any](of EventFacts[F], name string) (fact F, known bool) {
	switch name {
	case vocabulary.EventType:
		return of.EventType(), true
	case vocabulary.EventDate:
		return of.EventDate(), true
	case vocabulary.EventID:
		return of.EventID(), true
	case vocabulary.EventChannel:
		return of.EventChannel(), true
	case vocabulary.EventReasons:
		return of.EventReasons(), true
	case vocabulary.CTA:
		return of.CTA(), true
	case vocabulary.CTAPosition:
		return of.CTAPosition(), true
	case vocabulary.ClickURL:
		return of.ClickURL(), true
	case vocabulary.ClickURLName:
		return of.ClickURLName(), true
	case vocabulary.BounceCode:
		return of.BounceCode(), true
	case vocabulary.BounceType:
		return of.BounceType(), true
	case vocabulary.MachineOpen:
		return of.MachineOpen(), true
	case vocabulary.MessageLanguage:
		return of.MessageLanguage(), true
	case vocabulary.SMSParts:
		return of.SMSParts(), true
	case vocabulary.TransactionalToken:
		return of.TransactionalToken(), true
	case vocabulary.OrchestrationID:
		return of.OrchestrationID(), true
	case vocabulary.OrchestrationName:
		return of.OrchestrationName(), true
	case vocabulary.StepID:
		return of.StepID(), true
	case vocabulary.StepName:
		return of.StepName(), true
	case vocabulary.SentID:
		return of.SentID(), true
	case vocabulary.ABTestingStatus:
		return of.ABTestingStatus(), true
	case vocabulary.ABTestingVariant:
		return of.ABTestingVariant(), true
	}
	return fact, false
}
