package check

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/schemas"
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
	vocabulary.EventType:                   eventType, vocabulary.EventDate: eventDate, vocabulary.EventID: eventID, vocabulary.EventChannel: eventChannel,
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

// member is what a row schema says of one value: what it prints, and what is below it.
type member struct {
	source  source
	neutral map[string]string // from the word in the file to the neutral one; nil: they are the same
	journey []schemas.Step
	allowed map[string]bool // the texts of an enumeration; nil: none is named
	members map[string]*member
	items   *member
}

// layoutOf reads a schema together with all that it refers to, whatever the conditions: a column means
// the same under each of them.
func layoutOf(s *jsonschema.Schema) *member {
	return readLayout([]*jsonschema.Schema{s}, nil)
}

func readLayout(roots, above []*jsonschema.Schema) *member {
	made := &member{}
	properties := map[string][]*jsonschema.Schema{}
	var items, seen []*jsonschema.Schema
	var read func(s *jsonschema.Schema)
	read = func(s *jsonschema.Schema) {
		if s == nil || slices.Contains(seen, s) || slices.Contains(above, s) {
			return
		}
		seen = append(seen, s)
		keywords := schemas.KeywordsOf(s)
		if made.source == noSource {
			made.source = sourceNames[keywords.Source]
		}
		if made.journey == nil {
			made.journey = keywords.Journey
		}
		if made.neutral == nil && keywords.WireNames != nil {
			made.neutral = map[string]string{}
			for neutral, wire := range keywords.WireNames {
				made.neutral[wire] = neutral
			}
		}
		for _, value := range s.Enum {
			if text, ok := value.(string); ok {
				if made.allowed == nil {
					made.allowed = map[string]bool{}
				}
				made.allowed[text] = true
			}
		}
		for name, property := range s.Properties {
			properties[name] = append(properties[name], property)
		}
		items = append(items, s.Items2020)
		for _, part := range slices.Concat([]*jsonschema.Schema{s.Ref, s.Then, s.Else}, s.AllOf, s.AnyOf, s.OneOf) {
			read(part)
		}
	}
	for _, root := range roots {
		read(root)
	}
	below := slices.Concat(above, seen)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if made.members == nil {
			made.members = map[string]*member{}
		}
		made.members[name] = readLayout(properties[name], below)
	}
	if slices.ContainsFunc(items, func(s *jsonschema.Schema) bool { return s != nil }) {
		made.items = readLayout(items, below)
	}
	return made
}

// find is the first member below that prints a source, nil if none does.
func (m *member) find(wanted source) *member {
	if m == nil {
		return nil
	}
	if m.source == wanted {
		return m
	}
	for _, name := range slices.Sorted(maps.Keys(m.members)) {
		if found := m.members[name].find(wanted); found != nil {
			return found
		}
	}
	return m.items.find(wanted)
}
