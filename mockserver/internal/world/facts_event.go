package world

import (
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// bounce is why a message did not arrive, with how often that is so against the others of its list.
type bounce struct {
	code, kind string
	weight     int
}

// What mail servers (RFC 3463), operators and push gateways answer, and behind it after what an address or a token is gone.
// See docs/explanation/world.md#what-do-bounces-say
var (
	softBounces = [channels][]bounce{
		channelEmail: {
			{"4.2.2", "soft", 28}, {"5.2.2", "soft", 20}, {"4.4.1", "soft", 20}, {"4.7.1", "soft", 12}, {"4.7.0", "soft", 8},
			{"4.3.2", "soft", 6}, {"4.4.7", "soft", 6},
		},
		channelSMS: {
			{"absent_subscriber", "soft", 60}, {"validity_expired", "soft", 20},
			{"operator_rejected", "soft", 14}, {"handset_memory_full", "soft", 6},
		},
		channelPush: {{"unavailable", "soft", 70}, {"timeout", "soft", 20}, {"too_many_requests", "soft", 10}},
	}
	lastBounces = [channels][]bounce{
		channelEmail: {
			{"5.1.1", "hard", 56}, {"5.7.1", "hard", 16}, {"5.2.1", "hard", 9}, {"5.1.2", "hard", 7}, {"5.4.1", "hard", 5},
			{"5.5.0", "hard", 4}, {"5.0.0", "hard", 3},
		},
		channelSMS:  {{"unknown_subscriber", "hard", 100}},
		channelPush: {{"unregistered", "hard", 85}, {"invalid_token", "hard", 15}},
	}
)

func (r *Row) bounce() *bounce {
	list := softBounces[r.channel]
	if r.event.final {
		list = lastBounces[r.channel]
	}
	left := int(keyed(r.Message, 1) % 100)
	for i := range list {
		if left -= list[i].weight; left < 0 {
			return &list[i]
		}
	}
	return &list[0]
}

// partsUpTo are, of a thousand SMS, those with so many parts at most. A text of 160 characters is one part.
var partsUpTo = []uint64{650, 930, 980, 995, 1000}

func (v *View) eventFact(name string) (Fact, bool) {
	switch name {
	case vocabulary.EventType:
		return Fact{Names: v.events, Absent: func(r *Row) bool { return r.Event < 0 }, Choice: func(r *Row) int { return r.Event }}, true
	case vocabulary.EventDate:
		return Fact{Time: func(r *Row) int64 { return r.Time + r.Skew }}, true
	case vocabulary.EventID:
		return Fact{Text: func(dst []byte, r *Row) []byte { return appendUUID(dst, keyed(r.Message, uint64(r.Time))) }}, true
	case vocabulary.EventChannel:
		return Fact{Names: channelNames[:], Choice: func(r *Row) int { return int(r.channel) }}, true
	case vocabulary.EventReasons:
		var names []string
		for _, list := range Reasons() {
			names = append(names, strings.Join(list, " "))
		}
		return Fact{Names: names, Absent: func(r *Row) bool { return r.Reason == 0 }, Choice: func(r *Row) int { return r.Reason }}, true
	case vocabulary.CTA:
		return picked(2, "service.CustomAction", "service.dismiss", "service.deeplink"), true
	case vocabulary.CTAPosition:
		return Fact{Number: func(r *Row) int64 { return int64(keyed(r.Message, 3) & 1) }}, true
	case vocabulary.ClickURL:
		return picked(4, "https://www.example.com/offers", "https://www.example.com/news", "https://www.example.com/account",
			"https://shop.example.com/basket"), true
	case vocabulary.ClickURLName:
		return picked(4, "offers", "news", "account", "basket"), true
	case vocabulary.BounceCode:
		return text(func(r *Row) string { return r.bounce().code }), true
	case vocabulary.BounceType:
		return text(func(r *Row) string { return r.bounce().kind }), true
	case vocabulary.MachineOpen:
		return Fact{Flag: func(r *Row) bool { return r.event.machine }}, true
	case vocabulary.SMSParts:
		return Fact{Number: func(r *Row) int64 {
			drawn, parts := keyed(r.Message, 5)%1000, int64(1)
			for drawn >= partsUpTo[parts-1] {
				parts++
			}
			return parts
		}}, true
	case vocabulary.TransactionalToken:
		return Fact{Text: func(dst []byte, r *Row) []byte { return appendUUID(dst, keyed(r.Message, 6)) }}, true
	}
	return Fact{}, false
}

// defaultLanguage is that of messages that have one text for all.
const defaultLanguage = "default"

func (v *View) campaignFact(name string) (fact Fact, known bool) {
	none := func(r *Row) bool { return r.Campaign == nil }
	opaque := func(prefix string, salt uint64) Fact {
		return Fact{Absent: none, Text: func(dst []byte, r *Row) []byte { return appendOpaque(append(dst, prefix...), r.Campaign.key^salt) }}
	}
	switch name {
	case vocabulary.OrchestrationID:
		return opaque("orchestration_", 1), true
	case vocabulary.StepID:
		return opaque("step_", 2), true
	case vocabulary.SentID:
		return Fact{Text: func(dst []byte, r *Row) []byte { return appendOpaque(append(dst, "sent_"...), r.Message) }}, true
	case vocabulary.OrchestrationName:
		fact = text(func(r *Row) string { return r.Campaign.name })
		fact.Absent = func(r *Row) bool { return none(r) || r.Campaign.name == "" }
	case vocabulary.StepName:
		fact = text(func(r *Row) string { return r.Campaign.step })
		fact.Absent = func(r *Row) bool { return none(r) || r.Campaign.step == "" }
	case vocabulary.MessageLanguage:
		fact = text(func(r *Row) string {
			if r.Campaign != nil && r.Campaign.translated {
				return r.Person.who.language
			}
			return defaultLanguage
		})
	case vocabulary.ABTestingStatus:
		fact = text(func(r *Row) string {
			if r.Campaign.testing(r.Time) {
				return "RUNNING"
			}
			return "FINISHED"
		})
		fact.Absent = func(r *Row) bool { return none(r) || !r.Campaign.tested }
	case vocabulary.ABTestingVariant:
		fact.Text = func(dst []byte, r *Row) []byte { return append(dst, 'A'+r.Campaign.variant(r.Person.key, r.Time)) }
		fact.Absent = func(r *Row) bool { return none(r) || !r.Campaign.tested }
	default:
		return fact, false
	}
	return fact, true
}

// Ages: people are eighteen and older when they are created, and six in ten tell when they were born.
const (
	youngest  = 18 * 365 * day
	ageSpread = 55 * 365
	tellsAge  = 154 // of 256
)

func tellsNoAge(r *Row) bool { return keyed(r.Person.key, 600)&255 >= tellsAge }

func (p *Person) born() time.Time {
	return time.Unix((p.created-youngest)/day*day-below(keyed(p.key, 601), ageSpread)*day, 0).UTC()
}

// ageAt is how many whole years somebody has at an instant.
func ageAt(born time.Time, at int64) int64 {
	now := time.Unix(at, 0).UTC()
	age := now.Year() - born.Year()
	if born.AddDate(age, 0, 0).After(now) {
		age--
	}
	return int64(age)
}
