package overlay

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/record"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// noEvent is the event of rows that are about none.
var noEvent = record.Event{Event: &input.Event{}, Installation: -1}

// eventOf is the event that a row shows.
func (s *Overlay) eventOf(r *world.Row) *record.Event {
	if l := loadedOf(r); l != nil && l.event != nil {
		if e := l.event; e.Event == nil {
			e.Event = new(input.Event)
			e.Decode(e.Encoded)
		}
		return l.event
	}
	return &noEvent
}

// eventFacts are those of loaded events.
type eventFacts struct{ s *Overlay }

var _ world.EventFacts[loadedFact] = eventFacts{}

func (f eventFacts) text(of func(*record.Event) string, fallback string) loadedFact {
	return textFact(func(r *world.Row) string { return of(f.s.eventOf(r)) }, constantText(fallback))
}

// identifier is a text in whose place a derived one may stand.
func (f eventFacts) identifier(of func(*record.Event) string, purpose string) loadedFact {
	return textFact(func(r *world.Row) string { return of(f.s.eventOf(r)) }, func(r *world.Row) string { return f.s.derivedUUID(r, purpose) })
}

func (f eventFacts) number(of func(*record.Event) *input.Integer, fallback int64) loadedFact {
	return loadedFact{number: func(r *world.Row) (int64, bool) {
		if value := of(f.s.eventOf(r)); value != nil {
			return int64(*value), true
		}
		return fallback, false
	}}
}

func (f eventFacts) EventDate() loadedFact {
	return loadedFact{time: func(r *world.Row) (int64, bool) { return r.Time, true }}
}

func (f eventFacts) EventType() loadedFact {
	return f.text(func(e *record.Event) string { return f.s.query.Wire(e.Type) }, "")
}

// EventChannel and EventReasons are fixed by the kind of a row, so they are
// never asked for.
func (f eventFacts) EventChannel() loadedFact {
	return f.text(func(*record.Event) string { return "" }, "")
}

func (f eventFacts) EventReasons() loadedFact { return f.EventChannel() }

func (f eventFacts) EventID() loadedFact {
	return loadedFact{text: func(r *world.Row) (string, bool) {
		if e := f.s.eventOf(r); e.EventID != "" {
			return e.EventID, true
		}
		return f.s.derivedUUID(r, f.s.channelOf(r)), true
	}}
}

func (f eventFacts) CTA() loadedFact {
	return f.text(func(e *record.Event) string { return e.CTA }, "service.dismiss")
}

func (f eventFacts) CTAPosition() loadedFact {
	return f.number(func(e *record.Event) *input.Integer { return e.CTAPosition }, 0)
}

func (f eventFacts) ClickURL() loadedFact {
	return f.text(func(e *record.Event) string { return e.ClickURL }, "https://www.example.com/")
}

func (f eventFacts) ClickURLName() loadedFact {
	return f.text(func(e *record.Event) string { return e.ClickURLName }, "example")
}

func (f eventFacts) BounceCode() loadedFact {
	return f.text(func(e *record.Event) string { return e.BounceCode }, "unknown")
}

func (f eventFacts) BounceType() loadedFact {
	return f.text(func(e *record.Event) string { return e.BounceType }, "hard")
}

func (f eventFacts) MachineOpen() loadedFact {
	return loadedFact{flag: func(r *world.Row) (bool, bool) {
		value := f.s.eventOf(r).MachineOpen
		return value != nil && *value, value != nil
	}}
}

func (f eventFacts) MessageLanguage() loadedFact {
	return f.text(func(e *record.Event) string { return e.MessageLanguage }, "default")
}

func (f eventFacts) SMSParts() loadedFact {
	return f.number(func(e *record.Event) *input.Integer { return e.SMSParts }, 1)
}

func (f eventFacts) TransactionalToken() loadedFact {
	return f.identifier(func(e *record.Event) string { return e.TransactionalToken }, "token")
}

func (f eventFacts) OrchestrationID() loadedFact {
	return textFact(func(r *world.Row) string { return f.s.eventOf(r).OrchestrationID },
		func(r *world.Row) string { return "orchestration_" + f.s.derivedUUID(r, "orchestration") })
}

func (f eventFacts) OrchestrationName() loadedFact {
	return f.text(func(e *record.Event) string { return e.OrchestrationName }, "Orchestration")
}

func (f eventFacts) StepID() loadedFact {
	return f.identifier(func(e *record.Event) string { return e.StepID }, "step")
}

func (f eventFacts) StepName() loadedFact {
	return f.text(func(e *record.Event) string { return e.StepName }, "Step")
}

func (f eventFacts) SentID() loadedFact {
	return f.identifier(func(e *record.Event) string { return e.SentID }, "sent")
}

func (f eventFacts) ABTestingStatus() loadedFact {
	return f.text(func(e *record.Event) string { return e.ABTestingStatus }, "NONE")
}

func (f eventFacts) ABTestingVariant() loadedFact {
	return f.text(func(e *record.Event) string { return e.ABTestingVariant }, "NONE")
}

// channelOf is the channel of a row of reachability changes.
func (s *Overlay) channelOf(r *world.Row) string {
	if r.Reason == 0 || int(r.Reason) > len(s.ReasonSets) {
		return ""
	}
	return s.ReasonSets[r.Reason-1].Channel
}

// derivedUUID is a UUID that belongs to an event and a purpose.
func (s *Overlay) derivedUUID(r *world.Row, purpose string) string {
	var key [8]byte
	binary.BigEndian.PutUint64(key[:], r.Message)
	sum := sha256.Sum256(append(key[:], purpose...))
	sum[6], sum[8] = sum[6]&15|4<<4, sum[8]&63|2<<6
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
