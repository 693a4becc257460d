package record

import (
	"encoding/binary"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

func appendMoment(dst []byte, m Moment) []byte {
	return binary.AppendVarint(binary.AppendVarint(dst, m.Second), int64(m.Number))
}

func decodeMoment(d *blocks.Decoder) Moment { return Moment{d.Int(), d.Int32()} }

func appendHistory(dst []byte, h History) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(h)))
	for i := range h {
		dst = appendMoment(dst, h[i].When)
		dst = blocks.AppendBool(blocks.AppendBool(append(dst, byte(h[i].Flag)), h[i].State), h[i].Update)
		dst = blocks.AppendText(dst, h[i].Text)
	}
	return dst
}

func decodeHistory(d *blocks.Decoder) History {
	count := int(d.Uint())
	if count == 0 {
		return nil
	}
	h := make(History, count)
	for i := range h {
		h[i].When = decodeMoment(d)
		h[i].Flag = input.Flag(d.Byte())
		h[i].State, h[i].Update = d.Bool(), d.Bool()
		h[i].Text = d.Text()
	}
	return h
}

// appendTo encodes the traces behind their length.
func (l *TraceList) appendTo(dst []byte) []byte {
	if l.List == nil {
		return blocks.AppendText(dst, l.encoded)
	}
	return blocks.AppendText(dst, string(appendTraces(nil, l.List)))
}

func appendTraces(dst []byte, traces []Trace) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(traces)))
	for i := range traces {
		t := &traces[i]
		dst = blocks.AppendText(appendMoment(dst, t.When), t.EventType)
		valued := t.Collection+t.Attribute != ""
		if dst = blocks.AppendBool(dst, valued); valued {
			dst = blocks.AppendText(blocks.AppendText(blocks.AppendText(blocks.AppendText(dst, t.Collection), t.Tag), t.Attribute), t.Value)
		}
	}
	return dst
}

func decodeTraces(d *blocks.Decoder) []Trace {
	count := int(d.Uint())
	if count == 0 {
		return nil
	}
	traces := make([]Trace, count)
	for i := range traces {
		t := &traces[i]
		t.When, t.EventType = decodeMoment(d), d.Text()
		if d.Bool() {
			t.Collection, t.Tag, t.Attribute, t.Value = d.Text(), d.Text(), d.Text(), d.Text()
		}
	}
	return traces
}

// AppendProfile encodes a profile, as much of it as its detail says.
func AppendProfile(dst []byte, p *Profile) []byte {
	dst = binary.AppendVarint(dst, int64(p.Number))
	dst = binary.AppendVarint(blocks.AppendText(blocks.AppendText(dst, p.ID), p.CustomID), int64(p.Anonymous))
	dst = append(blocks.AppendBool(dst, p.Loaded), byte(p.Detail))
	if p.Detail == NameOnly {
		return dst
	}
	dst = binary.AppendVarint(blocks.AppendText(dst, p.Encoded), p.At)
	dst = p.Traces.appendTo(appendHistory(dst, p.History))
	dst = binary.AppendUvarint(dst, uint64(len(p.Installations)))
	for i := range p.Installations {
		dst = AppendInstallation(dst, &p.Installations[i])
	}
	return dst
}

// DecodeProfile reads what appendProfile wrote.
func DecodeProfile(d *blocks.Decoder, p *Profile) {
	*p = Profile{Number: d.Int32(), ID: d.Text(), CustomID: d.Text(), Anonymous: d.Int32(), Loaded: d.Bool()}
	p.Detail = Detail(d.Byte())
	if p.Detail == NameOnly {
		return
	}
	p.Encoded, p.At, p.History, p.Traces.encoded = d.Text(), d.Int(), decodeHistory(d), d.Text()
	if count := int(d.Uint()); count > 0 {
		p.Installations = make([]Installation, count)
		for i := range p.Installations {
			DecodeInstallation(d, &p.Installations[i])
		}
	}
}

// AppendInstallation encodes an installation.
func AppendInstallation(dst []byte, in *Installation) []byte {
	dst = blocks.AppendText(binary.AppendVarint(dst, int64(in.Number)), in.ID)
	dst = blocks.AppendText(binary.AppendVarint(dst, int64(in.Owner)), in.Encoded)
	return in.Traces.appendTo(appendHistory(binary.AppendVarint(dst, in.At), in.History))
}

// DecodeInstallation reads what appendInstallation wrote.
func DecodeInstallation(d *blocks.Decoder, in *Installation) {
	*in = Installation{Number: d.Int32(), ID: d.Text(), Owner: d.Int32(), Encoded: d.Text(), At: d.Int(), History: decodeHistory(d), Traces: TraceList{encoded: d.Text()}}
}

// AppendEvent encodes an event, with what it met.
func AppendEvent(dst []byte, e *Event) []byte {
	dst = appendMoment(dst, e.When)
	dst = binary.AppendVarint(binary.AppendVarint(dst, int64(e.Profile)), int64(e.Installation))
	dst = append(blocks.AppendBool(dst, e.Legacy), e.ReasonSets[:]...)
	dst = blocks.AppendText(dst, e.Encoded)
	if dst = blocks.AppendBool(dst, e.Of != nil); e.Of != nil {
		dst = AppendProfile(dst, e.Of)
	}
	if dst = blocks.AppendBool(dst, e.On != nil); e.On != nil {
		dst = AppendInstallation(dst, e.On)
	}
	return dst
}

// DecodeEventHead reads what an event changed, and its row into one that is used
// again; DecodeEventRest reads the rest.
func DecodeEventHead(d *blocks.Decoder, e *Event, row *input.Event) {
	*e = Event{Event: row, When: decodeMoment(d), Profile: d.Int32(), Installation: d.Int32(), Legacy: d.Bool()}
	for i := range e.ReasonSets {
		e.ReasonSets[i] = d.Byte()
	}
	e.Encoded = d.Text()
	*row = input.Event{Reasons: row.Reasons[:0]}
	row.Decode(e.Encoded)
}

// DecodeEventRest reads what an event met.
func DecodeEventRest(d *blocks.Decoder, e *Event) {
	if d.Bool() {
		e.Of = new(Profile)
		DecodeProfile(d, e.Of)
	}
	if d.Bool() {
		e.On = new(Installation)
		DecodeInstallation(d, e.On)
	}
}
