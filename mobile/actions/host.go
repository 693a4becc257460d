package actions

// The capabilities of a phone that the built-in actions act on. Each is an interface of its own and is set on its own; what is
// missing makes the actions that need it [StatusUnsupported]. mobile/README.md lists which needs which.
//
// Every method returns at once and answers through its completion, then or later, from any thread. Throwing without having
// answered is failing. See the package's page on threads.

// DismissHost dismisses the notification or message that the action came from.
type DismissHost interface {
	// Dismiss dismisses it.
	Dismiss(completion *Completion) error
}

// LinkHost opens deeplinks.
type LinkHost interface {
	// OpenLink opens a link; inApp asks for it to be opened inside the app where that can be done.
	OpenLink(url string, inApp bool, completion *Completion) error
}

// LinkInterceptor is asked before a deeplink is opened.
type LinkInterceptor interface {
	// InterceptLink is given the link exactly as it came.
	InterceptLink(url string, completion *LinkCompletion) error
}

// NotificationHost knows the permission for notifications.
type NotificationHost interface {
	// NotificationStatus tells the state without asking the user.
	NotificationStatus(completion *PermissionCompletion) error
	// RequestNotifications shows the system's prompt and tells the state after it.
	RequestNotifications(completion *PermissionCompletion) error
}

// SettingsHost opens the system's settings.
type SettingsHost interface {
	// OpenSettings opens [PageNotifications] or [PageApp].
	OpenSettings(page string, completion *Completion) error
}

// ClipboardHost is the device's clipboard.
type ClipboardHost interface {
	// WriteText replaces its content; the empty text clears it.
	WriteText(text string, completion *Completion) error
}

// ReviewHost asks the system to ask the user for a review. No platform tells whether it did.
type ReviewHost interface {
	// RequestReview asks the system, which decides whether anything is shown.
	RequestReview(completion *Completion) error
}

// TrackingHost knows the consent to tracking.
type TrackingHost interface {
	// TrackingStatus tells the state without asking the user.
	TrackingStatus(completion *PermissionCompletion) error
	// RequestTracking shows the system's prompt and tells the state after it.
	RequestTracking(completion *PermissionCompletion) error
}

// UserDataHost keeps what is known of the current user.
type UserDataHost interface {
	// AddTag adds a tag to a collection.
	AddTag(collection, tag string, completion *Completion) error
	// RemoveTag removes a tag from a collection.
	RemoveTag(collection, tag string, completion *Completion) error
	// TrackEvent is told that something happened.
	TrackEvent(event *Event, completion *Completion) error
}
