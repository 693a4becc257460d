package input

import (
	"slices"
	"strings"
)

// Flag is one of the facts that events change.
type Flag uint8

const (
	FlagReachable Flag = iota // an installation has a push token
	FlagOptIn                 // an installation takes push notifications
	FlagLinked                // an installation is linked to its profile
	FlagEmail                 // a profile has an e-mail address
	FlagEmailConsent
	FlagPhone // a profile has a phone number
	FlagSMSConsent
	Flags // how many there are
)

// reasonsOf are the names of becoming true, becoming false, and staying true
// with another value (export API section 6); empty where there is none.
var reasonsOf = [Flags][3]string{
	FlagReachable:    {"PUSH_TOKEN_ADDED", "", ""},
	FlagOptIn:        {"SUBSCRIBED_TO_PUSH", "UNSUBSCRIBED_FROM_PUSH", ""},
	FlagEmail:        {"EMAIL_ADDRESS_ADDED", "EMAIL_ADDRESS_REMOVED", "EMAIL_ADDRESS_UPDATED"},
	FlagEmailConsent: {"SUBSCRIBED_TO_EMAIL_MARKETING", "UNSUBSCRIBED_FROM_EMAIL_MARKETING", ""},
	FlagPhone:        {"PHONE_NUMBER_ADDED", "PHONE_NUMBER_REMOVED", "PHONE_NUMBER_UPDATED"},
	FlagSMSConsent:   {"SUBSCRIBED_TO_SMS_MARKETING", "UNSUBSCRIBED_FROM_SMS_MARKETING", ""},
}

// Reasons are the names of a flag becoming true, becoming false, and staying
// true with another value; empty where there is none.
func (f Flag) Reasons() [3]string { return reasonsOf[f] }

// Subscribed is the word for a consent that was given.
const Subscribed = "subscribed"

// DesiredChange is a change of state that one event asks for. An empty reason
// is derived from the state before.
type DesiredChange struct {
	Flag   Flag
	State  bool
	Text   string // the address or number, where one is given
	Reason string
}

// DesiredChanges are the changes that an event asks for, in the order of
// flags, each flag once. Members that contradict another are passed to refuse,
// if that is not nil.
func (e *Event) DesiredChanges(refuse func(member string)) []DesiredChange {
	var found []DesiredChange
	add := func(member string, wanted DesiredChange) {
		for i := range found {
			if found[i].Flag != wanted.Flag {
				continue
			}
			if found[i].State != wanted.State && refuse != nil {
				refuse(member)
			}
			return
		}
		found = append(found, wanted)
	}
	for _, reason := range e.Reasons {
		for of, names := range reasonsOf {
			if i := slices.Index(names[:], reason); i >= 0 && reason != "" {
				wanted := DesiredChange{Flag: Flag(of), State: i != 1, Reason: reason}
				switch {
				case wanted.Flag == FlagEmail && wanted.State:
					wanted.Text = e.EmailAddress
				case wanted.Flag == FlagPhone && wanted.State:
					wanted.Text = e.PhoneNumber
				}
				add("reasons", wanted)
			}
		}
	}
	for _, given := range []struct {
		member string
		flag   Flag
		value  *bool
	}{{"is_reachable", FlagReachable, e.IsReachable}, {"is_optin", FlagOptIn, e.IsOptin}, {"has_custom_id", FlagLinked, e.HasCustomID}} {
		if given.value != nil {
			add(given.member, DesiredChange{Flag: given.flag, State: *given.value})
		}
	}
	for _, given := range []struct {
		member string
		flag   Flag
		value  string
	}{{"email_marketing", FlagEmailConsent, e.EmailMarketing}, {"sms_marketing", FlagSMSConsent, e.SMSMarketing}} {
		if given.value != "" {
			add(given.member, DesiredChange{Flag: given.flag, State: given.value == Subscribed})
		}
	}
	if e.Type == "reachability" {
		if e.EmailAddress != "" {
			add("email_address", DesiredChange{Flag: FlagEmail, State: true, Text: e.EmailAddress})
		}
		if e.PhoneNumber != "" {
			add("phone_number", DesiredChange{Flag: FlagPhone, State: true, Text: e.PhoneNumber})
		}
	}
	slices.SortStableFunc(found, func(a, b DesiredChange) int { return int(a.Flag) - int(b.Flag) })
	return found
}

// Withdrawal is the consent that an event ends by its type alone.
func (e *Event) Withdrawal() (Flag, bool) {
	switch e.Type {
	case "email_unsubscribed":
		return FlagEmailConsent, true
	case "sms_unsubscribed":
		return FlagSMSConsent, true
	}
	return 0, false
}

// contradictions are the faults of an event that contradicts itself.
func (e *Event) contradictions(row *Row) (found []Fault) {
	e.DesiredChanges(func(member string) {
		found = append(found, row.FaultAt(member, "contradiction",
			"%s says the opposite of another member of the same event (reasons are %s): say each change once",
			member, strings.Join(append([]string{"none given"}[min(len(e.Reasons), 1):], e.Reasons...), ", ")))
	})
	if e.Campaign != "" && e.Group != "" {
		found = append(found, row.FaultAt("group", "contradiction",
			"group and campaign are both given: a push message belongs to a campaign or to a transactional group"))
	}
	return found
}
