package world

// eventFacts are those of synthetic events and their orchestrations.
type eventFacts struct {
	w     *World
	scope Scope
}

var _ EventFacts[Fact] = eventFacts{}

// pick is one of some texts, drawn for the message of a row, and another one each time
// that its event comes again.
func pick(key uint64, texts ...string) Fact {
	return textFact(func(r *Row) string {
		return texts[(below(draw(r.Message, key), int64(len(texts)))+int64(r.how.repeat))%int64(len(texts))]
	})
}

func (f eventFacts) EventType() Fact {
	return Fact{Names: f.scope.View.Events(), Absent: func(r *Row) bool { return r.Event < 0 }, Choice: func(r *Row) int { return int(r.Event) }}
}

func (f eventFacts) EventDate() Fact {
	return Fact{Hints: Hints{InOrder: true}, Time: func(r *Row) int64 { return r.Time + r.Skew }}
}

func (f eventFacts) EventID() Fact {
	return Fact{Width: uuidWidth, Text: func(dst []byte, r *Row) []byte { return appendUUID(dst, r.Message, uint64(r.Time)) }}
}

func (f eventFacts) EventChannel() Fact {
	return Fact{
		Names: channelNames[1:],
		Absent: func(r *Row) bool {
			return r.Event >= 0 || r.changed == 0 || r.changed > changeKinds || changeTypes[r.changed-1].channel == channelNone
		},
		Choice: func(r *Row) int { return int(changeTypes[r.changed-1].channel) - 1 },
	}
}

func (f eventFacts) EventReasons() Fact {
	return Fact{Names: ReasonNames, Absent: func(r *Row) bool { return r.Reason == 0 }, Choice: func(r *Row) int { return int(r.Reason) }}
}

func (f eventFacts) CTA() Fact {
	return pick(201, "service.CustomAction", "service.dismiss", "service.deeplink")
}

func (f eventFacts) CTAPosition() Fact {
	return Fact{Number: func(r *Row) int64 { return below(draw(r.Message, 202), 2) }}
}

func (f eventFacts) ClickURL() Fact {
	return pick(203, "https://www.example.com/offers", "https://www.example.com/news", "https://www.example.com/account", "https://shop.example.com/basket")
}

func (f eventFacts) ClickURLName() Fact { return pick(203, "offers", "news", "account", "basket") }

func (f eventFacts) BounceCode() Fact {
	return f.w.bounceFact(f.scope, func(b bounce) string { return b.code })
}

func (f eventFacts) BounceType() Fact {
	return f.w.bounceFact(f.scope, func(b bounce) string { return b.kind })
}

func (f eventFacts) MachineOpen() Fact {
	return Fact{Flag: func(r *Row) bool { return r.how.machine }}
}

// defaultLanguage is that of messages that have one text for all.
const defaultLanguage = "default"

func (f eventFacts) MessageLanguage() Fact {
	return textFact(func(r *Row) string {
		if draw(r.Message, 206)%4 > 0 {
			return defaultLanguage
		}
		return f.w.languageOf(r.Profile)
	})
}

func (f eventFacts) SMSParts() Fact {
	return Fact{Number: func(r *Row) int64 {
		random := draw(r.Message, 207)
		for parts := int64(1); ; parts++ {
			if parts == mostSMSParts || partsUpTo[parts-1].holds(random) {
				return parts
			}
		}
	}}
}

// mostSMSParts is how many parts the longest SMS have, and partsUpTo the shares of those with so many at most. A text of 160 characters
// is one part, and of longer ones a part has 153.
const mostSMSParts = 5

var partsUpTo = [mostSMSParts - 1]chance{chanceOf(0.65), chanceOf(0.93), chanceOf(0.98), chanceOf(0.995)}

func (f eventFacts) TransactionalToken() Fact {
	return Fact{Width: uuidWidth, Text: func(dst []byte, r *Row) []byte { return appendUUID(dst, r.Message, 208) }}
}

// Orchestrations is above the number of every orchestration that the rows of a
// view come from; zero when they come from none.
func Orchestrations(view View) int {
	if found := messagesIn(view); found != nil {
		above := 0
		for _, from := range found.stream.senders {
			above = max(above, int(from.number)+1)
		}
		return above
	}
	return 0
}

func (f eventFacts) key(r *Row) uint64 { return draw(f.w.keys.orchestration, uint64(r.Orchestration)) }

func (f eventFacts) opaque(prefix string, purpose uint64, number func(*Row) uint64) Fact {
	return Fact{Width: len(prefix) + opaqueWidth, Text: func(dst []byte, r *Row) []byte {
		return appendOpaque(append(dst, prefix...), f.w.keys.orchestration^purpose, number(r))
	}}
}

func (f eventFacts) OrchestrationID() Fact {
	fact := f.opaque("orchestration_", 1, func(r *Row) uint64 { return uint64(r.Orchestration) })
	fact.Hints.DependsOn = OnOrchestration
	return fact
}

func (f eventFacts) OrchestrationName() Fact {
	return Fact{
		Hints:  Hints{DependsOn: OnOrchestration},
		Absent: func(r *Row) bool { return f.key(r)%11 == 0 },
		Text:   f.w.appendCampaignName,
		Length: f.w.campaignNameLength,
	}
}

func (f eventFacts) StepID() Fact {
	fact := f.opaque("step_", 2, func(r *Row) uint64 { return uint64(r.Orchestration) })
	fact.Hints.DependsOn = OnOrchestration
	return fact
}

func (f eventFacts) StepName() Fact {
	fact := textFact(func(r *Row) string { return stepNames[f.key(r)>>8%uint64(len(stepNames))] })
	fact.Hints.DependsOn = OnOrchestration
	fact.Absent = func(r *Row) bool { return f.key(r)>>16%3 == 0 }
	return fact
}

func (f eventFacts) SentID() Fact {
	return f.opaque("sent_", 3, func(r *Row) uint64 { return r.Message })
}

func (f eventFacts) notTested(r *Row) bool {
	return int(r.Orchestration) >= len(f.w.orchestrations.effects) || !f.w.orchestrations.effects[r.Orchestration].tested
}

func (f eventFacts) ABTestingStatus() Fact {
	return Fact{
		Absent: f.notTested,
		Names:  []string{"RUNNING", "FINISHED"},
		Choice: func(r *Row) int {
			if f.w.orchestrations.effects[r.Orchestration].testing(floorDivide(r.Time, week)) {
				return 0
			}
			return 1
		},
	}
}

func (f eventFacts) ABTestingVariant() Fact {
	return Fact{
		Absent: f.notTested,
		Width:  1,
		Text:   func(dst []byte, r *Row) []byte { return append(dst, "A"[0]+byte(r.Message&1)) },
	}
}
