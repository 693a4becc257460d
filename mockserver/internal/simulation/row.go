package simulation

// Row is what one row of an export is about. Facts print it; it is valid while it is rendered.
type Row struct {
	Person       *Person
	Installation int   // of the person; -1: none
	Time         int64 // of the event, or what a snapshot shows
	Event        int   // index in View.Events; -1: none
	Reason       int   // index in ReasonNames; 0: none
	// Message is the key of the message, or of the change.
	Message  uint64
	Campaign *campaign
	channel  channel
	event    happening
	linked   bool // the row shows the identifier of the person only while the installation belongs to them
	// Skew is by how many seconds the date that the row shows is wrong, and Shift by how many the row stands behind its place.
	Skew, Shift int64
	// Loaded is the row of a dataset that this row stands for; nil: none.
	Loaded any
}

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

// installation is that of the row; nil: it has none.
func (r *Row) installation() *installation {
	if r.Installation < 0 {
		return nil
	}
	return &r.Person.installations[r.Installation]
}

// device is how the installation of the row can be written to.
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

// ReasonNames are the names of the reasons; the first is that of none.
func ReasonNames() (names []string) {
	for _, of := range reasons {
		names = append(names, of.name)
	}
	return names
}

// ReasonChannel is the channel of a reason.
func ReasonChannel(reason int) string { return channelNames[reasons[reason].channel] }

// reasonOf is the reason of a change; 0: profiles do not tell of it.
func reasonOf(of channel, c *change) int {
	for i := 1; i < len(reasons); i++ {
		if r := &reasons[i]; r.channel == of && r.kind == c.kind && (c.state && r.became || !c.state && r.ended) {
			return i
		}
	}
	return 0
}
