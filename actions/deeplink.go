package actions

// deeplink: service.deeplink opens the link `l`, inside the app when `li` is true. The interceptor, if there is one, is asked
// first; a link that the gate refuses never gets that far.
func deeplink(in *input) effect {
	url, inApp := in.visible("l"), in.flag("li")
	if url != "" {
		if reason := in.registry.refusesLink(in.host, url); reason != "" {
			in.refuse("/l", `argument "l" is `+quote(url)+", "+reason)
		}
	}
	return func(x *execution) {
		open := func() {
			if x.host.LinkOpener == nil {
				x.unsupported(CapabilityLinkOpener)
				return
			}
			x.host.LinkOpener.OpenLink(url, inApp, x.done(nil))
		}
		if x.host.Interceptor == nil {
			open()
			return
		}
		x.host.Interceptor.InterceptLink(url, ask(x, func(handled bool) {
			if handled {
				x.finish(performed(nil))
				return
			}
			open()
		}))
	}
}

func deeplinkState(h *Host) State {
	if h.Interceptor != nil {
		return StateAvailable
	}
	return h.stateOf(h.LinkOpener != nil, CapabilityLinkOpener)
}
