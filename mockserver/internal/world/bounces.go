package world

import "slices"

// bounce is why a message did not arrive.
type bounce struct{ code, kind string }

// bounces are, per channel, what mail servers (RFC 3463), operators and push
// gateways answer.
var bounces = [...][]bounce{
	channelNone:  {{"unknown", "hard"}},
	channelEmail: {{"4.2.2", "soft"}, {"4.4.1", "soft"}},
	channelSMS:   {{"absent_subscriber", "soft"}, {"handset_memory_full", "soft"}},
	channelPush:  {{"unavailable", "soft"}},
}

// lastBounces are those after which an address or a token is never used again.
var lastBounces = [...][]bounce{
	channelEmail: {{"5.1.1", "hard"}, {"5.2.2", "hard"}},
	channelPush:  {{"invalid_token", "hard"}, {"unregistered", "hard"}},
}

// bounceKind is what codes have in common that stand beside each other: their channel, and whether the address is used no more.
type bounceKind struct {
	by    channel
	final bool
}

// bounceOf is the bounce of a code. E-mails have more than the usual ones.
func bounceOf(code string) (found bounce, of bounceKind, known bool) {
	for _, final := range []bool{false, true} {
		lists := bounces[:]
		if final {
			lists = lastBounces[:]
		}
		for by, list := range lists {
			for _, each := range list {
				if each.code == code {
					return each, bounceKind{channel(by), final}, true
				}
			}
		}
	}
	switch {
	case !mailCode.MatchString(code):
		return found, of, false
	case code[0] == '4':
		return bounce{code, "soft"}, bounceKind{channelEmail, false}, true
	}
	return bounce{code, "hard"}, bounceKind{channelEmail, true}, true
}

// bounceCodes are the usual ones.
func bounceCodes() (codes []string) {
	for _, list := range slices.Concat(bounces[:], lastBounces[:]) {
		for _, each := range list {
			codes = append(codes, each.code)
		}
	}
	slices.Sort(codes)
	return codes
}

// weightedBounces are those of a kind with weights; nil: no code of it has one.
func (w *World) weightedBounces(of bounceKind) (list []bounce, drawn *choices) {
	weights := map[string]int{}
	for code, weight := range w.settings.Weights[WeightBounceCode] {
		if _, kind, _ := bounceOf(code); kind == of {
			weights[code] = weight
		}
	}
	if drawn = choicesOf(weights); drawn == nil {
		return nil, nil
	}
	for _, code := range drawn.texts {
		found, _, _ := bounceOf(code)
		list = append(list, found)
	}
	return list, drawn
}

// bounceFact prints one side of the bounce of a message.
func (w *World) bounceFact(scope Scope, side func(bounce) string) Fact {
	view := messagesIn(scope.View)
	if w.settings.Weights[WeightBounceCode] != nil {
		return w.weightedBounceFact(view, side)
	}
	return textFact(func(r *Row) string {
		by := channelNone
		if view != nil && r.Event >= 0 {
			by = view.stream.journey.steps[r.Event].channel
		}
		list := bounces[by]
		if r.how.final {
			list = lastBounces[by]
		}
		return side(list[below(draw(r.Message, 204), int64(len(list)))])
	})
}

// weightedBounceFact is the same where codes have weights.
func (w *World) weightedBounceFact(view *messages, side func(bounce) string) Fact {
	type codes struct {
		list  []bounce
		drawn *choices // nil: all alike
	}
	var known [channels][2]codes
	for by := range channels {
		for final, usual := range [][][]bounce{bounces[:], lastBounces[:]} {
			its := &known[by][final]
			if its.list, its.drawn = w.weightedBounces(bounceKind{by, final == 1}); its.drawn == nil && int(by) < len(usual) {
				its.list = usual[by]
			}
		}
	}
	return textFact(func(r *Row) string {
		by, final := channelNone, 0
		if view != nil && r.Event >= 0 {
			by = view.stream.journey.steps[r.Event].channel
		}
		if r.how.final {
			final = 1
		}
		its, random := &known[by][final], draw(r.Message, 204)
		if its.drawn != nil {
			return side(its.list[its.drawn.at(random)])
		}
		return side(its.list[below(random, int64(len(its.list)))])
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
