package check

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

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
	"installation.id": installationID, "installation.advertising_id": advertisingID, "installation.platform": platform,
	"installation.install_date": installDate, "installation.last_start_date": lastStartDate, "installation.is_optin": isOptIn,
	"installation.is_reachable": isReachable, "installation.has_custom_id": hasCustomID,
	"profile.id": profileID, "profile.custom_id": customID, "profile.creation_date": creationDate,
	"profile.email_address": emailAddress, "profile.email_marketing": emailMarketing, "profile.sms_marketing": smsMarketing,
	"profile.phone_number": phoneNumber, "profile.phone_country": phoneCountry, "profile.language": spokenLanguage,
	"profile.region": region, "profile.timezone": timezone, "profile.last_activity": lastActivity,
	"profile.last_visit_date": lastVisitDate, "profile.last_email_marketing_click": lastMarketingClick,
	"profile.last_email_marketing_open":      lastMarketingOpen,
	"profile.last_email_transactional_click": lastTransactionalClick,
	"profile.last_email_transactional_open":  lastTransactionalOpen,
	"profile.has_email_address":              hasEmailAddress,
	"profile.has_phone_number":               hasPhoneNumber,
	"profile.installations":                  installationList,
	"event.type":                             eventType, "event.date": eventDate, "event.id": eventID, "event.channel": eventChannel,
	"event.reasons": eventReasons, "event.transactional_token": eventToken,
	"event.cta": otherEvent, "event.cta_position": otherEvent, "event.click_url": otherEvent, "event.click_url_name": otherEvent,
	"event.bounce_code": otherEvent, "event.bounce_type": bounceType, "event.machine_open": otherEvent, "event.sms_parts": otherEvent,
	"orchestration.sent_id": sentID, "request.api_key": apiKey,
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
