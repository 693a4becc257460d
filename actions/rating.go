package actions

// rating: service.rating asks for the system's review prompt, on iOS from 10.3 on. The result says "requested" and never that
// the prompt was shown: no platform tells.
func rating(*input) effect {
	return func(x *execution) {
		switch {
		case x.host.iosBelow(10, 3):
			x.finish(refused(StatusUnsupported, x.name+" needs iOS 10.3 or later, this is "+quote(x.host.Version)))
		case x.host.Reviewer == nil:
			x.unsupported(CapabilityReviewer)
		default:
			x.host.Reviewer.RequestReview(x.done("requested"))
		}
	}
}

func ratingState(h *Host) State {
	return h.stateOf(h.Reviewer != nil && !h.iosBelow(10, 3), CapabilityReviewer)
}
