package check

import (
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
)

// channelState is what the rows of profiles.reachability said last of one channel of a profile or an installation.
type channelState struct {
	values map[source]stateValue
	// changed is when the address last changed, or may have.
	changed moment
	time    moment
	at      place
}

type stateValue struct {
	text string
	time moment
	at   place
}

// The values of marketing consent (export API section 2.7).
const (
	subscribed   = "subscribed"
	unsubscribed = "unsubscribed"
)

// effect is what a reason says of the flags of its row.
type effect struct {
	of    source
	value string
	// change says that the value was another one before.
	change bool
}

// effectOf reads a reason (export API section 6). A reason of an overlay that is built otherwise says nothing.
func effectOf(reason string) (effect, bool) {
	consents := map[string]source{"SMS_MARKETING": smsMarketing, "EMAIL_MARKETING": emailMarketing, "PUSH": isOptIn}
	addresses := map[string]source{"PHONE_NUMBER": hasPhoneNumber, "EMAIL_ADDRESS": hasEmailAddress}
	for _, way := range []struct {
		prefix, suffix, marketing, flag string
		change                          bool
		of                              map[string]source
	}{
		{"SUBSCRIBED_TO_", "", subscribed, "true", true, consents},
		{"UNSUBSCRIBED_FROM_", "", unsubscribed, "false", true, consents},
		{"", "_ADDED", "", "true", true, addresses},
		{"", "_REMOVED", "", "false", true, addresses},
		{"", "_UPDATED", "", "true", false, addresses},
	} {
		rest, begins := strings.CutPrefix(reason, way.prefix)
		rest, ends := strings.CutSuffix(rest, way.suffix)
		of, known := way.of[rest]
		if !begins || !ends || !known {
			continue
		}
		if of == smsMarketing || of == emailMarketing {
			return effect{of, way.marketing, way.change}, true
		}
		return effect{of, way.flag, way.change}, true
	}
	return effect{}, false
}

// checkChange checks a row of profiles.reachability against its reasons and the row before.
func (e *engine) checkChange(state *channelState, r *row) {
	stream, channel := e.files[r.file].streamName(), r.value(eventChannel)
	if !e.coverage.covers(stream, channel, state.time, r.time) {
		state.values = nil // something may have happened in between
	}
	if state.values == nil {
		state.values = map[source]stateValue{}
	}
	reasoned := map[source]bool{}
	for _, reason := range r.reasons {
		claimed, known := effectOf(reason)
		if !known {
			continue
		}
		reasoned[claimed.of] = true
		if claimed.of == hasEmailAddress || claimed.of == hasPhoneNumber {
			state.changed = r.time
		}
		if r.knows(claimed.of) {
			e.assert(rules.Change, r.value(claimed.of) == claimed.value, r.place, nil, "the reason %s does not fit %q", reason, r.value(claimed.of))
		}
		if before, found := state.values[claimed.of]; found && claimed.change {
			e.assert(rules.Change, before.text != claimed.value, r.place, &before.at, "the reason %s changes nothing: it is %q since %s", reason,
				before.text, before.time)
		}
		state.values[claimed.of] = stateValue{claimed.value, r.time, r.place}
	}
	for _, of := range []source{emailMarketing, smsMarketing, hasEmailAddress, hasPhoneNumber, isOptIn} {
		if !r.knows(of) || r.value(of) == "" {
			continue
		}
		if before, found := state.values[of]; found && !reasoned[of] {
			e.assert(rules.Change, before.text == r.value(of), r.place, &before.at, "%s became %q without a reason that says so; it was %q",
				e.nameOf(e.files[r.file], of), r.value(of), before.text)
		}
		if !reasoned[of] {
			state.values[of] = stateValue{r.value(of), r.time, r.place}
		}
	}
	state.time, state.at = r.time, r.place
}
