package dataset

import (
	"encoding/binary"
	"encoding/json"
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

// decoded is a value that was written as JSON.
func decoded(raw string) (value any) {
	if raw != "" {
		_ = decodeExact(json.RawMessage(raw), &value, false)
	}
	return value
}

func appendMoment(dst []byte, m moment) []byte {
	return binary.AppendVarint(binary.AppendVarint(dst, m.second), int64(m.number))
}

func (d *decoder) moment() moment { return moment{d.int(), d.number()} }

func appendHistory(dst []byte, h history) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(h)))
	for i := range h {
		dst = appendMoment(dst, h[i].when)
		dst = appendFlag(appendFlag(append(dst, byte(h[i].flag)), h[i].state), h[i].update)
		dst = appendText(dst, h[i].text)
	}
	return dst
}

func (d *decoder) history() history {
	count := int(d.uint())
	if count == 0 {
		return nil
	}
	h := make(history, count)
	for i := range h {
		h[i].when = d.moment()
		h[i].flag = flag(d.text[d.at])
		d.at++
		h[i].state, h[i].update = d.flag(), d.flag()
		h[i].text = d.string()
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
		d := decoder{text: l.encoded}
		l.list = d.traces()
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
		if dst = appendFlag(dst, valued); valued {
			dst = appendText(appendText(appendText(appendText(dst, t.collection), t.tag), t.attribute), t.value)
		}
	}
	return dst
}

func (d *decoder) traces() []trace {
	count := int(d.uint())
	if count == 0 {
		return nil
	}
	traces := make([]trace, count)
	for i := range traces {
		t := &traces[i]
		t.when, t.eventType = d.moment(), d.string()
		if d.flag() {
			t.collection, t.tag, t.attribute, t.value = d.string(), d.string(), d.string(), d.string()
		}
	}
	return traces
}

func appendProfile(dst []byte, p *profile) []byte {
	dst = binary.AppendVarint(dst, int64(p.number))
	dst = binary.AppendVarint(appendText(appendText(dst, p.id), p.customID), int64(p.anonymous))
	dst = append(appendFlag(dst, p.loaded), byte(p.detail))
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

func (d *decoder) profile(p *profile) {
	*p = profile{number: d.number(), id: d.string(), customID: d.string(), anonymous: d.number(), loaded: d.flag()}
	p.detail = detail(d.text[d.at])
	d.at++
	if p.detail == nameOnly {
		return
	}
	p.encoded, p.at, p.history, p.traces.encoded = d.string(), d.int(), d.history(), d.string()
	if count := int(d.uint()); count > 0 {
		p.installations = make([]installation, count)
		for i := range p.installations {
			d.installation(&p.installations[i])
		}
	}
}

func appendInstallation(dst []byte, in *installation) []byte {
	dst = appendText(binary.AppendVarint(dst, int64(in.number)), in.id)
	dst = appendText(binary.AppendVarint(dst, int64(in.owner)), in.encoded)
	return in.traces.appendTo(appendHistory(binary.AppendVarint(dst, in.at), in.history))
}

func (d *decoder) installation(in *installation) {
	*in = installation{number: d.number(), id: d.string(), owner: d.number(), encoded: d.string(), at: d.int(), history: d.history(), traces: traceList{encoded: d.string()}}
}

func appendEvent(dst []byte, e *event) []byte {
	dst = appendMoment(dst, e.when)
	dst = binary.AppendVarint(binary.AppendVarint(dst, int64(e.profile)), int64(e.installation))
	dst = append(appendFlag(dst, e.legacy), e.reasons[:]...)
	dst = appendText(dst, e.encoded)
	if dst = appendFlag(dst, e.of != nil); e.of != nil {
		dst = appendProfile(dst, e.of)
	}
	if dst = appendFlag(dst, e.on != nil); e.on != nil {
		dst = appendInstallation(dst, e.on)
	}
	return dst
}

// eventHead reads what an event changed, and its row into one that is used
// again; eventRest reads the rest.
func (d *decoder) eventHead(e *event, row *eventRow) {
	*e = event{eventRow: row, when: d.moment(), profile: d.number(), installation: d.number(), legacy: d.flag()}
	for i := range e.reasons {
		e.reasons[i] = d.text[d.at]
		d.at++
	}
	e.encoded = d.string()
	*row = eventRow{Reasons: row.Reasons[:0]}
	row.decode(e.encoded)
}

func (d *decoder) eventRest(e *event) {
	if d.flag() {
		e.of = new(profile)
		d.profile(e.of)
	}
	if d.flag() {
		e.on = new(installation)
		d.installation(e.on)
	}
}
