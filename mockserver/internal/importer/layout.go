package importer

import (
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// layout is what the schema of a row says of a value: which member of a dataset it is, and what is below it.
type layout struct {
	member  string            // "": none
	sourced bool              // it says where a value comes from, or what it always is: without a member, it follows from others
	list    bool              // of installations
	key     bool              // it is an application key
	neutral map[string]string // from the word in the file to the one in a dataset
	listed  map[string]bool   // words that the schema lists
	custom  bool              // members that the schema does not name are custom attributes
	members map[string]*layout
	items   *layout
}

// layoutOf reads a schema together with all that it refers to, whatever the conditions.
func layoutOf(roots, above []*jsonschema.Schema) *layout {
	made := &layout{listed: map[string]bool{}}
	properties := map[string][]*jsonschema.Schema{}
	var items, seen []*jsonschema.Schema
	var read func(s *jsonschema.Schema)
	read = func(s *jsonschema.Schema) {
		if s == nil || slices.Contains(seen, s) || slices.Contains(above, s) {
			return
		}
		seen = append(seen, s)
		keywords := schemas.KeywordsOf(s)
		made.sourced = made.sourced || keywords.Source != "" || len(s.Constant) > 0
		if keywords.Source != "" && made.member == "" {
			made.key = keywords.Source == vocabulary.APIKey
			made.member, made.list = memberOf(keywords.Source), keywords.Source == vocabulary.ProfileInstallations
		}
		for _, value := range slices.Concat(s.Enum, s.Constant) {
			if word, is := value.(string); is {
				made.listed[word] = true
			}
		}
		for neutral, wire := range keywords.WireNames {
			made.listed[neutral], made.listed[wire] = true, true
			if made.neutral == nil {
				made.neutral = map[string]string{}
			}
			made.neutral[wire] = neutral
		}
		made.custom = made.custom || len(s.PatternProperties) > 0
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
			made.members = map[string]*layout{}
		}
		made.members[name] = layoutOf(properties[name], below)
	}
	if slices.ContainsFunc(items, func(s *jsonschema.Schema) bool { return s != nil }) {
		made.items = layoutOf(items, below)
		maps.Copy(made.listed, made.items.listed)
	}
	return made
}

// isLost reports whether a value has no place in a dataset: an overlay describes it, and does not say what it is of.
func (l *layout) isLost() bool {
	return l == nil || !l.sourced && !l.custom && l.members == nil && l.items == nil
}

// memberOf is the member of a dataset that a source prints; "": none has it.
func memberOf(source string) string {
	switch source {
	case vocabulary.InstallationID:
		return installID
	case vocabulary.ProfileID:
		return profileID
	case vocabulary.EventID:
		return "event_id"
	case vocabulary.OrchestrationID:
		return "orchestration_id"
	case vocabulary.OrchestrationName:
		return "orchestration_name"
	case vocabulary.EventChannel, vocabulary.HasEmailAddress, vocabulary.HasPhoneNumber, vocabulary.ProfileInstallations, vocabulary.APIKey:
		return "" // they follow from others
	}
	_, name, _ := strings.Cut(source, ".")
	return name
}

// The members that the importer itself looks at.
const (
	installID   = "install_id"
	profileID   = "profile_id"
	customID    = "custom_id"
	hasCustomID = "has_custom_id"
	platform    = "platform"
	isOptIn     = "is_optin"
	eventType   = "type"
	eventDate   = "date"
	attributes  = "attributes"
	nameOf      = "names of attributes"
)

// ofPeople and ofInstallations are the members that rows of a dataset about people and installations have; the others are of events.
var (
	ofPeople = set(profileID, customID, "creation_date", "email_address", "mailbox_provider", "email_marketing", "phone_number",
		"phone_country", "sms_marketing", "language", "region", "timezone", "last_visit_date", "last_activity", "last_email_marketing_open",
		"last_email_marketing_click", "last_email_transactional_open", "last_email_transactional_click", attributes)
	ofInstallations = set(installID, profileID, customID, "advertising_id", platform, "install_date", "last_start_date", "smart_segment",
		isOptIn, "is_reachable", hasCustomID)
	// ofEvents are those of events that people or installations have too.
	ofEvents = set("email_address", "phone_number", "email_marketing", "sms_marketing", isOptIn, "is_reachable", hasCustomID)
	flags    = set(isOptIn, "is_reachable", hasCustomID, "machine_open")
	integers = set("cta_position", "sms_parts")
)

func set(names ...string) map[string]bool {
	made := map[string]bool{}
	for _, name := range names {
		made[name] = true
	}
	return made
}
