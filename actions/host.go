package actions

// Platform names what a host runs on. Only the three that are named here make a difference to any rule.
type Platform string

// The platforms.
const (
	PlatformIOS     Platform = "ios"
	PlatformAndroid Platform = "android"
	PlatformWeb     Platform = "web"
)

// Host is what the built-ins act on: a platform and a set of small capabilities, each of which may be missing (nil). An action
// that needs a missing one is [StatusUnsupported].
//
// Every method of a capability is given a function done and calls it once, with nil or with an error, when it knows the outcome:
// at once or later, in any goroutine. Further calls do nothing. An error from [Blocked] or [Unsupported] gives the action that
// status, any other error makes it failed, and so does a panic before done was called. Methods are called in the goroutine that
// performs, before perform has waited for anything, so that a user's gesture still counts; they are called outside every lock.
type Host struct {
	// Platform is what this host runs on; "" is like any other platform without rules of its own.
	Platform Platform
	// Version is the platform's version, such as "17.2". One that is "" or cannot be read counts as the newest.
	Version string

	Dismisser     Dismisser
	LinkOpener    LinkOpener
	Interceptor   Interceptor
	Notifications Notifications
	Settings      Settings
	Clipboard     Clipboard
	Reviewer      Reviewer
	Tracking      Tracking
	UserData      UserData

	// NeedsGesture says whether using a capability here and now would need a gesture of the user's that is not there. Only
	// [Registry.Capability] asks. When it is nil, a web host needs one for the clipboard, for links and for the notification
	// prompt, and the others need none.
	NeedsGesture func(CapabilityName) bool
}

// CapabilityName names a capability in messages and in [Host.NeedsGesture].
type CapabilityName string

// The capabilities.
const (
	CapabilityDismisser     CapabilityName = "dismisser"
	CapabilityLinkOpener    CapabilityName = "link_opener"
	CapabilityInterceptor   CapabilityName = "interceptor"
	CapabilityNotifications CapabilityName = "notifications"
	CapabilitySettings      CapabilityName = "settings"
	CapabilityClipboard     CapabilityName = "clipboard"
	CapabilityReviewer      CapabilityName = "reviewer"
	CapabilityTracking      CapabilityName = "tracking"
	CapabilityUserData      CapabilityName = "user_data"
)

// Dismisser dismisses the notification or message that the action came from.
type Dismisser interface {
	Dismiss(done func(error))
}

// LinkOpener opens a deeplink; inApp asks for it to be opened inside the app where the platform can.
type LinkOpener interface {
	OpenLink(url string, inApp bool, done func(error))
}

// Interceptor is asked before a deeplink is opened. It is given the raw link; when it has handled it, nothing else happens.
type Interceptor interface {
	InterceptLink(url string, done func(handled bool, err error))
}

// Permission is the state of a permission.
type Permission string

// The states of a permission.
const (
	PermissionNotDetermined Permission = "not_determined" // the user was not asked yet
	PermissionDenied        Permission = "denied"
	PermissionAuthorized    Permission = "authorized"
	PermissionRestricted    Permission = "restricted" // somebody else decides, such as a device manager
)

// Notifications knows the permission for notifications.
type Notifications interface {
	// NotificationStatus gives the permission without asking the user.
	NotificationStatus(done func(Permission, error))
	// RequestNotifications shows the system's prompt and gives the permission after it, or "" when it is not known.
	RequestNotifications(done func(Permission, error))
}

// PatientNotifications are [Notifications] that may show their prompt only later, such as on another thread. They are asked in this
// way, and show nothing once wanted gives false: the action was canceled, and a prompt would come out of the blue.
type PatientNotifications interface {
	Notifications
	RequestNotificationsWhile(wanted func() bool, done func(Permission, error))
}

// SettingsPage names a page of the system's settings.
type SettingsPage string

// The pages.
const (
	SettingsNotifications SettingsPage = "notifications" // the application's notification settings
	SettingsApp           SettingsPage = "app"           // the application's settings
)

// Settings opens the system's settings.
type Settings interface {
	OpenSettings(page SettingsPage, done func(error))
}

// Clipboard is the device's clipboard.
type Clipboard interface {
	// WriteText replaces its content; the empty text clears it.
	WriteText(text string, done func(error))
}

// Reviewer asks the system to ask the user for a review. No platform tells whether it did.
type Reviewer interface {
	RequestReview(done func(error))
}

// Tracking knows the consent to tracking.
type Tracking interface {
	// TrackingStatus gives the consent without asking the user.
	TrackingStatus(done func(Permission, error))
	// RequestTracking shows the system's prompt and gives the consent after it, or "" when it is not known.
	RequestTracking(done func(Permission, error))
}

// PatientTracking is to [Tracking] what [PatientNotifications] is to [Notifications].
type PatientTracking interface {
	Tracking
	RequestTrackingWhile(wanted func() bool, done func(Permission, error))
}

// Event is what service.user.event sends.
type Event struct {
	// Name is never empty.
	Name string
	// Label is nil when there is none.
	Label *string
	// Tags is never nil.
	Tags []string
	// Data is never nil.
	Data Arguments
}

// UserData keeps what is known of the current user.
type UserData interface {
	AddTag(collection, tag string, done func(error))
	RemoveTag(collection, tag string, done func(error))
	TrackEvent(event Event, done func(error))
}

// gestureMissing applies the default of NeedsGesture.
func (h *Host) gestureMissing(name CapabilityName) bool {
	if h.NeedsGesture != nil {
		return h.NeedsGesture(name)
	}
	return h.Platform == PlatformWeb && (name == CapabilityClipboard || name == CapabilityLinkOpener || name == CapabilityNotifications)
}

// has reports whether the host has a capability.
func (h *Host) has(name CapabilityName) bool {
	switch name {
	case CapabilityDismisser:
		return h.Dismisser != nil
	case CapabilityLinkOpener:
		return h.LinkOpener != nil
	case CapabilityNotifications:
		return h.Notifications != nil
	case CapabilitySettings:
		return h.Settings != nil
	case CapabilityClipboard:
		return h.Clipboard != nil
	case CapabilityReviewer:
		return h.Reviewer != nil
	case CapabilityTracking:
		return h.Tracking != nil
	case CapabilityUserData:
		return h.UserData != nil
	}
	return false
}

// version is one of iOS.
type version struct{ major, minor int }

// older reports whether this is iOS and its version is known to be older than another.
func (h *Host) older(than version) bool {
	if h.Platform != PlatformIOS {
		return false
	}
	rest := h.Version
	major, ok := leadingNumber(&rest)
	if !ok || major != than.major {
		return ok && major < than.major
	}
	minor := 0
	if len(rest) > 1 && rest[0] == '.' {
		rest = rest[1:]
		minor, _ = leadingNumber(&rest)
	}
	return minor < than.minor
}

// leadingNumber takes the digits off the front of a text.
func leadingNumber(text *string) (n int, ok bool) {
	for *text != "" && '0' <= (*text)[0] && (*text)[0] <= '9' {
		n = min(n*10+int((*text)[0]-'0'), 1<<20)
		*text, ok = (*text)[1:], true
	}
	return n, ok
}
