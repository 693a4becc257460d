package world

// The names of the facts, each written here and nowhere else in Go. A fact is a
// method of an interface below: synthetic rows and the rows of a dataset
// implement it, each in their own way, and the compiler asks for both. F is how
// an implementation describes a value.

// The names that the plan of a file refers to, because the kind of a row fixes the
// value or because a view depends on the column.
const (
	FactCustomID     = "profile.custom_id"
	FactEventType    = "event.type"
	FactCTA          = "event.cta"
	FactEventChannel = "event.channel"
	FactEventReasons = "event.reasons"
)

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
	case "installation.id":
		return of.InstallationID(), true
	case "installation.advertising_id":
		return of.AdvertisingID(), true
	case "installation.platform":
		return of.Platform(), true
	case "installation.install_date":
		return of.InstallDate(), true
	case "installation.last_start_date":
		return of.LastStartDate(), true
	case "installation.smart_segment":
		return of.SmartSegment(), true
	case "installation.is_optin":
		return of.IsOptIn(), true
	case "installation.is_reachable":
		return of.IsReachable(), true
	case "installation.has_custom_id":
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
	case "profile.id":
		return of.ProfileID(), true
	case FactCustomID:
		return of.CustomID(), true
	case "profile.creation_date":
		return of.CreationDate(), true
	case "profile.birth_date":
		return of.BirthDate(), true
	case "profile.age":
		return of.Age(), true
	case "profile.email_address":
		return of.EmailAddress(), true
	case "profile.mailbox_provider":
		return of.MailboxProvider(), true
	case "profile.phone_number":
		return of.PhoneNumber(), true
	case "profile.phone_country":
		return of.PhoneCountry(), true
	case "profile.email_marketing":
		return of.EmailMarketing(), true
	case "profile.sms_marketing":
		return of.SMSMarketing(), true
	case "profile.has_email_address":
		return of.HasEmailAddress(), true
	case "profile.has_phone_number":
		return of.HasPhoneNumber(), true
	case "profile.language":
		return of.Language(), true
	case "profile.region":
		return of.Region(), true
	case "profile.timezone":
		return of.Timezone(), true
	case "profile.last_visit_date":
		return of.LastVisitDate(), true
	case "profile.last_activity":
		return of.LastActivity(), true
	case "profile.last_email_marketing_open":
		return of.LastEmailMarketingOpen(), true
	case "profile.last_email_marketing_click":
		return of.LastEmailMarketingClick(), true
	case "profile.last_email_transactional_open":
		return of.LastEmailTransactionalOpen(), true
	case "profile.last_email_transactional_click":
		return of.LastEmailTransactionalClick(), true
	case "profile.installations":
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
	case FactEventType:
		return of.EventType(), true
	case "event.date":
		return of.EventDate(), true
	case "event.id":
		return of.EventID(), true
	case FactEventChannel:
		return of.EventChannel(), true
	case FactEventReasons:
		return of.EventReasons(), true
	case FactCTA:
		return of.CTA(), true
	case "event.cta_position":
		return of.CTAPosition(), true
	case "event.click_url":
		return of.ClickURL(), true
	case "event.click_url_name":
		return of.ClickURLName(), true
	case "event.bounce_code":
		return of.BounceCode(), true
	case "event.bounce_type":
		return of.BounceType(), true
	case "event.machine_open":
		return of.MachineOpen(), true
	case "event.message_language":
		return of.MessageLanguage(), true
	case "event.sms_parts":
		return of.SMSParts(), true
	case "event.transactional_token":
		return of.TransactionalToken(), true
	case "orchestration.id":
		return of.OrchestrationID(), true
	case "orchestration.name":
		return of.OrchestrationName(), true
	case "orchestration.step_id":
		return of.StepID(), true
	case "orchestration.step_name":
		return of.StepName(), true
	case "orchestration.sent_id":
		return of.SentID(), true
	case "orchestration.ab_testing_status":
		return of.ABTestingStatus(), true
	case "orchestration.ab_testing_variant":
		return of.ABTestingVariant(), true
	}
	return fact, false
}
