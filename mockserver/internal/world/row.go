package world

import "slices"

// Row is what one row of an export is about. Facts print it; it is valid while it is rendered.
type Row struct {
	Person       *Person
	Installation int   // of the person; -1: none
	Time         int64 // of the event, or what a snapshot shows
	Event        int   // index in View.Events; -1: none
	Reason       int   // index in Reasons; 0: none
	// Message is the key of the message, or of the change.
	Message  uint64
	Campaign *campaign
	channel  channel
	event    happening
	linked   bool        // the row shows the identifier of the person only while the installation belongs to them
	given    *GivenEvent // nil: it was drawn
	// Skew is by how many seconds the date that the row shows is wrong, and Shift by how many the row stands behind its place.
	Skew, Shift int64
	// Attempt counts how often the values without a source were drawn again.
	Attempt uint64
}

// AttemptKey is the key of a value that may be drawn again.
func (r *Row) AttemptKey() uint64 { return r.Key() ^ r.Attempt*0x9e3779b97f4a7c15 }

// Key identifies what the row is about, for values that have no source in the world.
func (r *Row) Key() uint64 {
	key := r.Person.key
	if r.Installation >= 0 {
		key = r.Person.installations[r.Installation].key
	}
	if r.Event < 0 && r.Message == 0 {
		return key
	}
	return keyed(keyed(key, uint64(r.Time)), r.Message^uint64(r.Event+1))
}

// Number is the number of the person in the world.
func (r *Row) Number() int64 { return r.Person.number }

// Given reports whether the row was given, and not drawn.
func (r *Row) Given() bool {
	return r.given != nil || r.Person.isOwn || r.Installation >= 0 && r.installation().given != nil
}

// Attribute is a custom attribute of somebody who was given; false: the person was drawn.
func (r *Row) Attribute(name string) (value any, is bool) {
	if !r.Person.isOwn {
		return nil, false
	}
	return r.Person.given.Attribute(name, r.Time, r.Person.upTo), true
}

// Member is a member without a fact of what was given: of the event, the installation or the person.
func (r *Row) Member(name string) (value any, is bool) {
	if r.given != nil {
		value, is = r.given.Values.Member(name)
	}
	if !is && r.Installation >= 0 && r.installation().given != nil {
		value, is = r.installation().given.Values.Member(name)
	}
	if !is && r.Person.isOwn {
		value, is = r.Person.given.Values.Member(name)
	}
	return value, is
}

func (r *Row) installation() *installation {
	if r.Installation < 0 {
		return nil
	}
	return &r.Person.installations[r.Installation]
}

func (r *Row) device() standing { return r.Person.standing(channelPush, r.Installation, r.Time) }

// reason is why the reachability of a profile changed (export API section 6).
type reason struct {
	name          string
	channel       channel
	kind          changeKind
	became, ended bool
}

// reasons are all of them; the first is none.
var reasons = []reason{
	{},
	{"PUSH_TOKEN_ADDED", channelPush, changeToken, true, false},
	{"SUBSCRIBED_TO_PUSH", channelPush, changeOptIn, true, false},
	{"UNSUBSCRIBED_FROM_PUSH", channelPush, changeOptIn, false, true},
	{"EMAIL_ADDRESS_ADDED", channelEmail, changePresent, true, false},
	{"EMAIL_ADDRESS_REMOVED", channelEmail, changePresent, false, true},
	{"EMAIL_ADDRESS_UPDATED", channelEmail, changeUpdated, true, false},
	{"SUBSCRIBED_TO_EMAIL_MARKETING", channelEmail, changeConsent, true, false},
	{"UNSUBSCRIBED_FROM_EMAIL_MARKETING", channelEmail, changeConsent, false, true},
	{"PHONE_NUMBER_ADDED", channelSMS, changePresent, true, false},
	{"PHONE_NUMBER_REMOVED", channelSMS, changePresent, false, true},
	{"PHONE_NUMBER_UPDATED", channelSMS, changeUpdated, true, false},
	{"SUBSCRIBED_TO_SMS_MARKETING", channelSMS, changeConsent, true, false},
	{"UNSUBSCRIBED_FROM_SMS_MARKETING", channelSMS, changeConsent, false, true},
}

// pairs are the reasons that one given event may have together, behind the single ones.
var pairs = func() (all [][2]int) {
	for first := 1; first < len(reasons); first++ {
		for second := first + 1; second < len(reasons); second++ {
			a, b := &reasons[first], &reasons[second]
			before := a.kind == changePresent || a.kind == changeUpdated || a.kind == changeToken
			if a.channel == b.channel && before && (b.kind == changeConsent || b.kind == changeOptIn) {
				all = append(all, [2]int{first, second})
			}
		}
	}
	return all
}()

// withReason is a reason together with a further one; 0: none.
func withReason(first, second int) int {
	if first == 0 || second == 0 {
		return first + second
	}
	if at := slices.Index(pairs, [2]int{first, second}); at >= 0 {
		return len(reasons) + at
	}
	return second
}

// Reasons are what rows may say of why reachability changed: mostly one reason, and two where a given event has two. The first has none.
func Reasons() (names [][]string) {
	for _, of := range reasons {
		names = append(names, []string{of.name})
	}
	for _, of := range pairs {
		names = append(names, []string{reasons[of[0]].name, reasons[of[1]].name})
	}
	return names
}

// ReasonChannel is the channel of one of the Reasons.
func ReasonChannel(reason int) string {
	if reason >= len(reasons) {
		reason = pairs[reason-len(reasons)][0]
	}
	return channelNames[reasons[reason].channel]
}

// reasonOf is the reason of a change; 0: profiles do not tell of it.
func reasonOf(of channel, c *change) int {
	for i := 1; i < len(reasons); i++ {
		if r := &reasons[i]; r.channel == of && r.kind == c.kind && (c.state && r.became || !c.state && r.ended) {
			return i
		}
	}
	return 0
}
