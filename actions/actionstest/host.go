package actionstest

import (
	"slices"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

// Host records what the built-ins do to it. It has every capability but the interceptor, grants everything, and answers at
// once; the Set methods change that at any time. Its methods may be called from any goroutine.
type Host struct {
	platform actions.Platform
	version  string

	mutex         sync.Mutex
	effects       []Effect
	notifications actions.Permission
	tracking      actions.Permission
	handles       bool
	refusals      map[actions.CapabilityName]error
	late          bool
	waiting       []func()
}

// NewHost makes a host of a platform and a version of it. The permissions for notifications and tracking are not determined.
func NewHost(platform actions.Platform, version string) *Host {
	return &Host{
		platform: platform, version: version,
		notifications: actions.PermissionNotDetermined, tracking: actions.PermissionNotDetermined,
		refusals: map[actions.CapabilityName]error{},
	}
}

// Capabilities gives the host to make a registry with. Those named in without are missing. The interceptor is missing; give
// it as host.Interceptor where links are to be intercepted:
//
//	capabilities := host.Capabilities()
//	capabilities.Interceptor = host
func (h *Host) Capabilities(without ...actions.CapabilityName) actions.Host {
	host := actions.Host{
		Platform: h.platform, Version: h.version,
		Dismisser: h, LinkOpener: h, Notifications: h, Settings: h, Clipboard: h, Reviewer: h, Tracking: h, UserData: h,
	}
	for _, name := range without {
		switch name {
		case actions.CapabilityDismisser:
			host.Dismisser = nil
		case actions.CapabilityLinkOpener:
			host.LinkOpener = nil
		case actions.CapabilityNotifications:
			host.Notifications = nil
		case actions.CapabilitySettings:
			host.Settings = nil
		case actions.CapabilityClipboard:
			host.Clipboard = nil
		case actions.CapabilityReviewer:
			host.Reviewer = nil
		case actions.CapabilityTracking:
			host.Tracking = nil
		case actions.CapabilityUserData:
			host.UserData = nil
		}
	}
	return host
}

// SetNotifications sets the permission for notifications, which the prompt does not change but gives as its outcome.
func (h *Host) SetNotifications(permission actions.Permission) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.notifications = permission
}

// SetTracking sets the consent to tracking, which the prompt does not change but gives as its outcome.
func (h *Host) SetTracking(permission actions.Permission) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.tracking = permission
}

// SetHandles says whether the interceptor handles links. At first it does not.
func (h *Host) SetHandles(handles bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.handles = handles
}

// Refuse makes a capability refuse with an error, such as one from [actions.Blocked]; nil makes it work again. What is refused
// leaves no effect. Asking for the state of a permission is not refused.
func (h *Host) Refuse(name actions.CapabilityName, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.refusals[name] = err
}

// AnswerLater makes the host keep its answers until Answer is called, as a prompt does that waits for the user. Effects are
// recorded when they are asked for.
func (h *Host) AnswerLater(later bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.late = later
}

// Answer gives the oldest answer that was kept, and reports whether there was one.
func (h *Host) Answer() bool {
	h.mutex.Lock()
	if len(h.waiting) == 0 {
		h.mutex.Unlock()
		return false
	}
	answer := h.waiting[0]
	h.waiting = h.waiting[1:]
	h.mutex.Unlock()
	answer()
	return true
}

// Record notes an effect of the application's own among those of the host, in order.
func (h *Host) Record(effect Effect) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.effects = append(h.effects, effect)
}

// Handler is a handler that notes that it was called, and with what.
func (h *Host) Handler(invocation actions.Invocation) (any, error) {
	h.Record(HandlerEffect(invocation))
	return nil, nil
}

// Effects gives what was done so far, in order.
func (h *Host) Effects() []Effect {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return slices.Clone(h.effects)
}

// Reset forgets the effects.
func (h *Host) Reset() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.effects = nil
}

