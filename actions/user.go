package actions

// userTag: service.user.tag adds (`a` is "add") or removes ("remove") the tag `t` of the collection `c`.
func userTag(in *input) effect {
	action, collection, tag := in.oneOf("a", "add", "remove"), in.visible("c"), in.visible("t")
	return func(x *execution) {
		switch {
		case x.host.UserData == nil:
			x.unsupported(CapabilityUserData)
		case action == "add":
			x.host.UserData.AddTag(collection, tag, x.done(nil))
		default:
			x.host.UserData.RemoveTag(collection, tag, x.done(nil))
		}
	}
}

// userEvent: service.user.event sends the event `e` with the label `l`, the tags `t` and the data `a`.
func userEvent(in *input) effect {
	event := Event{Name: in.visible("e"), Label: in.optionalText("l"), Tags: in.optionalTexts("t"), Data: in.optionalObject("a")}
	return func(x *execution) {
		if x.host.UserData == nil {
			x.unsupported(CapabilityUserData)
			return
		}
		x.host.UserData.TrackEvent(event, x.done(nil))
	}
}

func userDataState(h *Host) State { return h.stateOf(h.UserData != nil, CapabilityUserData) }
