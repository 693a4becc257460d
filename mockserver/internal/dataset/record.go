package dataset

import (
	"encoding/binary"
)

// moment is when an event happened, and which of those of one second it is, in
// the order of loading.
type moment struct {
	second int64
	number int32
}

func (m moment) before(other moment) bool {
	return m.second < other.second || m.second == other.second && m.number < other.number
}

// profile is a profile that was loaded, or that another row refers to.
type profile struct {
	number       int32
	id, customID string
	anonymous    int32 // 1 + the installation it is there for; 0: it has a name
	loaded       bool  // it has a row
	detail       detail
	profileData
	at      int64 // when it was first loaded or named
	history history
	traces  traceList
	// installations are those of it, in the order of loading.
	installations []installation
}

// profileData is the row of a profile.
type profileData struct {
	encoded    string         // empty: not loaded
	row        *profileRow    // once somebody asks
	attributes map[string]any // the same
}

// detail is how much of a profile is kept beside something else.
type detail byte

const (
	whole    detail = iota
	atEvent         // what an event changes; not its attributes and installations
	nameOnly        // identifiers
)

// installation is an installation that was loaded, or that an event refers to.
type installation struct {
	number  int32
	id      string
	owner   int32
	encoded string           // the row; empty: not loaded
	row     *installationRow // the same, once somebody asks
	at      int64
	history history
	traces  traceList
}

// trace is what an event leaves with its profile and its installation.
type trace struct {
	when                              moment
	eventType                         string
	collection, tag, attribute, value string
}

// event is one event, with what it changed.
type event struct {
	*eventRow             // nil: not decoded yet
	encoded               string
	index                 int32 // among the events of a file
	when                  moment
	profile, installation int32 // installation -1: none
	legacy                bool  // a flag of the installation changed
	reasons               [3]uint8
	of                    *profile      // as the event left it
	on                    *installation // the same; nil: none
}

// change is a moment at which a fact became something.
type change struct {
	when   moment
	flag   flag
	state  bool
	text   string
	update bool
}

// history is the changes of one profile or installation, in order.
type history []change

// last is the latest change of a flag by the events up to one; nil: there is
// none.
func (h history) last(of flag, limit moment) *change {
	for i := len(h) - 1; i >= 0; i-- {
		if h[i].flag == of && !limit.before(h[i].when) {
			return &h[i]
		}
	}
	return nil
}

// state is a flag after the events up to one; known is false when no event
// changes it. Before its first change a flag was the opposite of what it
// became.
func (h history) state(of flag, limit moment) (state, known bool) {
	if last := h.last(of, limit); last != nil {
		return last.state, true
	}
	for i := range h {
		if h[i].flag == of {
			return !h[i].state || h[i].update, true
		}
	}
	return false, false
}

// at is what state and last need of a history to answer for one event.
func (h history) at(limit moment) (kept history) {
	for of := range flags {
		if last := h.last(of, limit); last != nil {
			kept = append(kept, *last)
			continue
		}
		for i := range h {
			if h[i].flag == of {
				kept = append(kept, h[i])
				break
			}
		}
	}
	return kept
}

// traceDigest is the traces up to an event by which dates are told: the first of
// all, and the last of each type.
type traceDigest []trace

func (kept *traceDigest) add(t trace) {
	t = trace{when: t.when, eventType: t.eventType}
	for i := 1; i < len(*kept); i++ {
		if (*kept)[i].eventType == t.eventType {
			(*kept)[i] = t
			return
		}
	}
	*kept = append(*kept, t)
}

// value is the value of a custom attribute that was loaded.
func (p *profile) value(name string) any {
	if raw := p.given().Attributes; p.attributes == nil && len(raw) > 0 {
		_ = decodeExact(raw, &p.attributes, false) // it was decoded when it was read
	}
	return p.attributes[name]
}

func appendMoment(dst []byte, m moment) []byte {
	return binary.AppendVarint(binary.AppendVarint(dst, m.second), int64(m.number))
}

func decodeMoment(d *decoder) moment { return moment{d.int(), d.int32()} }

func appendHistory(dst []byte, h history) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(h)))
	for i := range h {
		dst = appendMoment(dst, h[i].when)
		dst = appendBool(appendBool(append(dst, byte(h[i].flag)), h[i].state), h[i].update)
		dst = appendText(dst, h[i].text)
	}
	return dst
}

