package world

import "slices"

// bounce is why a message did not arrive.
type bounce struct{ code, kind string }

// usualBounce is one that comes so often, against the others of its list.
type usualBounce struct {
	code, kind string
	weight     int
}

// bounces are, per channel, what mail servers (RFC 3463), operators and push
// gateways answer, and how often. Of e-mails, nobody publishes how often each code comes: the weights say which
// classes are common. A full mailbox (5.2.2 as well) may have room again.
// See docs/explanation/world.md#what-do-bounces-say
var bounces = [...][]usualBounce{
	channelNone: {{"unknown", "hard", 1}},
	channelEmail: {
		{"4.2.2", "soft", 28}, {"5.2.2", "soft", 20}, {"4.4.1", "soft", 20}, {"4.7.1", "soft", 12}, {"4.7.0", "soft", 8}, {"4.3.2", "soft", 6}, {"4.4.7", "soft", 6},
	},
	channelSMS:  {{"absent_subscriber", "soft", 60}, {"validity_expired", "soft", 20}, {"operator_rejected", "soft", 14}, {"handset_memory_full", "soft", 6}},
	channelPush: {{"unavailable", "soft", 70}, {"timeout", "soft", 20}, {"too_many_requests", "soft", 10}},
}

// lastBounces are those after which an address or a token is never used again.
var lastBounces = [...][]usualBounce{
	channelEmail: {
		{"5.1.1", "hard", 60}, {"5.7.1", "hard", 14}, {"5.2.1", "hard", 8}, {"5.1.2", "hard", 6}, {"5.4.1", "hard", 5}, {"5.5.0", "hard", 4}, {"5.0.0", "hard", 3},
	},
	channelPush: {{"unregistered", "hard", 85}, {"invalid_token", "hard", 15}},
}

// bounceKind is what codes have in common that stand beside each other: their channel, and whether the address is used no more.
type bounceKind struct {
	by    channel
	final bool
}

// drawnBounces are the bounces of a kind, and how often each comes.
type drawnBounces struct {
	list  []bounce
	drawn *choices
}

// bouncesOf are those of a kind.
func bouncesOf(of bounceKind) (made drawnBounces) {
	usual, weights := bounces[:], map[string]int{}
	if of.final {
		usual = lastBounces[:]
	}
	if int(of.by) >= len(usual) {
		return made
	}
	for _, each := range usual[of.by] {
		weights[each.code] = each.weight
	}
	if made.drawn = choicesOf(weights); made.drawn == nil {
		return made
	}
	for _, code := range made.drawn.texts {
		at := slices.IndexFunc(usual[of.by], func(each usualBounce) bool { return each.code == code })
		made.list = append(made.list, bounce{code, usual[of.by][at].kind})
	}
	return made
}

// bounceFact prints one side of the bounce of a message.
func (w *World) bounceFact(scope Scope, side func(bounce) string) Fact {
	view := messagesIn(scope.View)
	var known [channels][2]drawnBounces
	for by := range channels {
		known[by] = [2]drawnBounces{bouncesOf(bounceKind{by, false}), bouncesOf(bounceKind{by, true})}
	}
	return textFact(func(r *Row) string {
		by, final := channelNone, 0
		if view != nil && r.Event >= 0 {
			by = view.stream.journey.steps[r.Event].channel
		}
		if r.how.final {
			final = 1
		}
		its := &known[by][final]
		return side(its.list[its.drawn.at(draw(r.Message, 204))])
	})
}

// messagesIn finds the view of messages that others are made of: those with a
// method Unwrap. nil: there is none.
func messagesIn(view View) *messages {
	for {
		if found, is := view.(*messages); is {
			return found
		}
		wrapper, is := view.(interface{ Unwrap() View })
		if !is {
			return nil
		}
		view = wrapper.Unwrap()
	}
}
