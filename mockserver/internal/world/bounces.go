package world

// bounce is why a message did not arrive.
type bounce struct{ code, kind string }

// bounces are, per channel, what mail servers (RFC 3463), operators and push
// gateways answer.
var bounces = [...][]bounce{
	channelNone:  {{"unknown", "hard"}},
	channelEmail: {{"5.1.1", "hard"}, {"5.2.2", "hard"}, {"4.2.2", "soft"}, {"4.4.1", "soft"}},
	channelSMS:   {{"unknown_subscriber", "hard"}, {"absent_subscriber", "soft"}, {"handset_memory_full", "soft"}},
	channelPush:  {{"invalid_token", "hard"}, {"unregistered", "hard"}, {"unavailable", "soft"}},
}

// bounceFact prints one side of the bounce of a message.
func (w *World) bounceFact(scope Scope, side func(bounce) string) Fact {
	view := messagesIn(scope.View)
	return textFact(func(r *Row) string {
		by := channelNone
		if view != nil && r.Event >= 0 {
			by = view.stream.journey.steps[r.Event].channel
		}
		return side(bounces[by][below(draw(r.Message, 204), int64(len(bounces[by])))])
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
