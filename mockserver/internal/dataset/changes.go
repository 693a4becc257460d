package dataset

import (
	"slices"
	"strings"
)

// flag is one of the facts that events change.
type flag uint8

const (
	flagReachable flag = iota // an installation has a push token
	flagOptIn                 // an installation takes push notifications
	flagLinked                // an installation is linked to its profile
	flagEmail                 // a profile has an e-mail address
	flagEmailConsent
	flagPhone // a profile has a phone number
	flagSMSConsent
	flags // how many there are
)

// ofInstallation reports whether it is a fact of installations; the others are
// of profiles.
func (f flag) ofInstallation() bool { return f <= flagLinked }

// channels are the names of the channels of profile exports, by flag; empty
// where those exports show nothing.
var channels = [flags]string{"push", "push", "", "email", "email", "sms", "sms"}

// reasonsOf are the names of becoming true, becoming false, and staying true
// with another value (export API section 6); empty where there is none.
var reasonsOf = [flags][3]string{
	flagReachable:    {"PUSH_TOKEN_ADDED", "", ""},
	flagOptIn:        {"SUBSCRIBED_TO_PUSH", "UNSUBSCRIBED_FROM_PUSH", ""},
	flagEmail:        {"EMAIL_ADDRESS_ADDED", "EMAIL_ADDRESS_REMOVED", "EMAIL_ADDRESS_UPDATED"},
	flagEmailConsent: {"SUBSCRIBED_TO_EMAIL_MARKETING", "UNSUBSCRIBED_FROM_EMAIL_MARKETING", ""},
	flagPhone:        {"PHONE_NUMBER_ADDED", "PHONE_NUMBER_REMOVED", "PHONE_NUMBER_UPDATED"},
	flagSMSConsent:   {"SUBSCRIBED_TO_SMS_MARKETING", "UNSUBSCRIBED_FROM_SMS_MARKETING", ""},
}

// channel is the name of the channel of profile exports that a flag belongs to;
// empty where those exports show nothing.
func (f flag) channel() string { return channels[f] }

// reasons are the names of a flag becoming true, becoming false, and staying
// true with another value; empty where there is none.
func (f flag) reasons() [3]string { return reasonsOf[f] }

// subscribed is the word for a consent that was given.
const subscribed = "subscribed"

// desiredChange is a change of state that one event asks for. An empty reason
// is derived from the state before.
type desiredChange struct {
	flag   flag
	state  bool
	text   string // the address or number, where one is given
	reason string
}

// desiredChanges are the changes that an event asks for, in the order of
// flags, each flag once. Members that contradict another are passed to refuse,
// if that is not nil.
func (e *eventRow) desiredChanges(refuse func(member string)) []desiredChange {
	var found []desiredChange
	add := func(member string, wanted desiredChange) {
		for i := range found {
			if found[i].flag != wanted.flag {
				continue
			}
			if found[i].state != wanted.state && refuse != nil {
				refuse(member)
			}
			return
		}
		found = append(found, wanted)
	}
	for _, reason := range e.Reasons {
		for of, names := range reasonsOf {
			if i := slices.Index(names[:], reason); i >= 0 && reason != "" {
				wanted := desiredChange{flag: flag(of), state: i != 1, reason: reason}
				switch {
				case wanted.flag == flagEmail && wanted.state:
					wanted.text = e.EmailAddress
				case wanted.flag == flagPhone && wanted.state:
					wanted.text = e.PhoneNumber
				}
				add("reasons", wanted)
			}
		}
	}
	for _, given := range []struct {
		member string
		flag   flag
		value  *bool
	}{{"is_reachable", flagReachable, e.IsReachable}, {"is_optin", flagOptIn, e.IsOptin}, {"has_custom_id", flagLinked, e.HasCustomID}} {
		if given.value != nil {
			add(given.member, desiredChange{flag: given.flag, state: *given.value})
		}
	}
	for _, given := range []struct {
		member string
		flag   flag
		value  string
	}{{"email_marketing", flagEmailConsent, e.EmailMarketing}, {"sms_marketing", flagSMSConsent, e.SMSMarketing}} {
		if given.value != "" {
			add(given.member, desiredChange{flag: given.flag, state: given.value == subscribed})
		}
	}
	if e.Type == "reachability" {
		if e.EmailAddress != "" {
			add("email_address", desiredChange{flag: flagEmail, state: true, text: e.EmailAddress})
		}
		if e.PhoneNumber != "" {
			add("phone_number", desiredChange{flag: flagPhone, state: true, text: e.PhoneNumber})
		}
	}
	slices.SortStableFunc(found, func(a, b desiredChange) int { return int(a.flag) - int(b.flag) })
	return found
}

// withdrawal is the consent that an event ends by its type alone.
func (e *eventRow) withdrawal() (flag, bool) {
	switch e.Type {
	case "email_unsubscribed":
		return flagEmailConsent, true
	case "sms_unsubscribed":
		return flagSMSConsent, true
	}
	return 0, false
}

// contradictions are the faults of an event that contradicts itself.
func (e *eventRow) contradictions(row *Row) (found []Fault) {
	e.desiredChanges(func(member string) {
		found = append(found, row.at(member, "contradiction",
			"%s says the opposite of another member of the same event (reasons are %s): say each change once",
			member, strings.Join(append([]string{"none given"}[min(len(e.Reasons), 1):], e.Reasons...), ", ")))
	})
	if e.Campaign != "" && e.Group != "" {
		found = append(found, row.at("group", "contradiction",
			"group and campaign are both given: a push message belongs to a campaign or to a transactional group"))
	}
	return found
}
