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
func (r *Row) DesiredChanges(refuse func(member string)) []DesiredChange {
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
	for _, reason := range r.List("reasons") {
		for of, names := range reasonsOf {
			if i := slices.Index(names[:], reason); i >= 0 && reason != "" {
				wanted := DesiredChange{Flag: Flag(of), State: i != 1, Reason: reason}
				switch {
				case wanted.Flag == FlagEmail && wanted.State:
					wanted.Text = r.Get("email_address")
				case wanted.Flag == FlagPhone && wanted.State:
					wanted.Text = r.Get("phone_number")
				}
				add("reasons", wanted)
			}
		}
	}
	isReachability := r.Type() == "reachability"
	for _, given := range []struct {
		member string
		flag   Flag
	}{
		{"is_reachable", FlagReachable}, {"is_optin", FlagOptIn}, {"has_custom_id", FlagLinked}, {"email_marketing", FlagEmailConsent},
		{"sms_marketing", FlagSMSConsent}, {"email_address", FlagEmail}, {"phone_number", FlagPhone},
	} {
		value := r.JSON(given.member)
		isAddress := given.flag == FlagEmail || given.flag == FlagPhone
		switch {
		case value == "" || value == `""` || isAddress && !isReachability:
		case isAddress:
			add(given.member, DesiredChange{Flag: given.flag, State: true, Text: unquoted(value)})
		default:
			add(given.member, DesiredChange{Flag: given.flag, State: value == "true" || unquoted(value) == Subscribed})
		}
	}
	slices.SortStableFunc(found, func(a, b DesiredChange) int { return int(a.Flag) - int(b.Flag) })
	return found
}

// Withdrawal is the consent that an event ends by its type alone.
func (r *Row) Withdrawal() (Flag, bool) {
	switch r.Type() {
	case "email_unsubscribed":
		return FlagEmailConsent, true
	case "sms_unsubscribed":
		return FlagSMSConsent, true
	}
	return 0, false
}

// contradictions are the faults of an event that contradicts itself.
func (r *Row) contradictions() (found []Fault) {
	r.DesiredChanges(func(member string) {
		reasons := r.List("reasons")
		if len(reasons) == 0 {
			reasons = []string{"none given"}
		}
		found = append(found, r.FaultAt(member, "contradiction",
			"%s says the opposite of another member of the same event (reasons are %s): say each change once", member, strings.Join(reasons, ", ")))
	})
	if r.Get("campaign") != "" && r.Get("group") != "" {
		found = append(found, r.FaultAt("group", "contradiction",
			"group and campaign are both given: a push message belongs to a campaign or to a transactional group"))
	}
	return found
}
