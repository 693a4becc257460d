package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// none is the event of rows that are about none.
var noEvent = event{eventRow: &eventRow{}, installation: -1}

// eventOf is the event that a row tells of.
func (s *Overlay) eventOf(r *world.Row) *event {
	if !s.events || r.Loaded < 1 {
		return &noEvent
	}
	return &s.Snapshot.events[r.Loaded-1]
}

func (s *Overlay) eventFact(name string) (given, bool) {
	text := func(of func(*event) string, instead string) given {
		return given{text: fixed(func(r *world.Row) string { return of(s.eventOf(r)) }), instead: always(instead)}
	}
	made := func(of func(*event) string, what string) given {
		return given{text: fixed(func(r *world.Row) string { return of(s.eventOf(r)) }), instead: func(r *world.Row) string { return s.madeUUID(r, what) }}
	}
	number := func(of func(*event) *whole, instead int64) given {
		return given{number: func(r *world.Row) (int64, bool) {
			if value := of(s.eventOf(r)); value != nil {
				return int64(*value), true
			}
			return instead, false
		}}
	}
	switch name {
	case "event.date":
		return given{time: func(r *world.Row) (int64, bool) { return r.Time, true }}, true
	case "event.type":
		return text(func(e *event) string { return s.query.Wire(e.Type) }, ""), true
	case "event.channel", "event.reasons":
		// They are known by the kind of the row.
		return text(func(*event) string { return "" }, ""), true
	case "event.id":
		return given{text: func(r *world.Row) (string, bool) {
			e := s.eventOf(r)
			if e.EventID != "" {
				return e.EventID, true
			}
			return s.madeUUID(r, s.channelOf(r)), true
		}}, true
	case "event.cta":
		return text(func(e *event) string { return e.CTA }, "service.dismiss"), true
	case "event.cta_position":
		return number(func(e *event) *whole { return e.CTAPosition }, 0), true
	case "event.click_url":
		return text(func(e *event) string { return e.ClickURL }, "https://www.example.com/"), true
	case "event.click_url_name":
		return text(func(e *event) string { return e.ClickURLName }, "example"), true
	case "event.bounce_code":
		return text(func(e *event) string { return e.BounceCode }, "unknown"), true
	case "event.bounce_type":
		return text(func(e *event) string { return e.BounceType }, "hard"), true
	case "event.machine_open":
		return given{flag: func(r *world.Row) (bool, bool) {
			value := s.eventOf(r).MachineOpen
			return value != nil && *value, value != nil
		}}, true
	case "event.message_language":
		return text(func(e *event) string { return e.MessageLanguage }, "default"), true
	case "event.sms_parts":
		return number(func(e *event) *whole { return e.SMSParts }, 1), true
	case "event.transactional_token":
		return made(func(e *event) string { return e.TransactionalToken }, "token"), true
	case "orchestration.id":
		return given{text: fixed(func(r *world.Row) string { return s.eventOf(r).OrchestrationID }),
			instead: func(r *world.Row) string { return "orchestration_" + s.madeUUID(r, "orchestration") }}, true
	case "orchestration.name":
		return text(func(e *event) string { return e.OrchestrationName }, "Orchestration"), true
	case "orchestration.step_id":
		return made(func(e *event) string { return e.StepID }, "step"), true
	case "orchestration.step_name":
		return text(func(e *event) string { return e.StepName }, "Step"), true
	case "orchestration.sent_id":
		return made(func(e *event) string { return e.SentID }, "sent"), true
	case "orchestration.ab_testing_status":
		return text(func(e *event) string { return e.ABTestingStatus }, "NONE"), true
	case "orchestration.ab_testing_variant":
		return text(func(e *event) string { return e.ABTestingVariant }, "NONE"), true
	}
	return given{}, false
}

// channelOf is the channel of a row of reachability changes.
func (s *Overlay) channelOf(r *world.Row) string {
	if r.Reason == 0 || int(r.Reason) > len(s.told) {
		return ""
	}
	return s.told[r.Reason-1].channel
}

// madeUUID is a UUID of an event's own, for one purpose.
func (s *Overlay) madeUUID(r *world.Row, purpose string) string {
	var key [8]byte
	binary.BigEndian.PutUint64(key[:], r.Message)
	sum := sha256.Sum256(append(key[:], purpose...))
	sum[6], sum[8] = sum[6]&15|4<<4, sum[8]&63|2<<6
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
