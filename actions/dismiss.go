package actions

// dismiss: service.dismiss dismisses the notification and exits.
func dismiss(*input) effect {
	return func(x *execution) {
		if x.host.Dismisser == nil {
			x.unsupported(CapabilityDismisser)
			return
		}
		x.host.Dismisser.Dismiss(x.done(nil))
	}
}

func dismissState(h *Host) State { return h.stateOf(h.Dismisser != nil, CapabilityDismisser) }
