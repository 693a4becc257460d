//go:build js && wasm

package main

import "github.com/rehearsal-sdk/rehearsal/actions"

// finish makes the answer of a capability that has nothing to say but that it is done.
func finish(done func(error)) func(any, error) {
	return func(_ any, err error) { done(err) }
}

// permit makes the answer of a capability that gives a permission.
func permit(done func(actions.Permission, error)) func(any, error) {
	return func(value any, err error) {
		text, _ := value.(string)
		done(actions.Permission(text), err)
	}
}

// Dismiss implements actions.Dismisser.
func (p page) Dismiss(done func(error)) {
	p.ask(finish(done), actions.CapabilityDismisser, "dismiss")
}

// OpenLink implements actions.LinkOpener.
func (p page) OpenLink(url string, inApp bool, done func(error)) {
	p.ask(finish(done), actions.CapabilityLinkOpener, "open", url, map[string]any{"inApp": inApp})
}

// InterceptLink implements actions.Interceptor.
func (p page) InterceptLink(url string, done func(bool, error)) {
	p.ask(func(value any, err error) { done(value == true, err) }, actions.CapabilityInterceptor, "handle", url)
}

// NotificationStatus implements actions.Notifications.
func (p page) NotificationStatus(done func(actions.Permission, error)) {
	p.ask(permit(done), actions.CapabilityNotifications, "status")
}

// RequestNotifications implements actions.Notifications.
func (p page) RequestNotifications(done func(actions.Permission, error)) {
	p.ask(permit(done), actions.CapabilityNotifications, "request")
}

// OpenSettings implements actions.Settings.
func (p page) OpenSettings(settings actions.SettingsPage, done func(error)) {
	p.ask(finish(done), actions.CapabilitySettings, "open", string(settings))
}

// WriteText implements actions.Clipboard.
func (p page) WriteText(text string, done func(error)) {
	p.ask(finish(done), actions.CapabilityClipboard, "write", text)
}

// RequestReview implements actions.Reviewer.
func (p page) RequestReview(done func(error)) {
	p.ask(finish(done), actions.CapabilityReviewer, "request")
}

// TrackingStatus implements actions.Tracking.
func (p page) TrackingStatus(done func(actions.Permission, error)) {
	p.ask(permit(done), actions.CapabilityTracking, "status")
}

// RequestTracking implements actions.Tracking.
func (p page) RequestTracking(done func(actions.Permission, error)) {
	p.ask(permit(done), actions.CapabilityTracking, "request")
}

// AddTag implements actions.UserData.
func (p page) AddTag(collection, tag string, done func(error)) {
	p.ask(finish(done), actions.CapabilityUserData, "addTag", collection, tag)
}

// RemoveTag implements actions.UserData.
func (p page) RemoveTag(collection, tag string, done func(error)) {
	p.ask(finish(done), actions.CapabilityUserData, "removeTag", collection, tag)
}

// TrackEvent implements actions.UserData.
func (p page) TrackEvent(event actions.Event, done func(error)) {
	tags := make([]any, len(event.Tags))
	for i, tag := range event.Tags {
		tags[i] = tag
	}
	var label any
	if event.Label != nil {
		label = *event.Label
	}
	p.ask(finish(done), actions.CapabilityUserData, "sendEvent",
		map[string]any{"name": event.Name, "label": label, "tags": tags, "data": map[string]any(event.Data)})
}
