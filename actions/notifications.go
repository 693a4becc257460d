package actions

// requestNotifications: service.ios_request_notifications shows the permission prompt.
func requestNotifications(*input) effect { return promptNotifications }

func promptNotifications(x *execution) {
	if x.host.Notifications == nil {
		x.unsupported(CapabilityNotifications)
		return
	}
	x.host.Notifications.RequestNotifications(x.decided())
}

func requestNotificationsState(h *Host) State {
	return h.stateOf(h.Notifications != nil, CapabilityNotifications)
}

// redirectSettings: service.ios_redirect_settings opens the application's notification settings.
func redirectSettings(*input) effect {
	return func(x *execution) { x.openSettings(SettingsNotifications) }
}

func (x *execution) openSettings(page SettingsPage) {
	if x.host.Settings == nil {
		x.unsupported(CapabilitySettings)
		return
	}
	x.host.Settings.OpenSettings(page, x.done(nil))
}

func redirectSettingsState(h *Host) State { return h.stateOf(h.Settings != nil, CapabilitySettings) }

// smartReoptin: service.ios_smart_reoptin shows the prompt when the user was not asked yet, and opens the notification settings
// otherwise.
func smartReoptin(*input) effect {
	return func(x *execution) {
		if x.host.Notifications == nil {
			x.unsupported(CapabilityNotifications)
			return
		}
		x.host.Notifications.NotificationStatus(ask(x, func(status Permission) {
			switch {
			case !x.known(status):
			case status == PermissionNotDetermined:
				promptNotifications(x)
			default:
				x.openSettings(SettingsNotifications)
			}
		}))
	}
}

func smartReoptinState(h *Host) State {
	if h.Notifications == nil {
		return StateUnsupported
	}
	switch now(h.Notifications.NotificationStatus) {
	case PermissionNotDetermined:
		return requestNotificationsState(h)
	case "":
		return best(requestNotificationsState(h), redirectSettingsState(h))
	}
	return redirectSettingsState(h)
}
