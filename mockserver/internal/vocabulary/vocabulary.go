// Package vocabulary has the words of schemas/vocabulary.json that the server gives a meaning in Go: the sources of values and
// the views that rows are drawn from. Each is written here and nowhere else.
package vocabulary

// The sources of values, of the keyword x-source: facts of the world, and what is the same in all rows of a file.
const (
	InstallationID = "installation.id"
	AdvertisingID  = "installation.advertising_id"
	Platform       = "installation.platform"
	InstallDate    = "installation.install_date"
	LastStartDate  = "installation.last_start_date"
	SmartSegment   = "installation.smart_segment"
	IsOptIn        = "installation.is_optin"
	IsReachable    = "installation.is_reachable"
	HasCustomID    = "installation.has_custom_id"

	ProfileID                   = "profile.id"
	CustomID                    = "profile.custom_id"
	CreationDate                = "profile.creation_date"
	BirthDate                   = "profile.birth_date"
	Age                         = "profile.age"
	EmailAddress                = "profile.email_address"
	EmailMarketing              = "profile.email_marketing"
	SMSMarketing                = "profile.sms_marketing"
	PhoneNumber                 = "profile.phone_number"
	PhoneCountry                = "profile.phone_country"
	Language                    = "profile.language"
	Region                      = "profile.region"
	Timezone                    = "profile.timezone"
	LastActivity                = "profile.last_activity"
	LastVisitDate               = "profile.last_visit_date"
	LastEmailMarketingClick     = "profile.last_email_marketing_click"
	LastEmailMarketingOpen      = "profile.last_email_marketing_open"
	LastEmailTransactionalClick = "profile.last_email_transactional_click"
	LastEmailTransactionalOpen  = "profile.last_email_transactional_open"
	MailboxProvider             = "profile.mailbox_provider"
	HasEmailAddress             = "profile.has_email_address"
	HasPhoneNumber              = "profile.has_phone_number"
	ProfileInstallations        = "profile.installations"

	EventType          = "event.type"
	EventDate          = "event.date"
	EventID            = "event.id"
	EventChannel       = "event.channel"
	EventReasons       = "event.reasons"
	CTA                = "event.cta"
	CTAPosition        = "event.cta_position"
	ClickURL           = "event.click_url"
	ClickURLName       = "event.click_url_name"
	BounceCode         = "event.bounce_code"
	BounceType         = "event.bounce_type"
	MachineOpen        = "event.machine_open"
	MessageLanguage    = "event.message_language"
	SMSParts           = "event.sms_parts"
	TransactionalToken = "event.transactional_token"

	OrchestrationID   = "orchestration.id"
	OrchestrationName = "orchestration.name"
	ABTestingStatus   = "orchestration.ab_testing_status"
	ABTestingVariant  = "orchestration.ab_testing_variant"
	SentID            = "orchestration.sent_id"
	StepID            = "orchestration.step_id"
	StepName          = "orchestration.step_name"

	APIKey = "request.api_key"
)

// The sources of answers: facts of an export, a file, a page of a list, a refusal, and one fault.
const (
	RecordID          = "record.id"
	RecordURI         = "record.uri"
	RecordKind        = "record.kind"
	RecordStatus      = "record.status"
	RecordRequestedAt = "record.requested_at"
	RecordStartedAt   = "record.started_at"
	RecordCompletedAt = "record.completed_at"
	RecordRequest     = "record.request"
	RecordError       = "record.error"
	RecordLink        = "record.link"
	RecordLookup      = "record.lookup"
	RecordFiles       = "record.files"

	FileID   = "file.id"
	FilePart = "file.part"
	FileSize = "file.size"
	FileURL  = "file.url"

	PageRecords = "page.records"
	PageCount   = "page.count"
	PageHasMore = "page.has_more"
	PageNext    = "page.next"

	ErrorCode     = "error.code"
	ErrorName     = "error.name"
	ErrorStatus   = "error.status"
	ErrorMessage  = "error.message"
	ErrorProblems = "error.problems"

	ProblemPointer = "problem.pointer"
	ProblemKeyword = "problem.keyword"
	ProblemMessage = "problem.message"
	ProblemLine    = "problem.line"
	ProblemColumn  = "problem.column"
)

// The views of the world, of the keyword x-export.
const (
	ViewInstallations          = "installations"
	ViewInstallationChanges    = "installation-changes"
	ViewInstallationMessages   = "installation-messages"
	ViewInstallationRecipients = "installation-recipients"
	ViewProfiles               = "profiles"
	ViewProfileChanges         = "profile-changes"
	ViewProfileMessages        = "profile-messages"
)

// IsSnapshot tells whether the rows of a view are as they were at one moment.
func IsSnapshot(view string) bool { return view == ViewInstallations || view == ViewProfiles }
