package check

import (
	"math/bits"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// source is a value of the world that a column or member prints (the schema keyword x-source). Columns are
// found by it and never by their names.
type source uint8

const (
	noSource source = iota
	installationID
	advertisingID
	platform
	installDate
	lastStartDate
	isOptIn
	isReachable
	hasCustomID
	profileID
	customID
	creationDate
	emailAddress
	emailMarketing
	smsMarketing
	phoneNumber
	phoneCountry
	spokenLanguage
	region
	timezone
	lastActivity
	lastVisitDate
	lastMarketingClick
	lastMarketingOpen
	lastTransactionalClick
	lastTransactionalOpen
	hasEmailAddress
	hasPhoneNumber
	installationList
	eventType
	eventDate
	eventID
	eventChannel
	eventReasons
	eventToken
	sentID
	apiKey
	bounceType
	otherEvent // any other value of an event: it only distinguishes events
	sourceCount
)

// sourceSet is a set of sources, one bit each.
type sourceSet uint64

func setOf(sources ...source) (set sourceSet) {
	for _, s := range sources {
		set.add(s)
	}
	return set
}

func (set sourceSet) has(s source) bool { return set>>s&1 != 0 }

func (set *sourceSet) add(s source) { *set |= 1 << s }

// pop removes a source and returns it. The set is not empty.
func (set *sourceSet) pop() source {
	s := source(bits.TrailingZeros64(uint64(*set)))
	*set &= *set - 1
	return s
}

// sourceNames are the names of the vocabulary.
var sourceNames = map[string]source{
	vocabulary.InstallationID: installationID, vocabulary.AdvertisingID: advertisingID, vocabulary.Platform: platform,
	vocabulary.InstallDate: installDate, vocabulary.LastStartDate: lastStartDate, vocabulary.IsOptIn: isOptIn,
	vocabulary.IsReachable: isReachable, vocabulary.HasCustomID: hasCustomID,
	vocabulary.ProfileID: profileID, vocabulary.CustomID: customID, vocabulary.CreationDate: creationDate,
	vocabulary.EmailAddress: emailAddress, vocabulary.EmailMarketing: emailMarketing, vocabulary.SMSMarketing: smsMarketing,
	vocabulary.PhoneNumber: phoneNumber, vocabulary.PhoneCountry: phoneCountry, vocabulary.Language: spokenLanguage,
	vocabulary.Region: region, vocabulary.Timezone: timezone, vocabulary.LastActivity: lastActivity,
	vocabulary.LastVisitDate: lastVisitDate, vocabulary.LastEmailMarketingClick: lastMarketingClick,
	vocabulary.LastEmailMarketingOpen:      lastMarketingOpen,
	vocabulary.LastEmailTransactionalClick: lastTransactionalClick,
	vocabulary.LastEmailTransactionalOpen:  lastTransactionalOpen,
	vocabulary.HasEmailAddress:             hasEmailAddress,
	vocabulary.HasPhoneNumber:              hasPhoneNumber,
	vocabulary.ProfileInstallations:        installationList,
	vocabulary.EventType:                   eventType, vocabulary.EventDate: eventDate, vocabulary.EventID: eventID,
	vocabulary.EventChannel: eventChannel,
	vocabulary.EventReasons: eventReasons, vocabulary.TransactionalToken: eventToken,
	vocabulary.CTA: otherEvent, vocabulary.CTAPosition: otherEvent, vocabulary.ClickURL: otherEvent, vocabulary.ClickURLName: otherEvent,
	vocabulary.BounceCode: otherEvent, vocabulary.BounceType: bounceType, vocabulary.MachineOpen: otherEvent, vocabulary.SMSParts: otherEvent,
	vocabulary.SentID: sentID, vocabulary.APIKey: apiKey,
}

// identifies reports whether a source says whom or when a row is about, not what happened.
func (s source) identifies() bool {
	switch s {
	case installationID, advertisingID, profileID, customID, emailAddress, phoneNumber, phoneCountry, eventDate:
		return true
	}
	return false
}

// flagSources are those of flags, and flagWords the words of a flag in each form that files may have.
var (
	flagSources = []source{isOptIn, isReachable, hasCustomID, hasEmailAddress, hasPhoneNumber}
	flagWords   = map[string]string{"0": "false", "1": "true", "no": "false", "yes": "true", "False": "false", "True": "true",
		"FALSE": "false", "TRUE": "true", "N": "false", "Y": "true", "f": "false", "t": "true"}
)