func decodeHistory(d *decoder) history {
	count := int(d.uint())
	if count == 0 {
		return nil
	}
	h := make(history, count)
	for i := range h {
		h[i].when = decodeMoment(d)
		h[i].flag = flag(d.byte())
		h[i].state, h[i].update = d.bool(), d.bool()
		h[i].text = d.textValue()
	}
	return h
}

// traceList is traces that are decoded when somebody asks.
type traceList struct {
	encoded string
	list    []trace
}

func (l *traceList) all() []trace {
	if l.list == nil && l.encoded != "" {
		d := newDecoder(l.encoded)
		l.list = decodeTraces(&d)
	}
	return l.list
}

// appendTo encodes the traces behind their length.
func (l *traceList) appendTo(dst []byte) []byte {
	if l.list == nil {
		return appendText(dst, l.encoded)
	}
	return appendText(dst, string(appendTraces(nil, l.list)))
}

func appendTraces(dst []byte, traces []trace) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(traces)))
	for i := range traces {
		t := &traces[i]
		dst = appendText(appendMoment(dst, t.when), t.eventType)
		valued := t.collection+t.attribute != ""
		if dst = appendBool(dst, valued); valued {
			dst = appendText(appendText(appendText(appendText(dst, t.collection), t.tag), t.attribute), t.value)
		}
	}
	return dst
}

func decodeTraces(d *decoder) []trace {
	count := int(d.uint())
	if count == 0 {
		return nil
	}
	traces := make([]trace, count)
	for i := range traces {
		t := &traces[i]
		t.when, t.eventType = decodeMoment(d), d.textValue()
		if d.bool() {
			t.collection, t.tag, t.attribute, t.value = d.textValue(), d.textValue(), d.textValue(), d.textValue()
		}
	}
	return traces
}

// appendProfile encodes a profile, as much of it as its detail says.
func appendProfile(dst []byte, p *profile) []byte {
	dst = binary.AppendVarint(dst, int64(p.number))
	dst = binary.AppendVarint(appendText(appendText(dst, p.id), p.customID), int64(p.anonymous))
	dst = append(appendBool(dst, p.loaded), byte(p.detail))
	if p.detail == nameOnly {
		return dst
	}
	dst = binary.AppendVarint(appendText(dst, p.encoded), p.at)
	dst = p.traces.appendTo(appendHistory(dst, p.history))
	dst = binary.AppendUvarint(dst, uint64(len(p.installations)))
	for i := range p.installations {
		dst = appendInstallation(dst, &p.installations[i])
	}
	return dst
}

// decodeProfile reads what appendProfile wrote.
func decodeProfile(d *decoder, p *profile) {
	*p = profile{number: d.int32(), id: d.textValue(), customID: d.textValue(), anonymous: d.int32(), loaded: d.bool()}
	p.detail = detail(d.byte())
	if p.detail == nameOnly {
		return
	}
	p.encoded, p.at, p.history, p.traces.encoded = d.textValue(), d.int(), decodeHistory(d), d.textValue()
	if count := int(d.uint()); count > 0 {
		p.installations = make([]installation, count)
		for i := range p.installations {
			decodeInstallation(d, &p.installations[i])
		}
	}
}

// appendInstallation encodes an installation.
func appendInstallation(dst []byte, in *installation) []byte {
	dst = appendText(binary.AppendVarint(dst, int64(in.number)), in.id)
	dst = appendText(binary.AppendVarint(dst, int64(in.owner)), in.encoded)
	return in.traces.appendTo(appendHistory(binary.AppendVarint(dst, in.at), in.history))
}

// decodeInstallation reads what appendInstallation wrote.
func decodeInstallation(d *decoder, in *installation) {
	*in = installation{number: d.int32(), id: d.textValue(), owner: d.int32(), encoded: d.textValue(), at: d.int(), history: decodeHistory(d), traces: traceList{encoded: d.textValue()}}
}

