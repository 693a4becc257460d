package actions

import core "github.com/rehearsal-sdk/rehearsal/actions"

// A capability may be set, replaced or removed (with null) at any time, also by an action. Actions that are under way keep the one
// they began with.

// SetDismisser sets what dismisses messages.
func (r *Registry) SetDismisser(host DismissHost) {
	defer contain()
	r.core.UpdateHost(func(h *core.Host) {
		h.Dismisser = nil
		if host != nil {
			h.Dismisser = dismisser{r, host}
		}
	})
}

// SetLinkOpener sets what opens deeplinks.
func (r *Registry) SetLinkOpener(host LinkHost) {
	defer contain()
	r.core.UpdateHost(func(h *core.Host) {
		h.LinkOpener = nil
		if host != nil {
			h.LinkOpener = linkOpener{r, host}
		}
	})
}

// SetLinkInterceptor sets what is asked before a deeplink is opened.
func (r *Registry) SetLinkInterceptor(host LinkInterceptor) {
	defer contain()
	r.core.UpdateHost(func(h *core.Host) {
		h.Interceptor = nil
		if host != nil {
			h.Interceptor = interceptor{r, host}
		}
	})
}

// SetNotifications sets what knows the permission for notifications.
func (r *Registry) SetNotifications(host NotificationHost) {
	defer contain()
	r.core.UpdateHost(func(h *core.Host) {
		h.Notifications = nil
		if host != nil {
			h.Notifications = notifications{r, host}
		}
	})
}

// SetSettings sets what opens the system's settings.
func (r *Registry) SetSettings(host SettingsHost) {
	defer contain()
	r.core.UpdateHost(func(h *core.Host) {
		h.Settings = nil
		if host != nil {
			h.Settings = settings{r, host}
		}
	})
}

// SetClipboard sets the clipboard.
func (r *Registry) SetClipboard(host ClipboardHost) {
	defer contain()
	r.core.UpdateHost(func(h *core.Host) {
		h.Clipboard = nil
		if host != nil {
			h.Clipboard = clipboard{r, host}
		}
	})
}

// SetReviewer sets what asks for reviews.
func (r *Registry) SetReviewer(host ReviewHost) {
	defer contain()
	r.core.UpdateHost(func(h *core.Host) {
		h.Reviewer = nil
		if host != nil {
			h.Reviewer = reviewer{r, host}
		}
	})
}

// SetTracking sets what knows the consent to tracking.
func (r *Registry) SetTracking(host TrackingHost) {
	defer contain()
	r.core.UpdateHost(func(h *core.Host) {
		h.Tracking = nil
		if host != nil {
			h.Tracking = tracking{r, host}
		}
	})
}

// SetUserData sets what keeps tags and events.
func (r *Registry) SetUserData(host UserDataHost) {
	defer contain()
	r.core.UpdateHost(func(h *core.Host) {
		h.UserData = nil
		if host != nil {
			h.UserData = userData{r, host}
		}
	})
}
