package world

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

// bounceFact prints one side of the bounce of a message.
func (w *World) bounceFact(scope Scope, side func(bounce) string) Fact {
	view := messagesIn(scope.View)
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
