package input

import (
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Subscribed is the word for a consent that was given.
const Subscribed = "subscribed"

// statesOf are the members that state something, and what.
var statesOf = []struct {
	member  string
	flag    world.GivenFlag
	address bool
}{
	{"is_reachable", world.FlagReachable, false}, {"is_optin", world.FlagOptIn, false}, {"has_custom_id", world.FlagLinked, false},
	{"email_marketing", world.FlagEmailConsent, false}, {"sms_marketing", world.FlagSMSConsent, false},
	{"email_address", world.FlagEmail, true}, {"phone_number", world.FlagPhone, true},
}

// Changes are the changes of state that an event asks for, in the order of flags, each flag once. Members that contradict another are
// passed to refuse, if that is not nil.
func (r *Row) Changes(refuse func(member string)) []world.GivenChange {
	var found []world.GivenChange
	add := func(member string, wanted world.GivenChange) {
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
		if flag, state, known := world.ReasonFlag(reason); known {
			wanted := world.GivenChange{Flag: flag, State: state, Reason: reason}
			switch {
			case flag == world.FlagEmail && state:
				wanted.Text = r.Get("email_address")
			case flag == world.FlagPhone && state:
				wanted.Text = r.Get("phone_number")
			}
			add("reasons", wanted)
		}
	}
	isReachability := r.Type() == "reachability"
	for _, of := range statesOf {
		value := r.JSON(of.member)
		switch {
		case value == "" || value == `""` || of.address && !isReachability:
		case of.address:
			add(of.member, world.GivenChange{Flag: of.flag, State: true, Text: unquoted(value)})
		default:
			add(of.member, world.GivenChange{Flag: of.flag, State: value == "true" || unquoted(value) == Subscribed})
		}
	}
	slices.SortStableFunc(found, func(a, b world.GivenChange) int { return int(a.Flag) - int(b.Flag) })
	return found
}

// contradictions are the faults of an event that contradicts itself.
func (r *Row) contradictions() (found []Fault) {
	r.Changes(func(member string) {
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