// effect records an effect, unless the capability refuses, and answers.
func (h *Host) effect(name actions.CapabilityName, effect Effect, done func(error)) {
	h.mutex.Lock()
	err := h.refusals[name]
	if err == nil {
		h.effects = append(h.effects, effect)
	}
	h.mutex.Unlock()
	h.answer(func() { done(err) })
}

// answer answers now or later.
func (h *Host) answer(answer func()) {
	h.mutex.Lock()
	late := h.late
	if late {
		h.waiting = append(h.waiting, answer)
	}
	h.mutex.Unlock()
	if !late {
		answer()
	}
}

func (h *Host) permission(of *actions.Permission) actions.Permission {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return *of
}

// Dismiss implements [actions.Dismisser].
func (h *Host) Dismiss(done func(error)) {
	h.effect(actions.CapabilityDismisser, hostEffect("dismiss"), done)
}

// OpenLink implements [actions.LinkOpener].
func (h *Host) OpenLink(url string, inApp bool, done func(error)) {
	h.effect(actions.CapabilityLinkOpener, hostEffect("link.open", "url", url, "in_app", inApp), done)
}

// InterceptLink implements [actions.Interceptor].
func (h *Host) InterceptLink(url string, done func(bool, error)) {
	h.mutex.Lock()
	handles := h.handles
	h.mutex.Unlock()
	h.effect(actions.CapabilityInterceptor, hostEffect("interceptor", "url", url), func(err error) { done(handles, err) })
}

// NotificationStatus implements [actions.Notifications].
func (h *Host) NotificationStatus(done func(actions.Permission, error)) {
	h.answer(func() { done(h.permission(&h.notifications), nil) })
}

// RequestNotifications implements [actions.Notifications].
func (h *Host) RequestNotifications(done func(actions.Permission, error)) {
	h.effect(actions.CapabilityNotifications, hostEffect("notifications.request"),
		func(err error) { done(h.permission(&h.notifications), err) })
}

// OpenSettings implements [actions.Settings].
func (h *Host) OpenSettings(page actions.SettingsPage, done func(error)) {
	h.effect(actions.CapabilitySettings, hostEffect("settings.open", "page", string(page)), done)
}

// WriteText implements [actions.Clipboard].
func (h *Host) WriteText(text string, done func(error)) {
	h.effect(actions.CapabilityClipboard, hostEffect("clipboard.write", "text", text), done)
}

// RequestReview implements [actions.Reviewer].
func (h *Host) RequestReview(done func(error)) {
	h.effect(actions.CapabilityReviewer, hostEffect("review.request"), done)
}

// TrackingStatus implements [actions.Tracking].
func (h *Host) TrackingStatus(done func(actions.Permission, error)) {
	h.answer(func() { done(h.permission(&h.tracking), nil) })
}

// RequestTracking implements [actions.Tracking].
func (h *Host) RequestTracking(done func(actions.Permission, error)) {
	h.effect(actions.CapabilityTracking, hostEffect("tracking.request"), func(err error) { done(h.permission(&h.tracking), err) })
}

// AddTag implements [actions.UserData].
func (h *Host) AddTag(collection, tag string, done func(error)) {
	h.effect(actions.CapabilityUserData, hostEffect("tag.add", "collection", collection, "tag", tag), done)
}

// RemoveTag implements [actions.UserData].
func (h *Host) RemoveTag(collection, tag string, done func(error)) {
	h.effect(actions.CapabilityUserData, hostEffect("tag.remove", "collection", collection, "tag", tag), done)
}

// TrackEvent implements [actions.UserData].
func (h *Host) TrackEvent(event actions.Event, done func(error)) {
	var label any
	if event.Label != nil {
		label = *event.Label
	}
	tags := make([]any, len(event.Tags))
	for i, tag := range event.Tags {
		tags[i] = tag
	}
	h.effect(actions.CapabilityUserData, hostEffect("event", "name", event.Name, "label", label, "tags", tags, "data",
		map[string]any(event.Data)), done)
}