// appendEvent encodes an event, with what it met.
func appendEvent(dst []byte, e *event) []byte {
	dst = appendMoment(dst, e.when)
	dst = binary.AppendVarint(binary.AppendVarint(dst, int64(e.profile)), int64(e.installation))
	dst = append(appendBool(dst, e.legacy), e.reasons[:]...)
	dst = appendText(dst, e.encoded)
	if dst = appendBool(dst, e.of != nil); e.of != nil {
		dst = appendProfile(dst, e.of)
	}
	if dst = appendBool(dst, e.on != nil); e.on != nil {
		dst = appendInstallation(dst, e.on)
	}
	return dst
}

// decodeEventHead reads what an event changed, and its row into one that is used
// again; decodeEventRest reads the rest.
func decodeEventHead(d *decoder, e *event, row *eventRow) {
	*e = event{eventRow: row, when: decodeMoment(d), profile: d.int32(), installation: d.int32(), legacy: d.bool()}
	for i := range e.reasons {
		e.reasons[i] = d.byte()
	}
	e.encoded = d.textValue()
	*row = eventRow{Reasons: row.Reasons[:0]}
	row.decode(e.encoded)
}

func decodeEventRest(d *decoder, e *event) {
	if d.bool() {
		e.of = new(profile)
		decodeProfile(d, e.of)
	}
	if d.bool() {
		e.on = new(installation)
		decodeInstallation(d, e.on)
	}
}

// apply makes a desired change part of a history, unless it changes nothing,
// and returns the reason by which the exports know it. The row is that of the
// profile.
func (h *history) apply(when moment, wanted desiredChange, row *profileRow) (reason string, changed bool) {
	names := wanted.flag.reasons()
	var before *change
	for i := len(*h) - 1; i >= 0 && before == nil; i-- {
		if past := &(*h)[i]; past.flag == wanted.flag && past.when.before(when) {
			before = past
		}
	}
	made := change{when: when, flag: wanted.flag, state: wanted.state, text: wanted.text}
	reason = wanted.reason
	if reason == "" {
		reason = names[1]
		if wanted.state {
			reason = names[0]
			if names[2] != "" && hadAddress(row, wanted, before) {
				reason = names[2]
			}
		}
	}
	made.update = wanted.state && reason == names[2] && reason != ""
	if before != nil && before.state == wanted.state && !made.update {
		return "", false
	}
	if made.update && wanted.reason == "" && before != nil && before.text == wanted.text {
		return "", false
	}
	*h = append(*h, made)
	return reason, true
}

// hadAddress reports whether a profile had another address or number before.
func hadAddress(row *profileRow, wanted desiredChange, before *change) bool {
	if before != nil {
		return before.state
	}
	if wanted.flag == flagEmail {
		return row.EmailAddress != "" && row.EmailAddress != wanted.text
	}
	return row.PhoneNumber != "" && row.PhoneNumber != wanted.text
}

// channelNames are the channels of the reachability of profiles, in the order of
// the reasons of an event.
func channelNames() [3]string { return [3]string{"email", "sms", "push"} }

// pushChannel is the place of push among them: its changes are those of an
// installation.
const pushChannel = 2

// has reports whether an installation is one of a profile.
func (p *profile) has(installation int32) bool {
	for i := range p.installations {
		if p.installations[i].number == installation {
			return true
		}
	}
	return false
}

var noInstallationRow installationRow

// loaded is the row of an installation; an empty one when none was loaded.
func (in *installation) loaded() *installationRow {
	if in.encoded == "" {
		return &noInstallationRow
	}
	if in.row == nil {
		in.row = new(installationRow)
		in.row.decode(in.encoded)
	}
	return in.row
}

// given is the row of a profile; an empty one when none was loaded.
func (p *profile) given() *profileRow {
	if p.encoded == "" {
		return &noProfileRow
	}
	if p.row == nil {
		p.row = new(profileRow)
		p.row.decode(p.encoded)
	}
	return p.row
}

var noProfileRow profileRow

// address is the e-mail address or the phone number of a profile after the
// events up to one; has is false when it has none, and text is empty when it
// has one that no row gives.
func (p *profile) address(limit moment, of flag) (text string, has bool) {
	text = p.given().EmailAddress
	if of == flagPhone {
		text = p.given().PhoneNumber
	}
	state, known := p.history.state(of, limit)
	if !known {
		return text, text != ""
	}
	if last := p.history.last(of, limit); last != nil && last.text != "" {
		text = last.text
	}
	return text, state
}
