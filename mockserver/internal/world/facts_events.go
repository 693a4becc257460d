package world

import "strconv"

func (w *World) eventFact(name string, scope Scope) (Fact, bool) {
	text := func(key uint64, words []string) Fact {
		return textFact(func(r *Row) string { return words[below(draw(r.Message, key), int64(len(words)))] })
	}
	switch name {
	case "event.type":
		names := scope.View.Events()
		return Fact{Names: names, Absent: func(r *Row) bool { return r.Event < 0 }, Choice: func(r *Row) int { return int(r.Event) }}, true
	case "event.date":
		return Fact{Time: func(r *Row) int64 { return r.Time }}, true
	case "event.id":
		return Fact{Width: uuidWidth, Text: func(dst []byte, r *Row) []byte { return appendUUID(dst, r.Message, uint64(r.Time)) }}, true
	case "event.channel":
		return Fact{
			Names:  channelNames[1:],
			Absent: func(r *Row) bool { return r.after >= changeKinds || changeTypes[r.after].channel == channelNone },
			Choice: func(r *Row) int { return int(changeTypes[r.after].channel) - 1 },
		}, true
	case "event.reasons":
		return Fact{Names: ReasonNames, Absent: func(r *Row) bool { return r.Reason == 0 }, Choice: func(r *Row) int { return int(r.Reason) }}, true
	case "event.cta":
		return text(201, []string{"service.CustomAction", "service.dismiss", "service.deeplink"}), true
	case "event.cta_position":
		return Fact{Number: func(r *Row) int64 { return below(draw(r.Message, 202), 2) }}, true
	case "event.click_url":
		return text(203, []string{"https://www.example.com/offers", "https://www.example.com/news", "https://www.example.com/account", "https://shop.example.com/basket"}), true
	case "event.click_url_name":
		return text(203, []string{"offers", "news", "account", "basket"}), true
	case "event.bounce_code":
		return w.bounceFact(scope, func(b bounce) string { return b.code }), true
	case "event.bounce_type":
		return w.bounceFact(scope, func(b bounce) string { return b.kind }), true
	case "event.machine_open":
		return Fact{Flag: func(r *Row) bool { return draw(r.Message, 205)%8 == 0 }}, true
	case "event.message_language":
		return textFact(func(r *Row) string {
			if draw(r.Message, 206)%4 > 0 {
				return "default"
			}
			return w.languageOf(r.Profile)
		}), true
	case "event.sms_parts":
		return Fact{Number: func(r *Row) int64 { return 1 + below(draw(r.Message, 207), 8)/5 }}, true
	case "event.transactional_token":
		return Fact{Width: uuidWidth, Text: func(dst []byte, r *Row) []byte { return appendUUID(dst, r.Message, 208) }}, true
	case "request.api_key":
		return Fact{Constant: func() string { return scope.APIKey }}, true
	}
	return Fact{}, false
}

// Orchestrations is how many orchestrations the rows of a view come from; zero
// when they come from none.
func Orchestrations(view View) int {
	if found := messagesIn(view); found != nil {
		return len(found.stream.orchestrations)
	}
	return 0
}

func (w *World) orchestrationFact(name string, _ Scope) (Fact, bool) {
	key := func(r *Row) uint64 { return draw(w.keys.orchestration, uint64(r.Orchestration)) }
	opaque := func(prefix string, of uint64, number func(*Row) uint64) Fact {
		return Fact{Width: len(prefix) + opaqueWidth, Text: func(dst []byte, r *Row) []byte {
			return appendOpaque(append(dst, prefix...), w.keys.orchestration^of, number(r))
		}}
	}
	numbered := func(prefix string, number func(*Row) int64) Fact {
		return Fact{
			PerOrchestration: true,
			Text:             func(dst []byte, r *Row) []byte { return strconv.AppendInt(append(dst, prefix...), number(r), 10) },
			Length:           func(r *Row) int { return len(prefix) + digits(number(r), 10) },
		}
	}
	tested := func(r *Row) bool { return key(r)%3 == 0 }
	switch name {
	case "orchestration.id":
		fact := opaque("orchestration_", 1, func(r *Row) uint64 { return uint64(r.Orchestration) })
		fact.PerOrchestration = true
		return fact, true
	case "orchestration.step_id":
		fact := opaque("step_", 2, func(r *Row) uint64 { return uint64(r.Orchestration) })
		fact.PerOrchestration = true
		return fact, true
	case "orchestration.sent_id":
		return opaque("sent_", 3, func(r *Row) uint64 { return r.Message }), true
	case "orchestration.name":
		fact := numbered("Orchestration ", func(r *Row) int64 { return int64(r.Orchestration) + 1 })
		fact.Absent = func(r *Row) bool { return key(r)%11 == 0 }
		return fact, true
	case "orchestration.step_name":
		fact := numbered("Step ", func(r *Row) int64 { return 1 + int64(key(r)>>8%4) })
		fact.Absent = func(r *Row) bool { return key(r)>>16%3 == 0 }
		return fact, true
	case "orchestration.ab_testing_status":
		return Fact{
			PerOrchestration: true,

			Absent: func(r *Row) bool { return !tested(r) },
			Width:  len("RUNNING"),
			Text:   func(dst []byte, _ *Row) []byte { return append(dst, "RUNNING"...) },
		}, true
	case "orchestration.ab_testing_variant":
		return Fact{
			Absent: func(r *Row) bool { return !tested(r) },
			Width:  1,
			Text:   func(dst []byte, r *Row) []byte { return append(dst, "A"[0]+byte(draw(r.Message, 209)&1)) },
		}, true
	}
	return Fact{}, false
}
