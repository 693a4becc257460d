package actions

// What each built-in does, once its arguments and its capability are known to be there. service.deeplink has a file of its own,
// link.go, and so has service.group.

func dismiss(x *execution) { x.host.Dismisser.Dismiss(x.done(nil)) }

func clipboard(x *execution) { x.host.Clipboard.WriteText(x.text("t"), x.done(nil)) }

// rating says that a review was requested, and never that the prompt was shown: no platform tells.
func rating(x *execution) { x.host.Reviewer.RequestReview(x.done("requested")) }

func userTag(x *execution) {
	change := x.host.UserData.AddTag
	if x.text("a") == "remove" {
		change = x.host.UserData.RemoveTag
	}
	change(x.text("c"), x.text("t"), x.done(nil))
}

func userEvent(x *execution) {
	event := Event{Name: x.text("e"), Tags: []string{}, Data: Arguments{}}
	if label, ok := x.arguments["l"].(string); ok {
		event.Label = &label
	}
	tags, _ := x.arguments["t"].([]any)
	for _, tag := range tags {
		tag, _ := tag.(string)
		event.Tags = append(event.Tags, tag)
	}
	if data, ok := x.arguments["a"].(map[string]any); ok {
		event.Data = data
	}
	x.host.UserData.TrackEvent(event, x.done(nil))
}

func requestNotifications(x *execution) { x.requestNotifications(x.decided()) }

// requestNotifications prompts. A host that can wait looks whether anybody still wants the prompt before it shows one.
func (x *execution) requestNotifications(done func(Permission, error)) {
	if host, ok := x.host.Notifications.(PatientNotifications); ok {
		host.RequestNotificationsWhile(x.wanted, done)
	} else {
		x.host.Notifications.RequestNotifications(done)
	}
}

func (x *execution) wanted() bool { return !x.ended() }

func redirectSettings(x *execution) { x.openSettings(SettingsNotifications) }

func (x *execution) openSettings(page SettingsPage) {
	if x.has(CapabilitySettings) {
		x.host.Settings.OpenSettings(page, x.done(nil))
	}
}

// smartReoptin prompts when the user was not asked yet, and opens the notification settings otherwise, also when it turns out that
// the system shows no prompt.
func smartReoptin(x *execution) {
	if !x.has(CapabilityNotifications) {
		return
	}
	x.askStatus(x.host.Notifications.NotificationStatus, func(status Permission) {
		if status != PermissionNotDetermined {
			redirectSettings(x)
			return
		}
		x.ask(func(answer answer) {
			decided := x.decided()
			x.requestNotifications(func(permission Permission, err error) {
				if CodeOf(err) == codeNotShown {
					answer(nil, func() { redirectSettings(x) })
				} else {
					decided(permission, err)
				}
			})
		})
	})
}

func smartReoptinNeeds(h *Host) CapabilityName {
	if h.Notifications != nil {
		status := statusNow(h.Notifications.NotificationStatus)
		if status != "" && status != PermissionNotDetermined || status == "" && h.Settings != nil {
			return CapabilitySettings
		}
	}
	return CapabilityNotifications
}

// consented is the version of iOS from which on tracking needs consent.
var consented = version{14, 0}

// trackingConsent prompts when the user was not asked yet, and opens the app's settings when the user has refused. On iOS before
// 14, and where somebody else decides, it does nothing and needs nothing.
func trackingConsent(x *execution) {
	if x.host.older(consented) {
		x.performed(nil)
		return
	}
	if !x.has(CapabilityTracking) {
		return
	}
	x.askStatus(x.host.Tracking.TrackingStatus, func(status Permission) {
		switch status {
		case PermissionNotDetermined:
			if host, ok := x.host.Tracking.(PatientTracking); ok {
				host.RequestTrackingWhile(x.wanted, x.decided())
			} else {
				x.host.Tracking.RequestTracking(x.decided())
			}
		case PermissionDenied:
			x.openSettings(SettingsApp)
		default:
			x.performed(nil)
		}
	})
}

func trackingConsentNeeds(h *Host) CapabilityName {
	if h.older(consented) {
		return ""
	}
	if h.Tracking != nil && statusNow(h.Tracking.TrackingStatus) == PermissionDenied {
		return CapabilitySettings
	}
	return CapabilityTracking
}
