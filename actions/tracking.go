package actions

// trackingConsent: service.ios_tracking_consent asks for the consent to tracking, or opens the app's settings when the user has
// refused it already. On iOS before 14, and where somebody else decides, it does nothing and needs nothing.
func trackingConsent(*input) effect {
	return func(x *execution) {
		if x.host.iosBelow(14, 0) {
			x.finish(performed(nil))
			return
		}
		if x.host.Tracking == nil {
			x.unsupported(CapabilityTracking)
			return
		}
		x.host.Tracking.TrackingStatus(ask(x, func(status Permission) {
			switch {
			case !x.known(status):
			case status == PermissionNotDetermined:
				x.host.Tracking.RequestTracking(x.decided())
			case status == PermissionDenied:
				x.openSettings(SettingsApp)
			default:
				x.finish(performed(nil))
			}
		}))
	}
}

func trackingConsentState(h *Host) State {
	if h.iosBelow(14, 0) {
		return StateAvailable
	}
	prompt := h.stateOf(h.Tracking != nil, CapabilityTracking)
	if prompt == StateUnsupported {
		return prompt
	}
	switch now(h.Tracking.TrackingStatus) {
	case PermissionDenied:
		return redirectSettingsState(h)
	case PermissionNotDetermined, "":
		return prompt
	}
	return StateAvailable
}
