package actions

import core "github.com/rehearsal-sdk/rehearsal/actions"

// The capabilities as the core wants them, made of those of the app.

type dismisser struct {
	*Registry
	app DismissHost
}

func (d dismisser) Dismiss(done func(error)) { d.work("Dismiss", done, d.app.Dismiss) }

type linkOpener struct {
	*Registry
	app LinkHost
}

func (l linkOpener) OpenLink(url string, inApp bool, done func(error)) {
	l.work("OpenLink", done, func(c *Completion) error { return l.app.OpenLink(url, inApp, c) })
}

type interceptor struct {
	*Registry
	app LinkInterceptor
}

func (i interceptor) InterceptLink(url string, done func(bool, error)) {
	c := &LinkCompletion{done: done}
	c.ending = i.newEnding(c.fail)
	i.call("InterceptLink of a host", c.ending, c.fail, func() error { return i.app.InterceptLink(url, c) })
}

type notifications struct {
	*Registry
	app NotificationHost
}

func (n notifications) NotificationStatus(done func(core.Permission, error)) {
	n.permission("NotificationStatus", nil, done, n.app.NotificationStatus)
}

func (n notifications) RequestNotifications(done func(core.Permission, error)) {
	n.RequestNotificationsWhile(nil, done)
}

func (n notifications) RequestNotificationsWhile(wanted func() bool, done func(core.Permission, error)) {
	n.permission("RequestNotifications", wanted, done, n.app.RequestNotifications)
}

type settings struct {
	*Registry
	app SettingsHost
}

func (s settings) OpenSettings(page core.SettingsPage, done func(error)) {
	s.work("OpenSettings", done, func(c *Completion) error { return s.app.OpenSettings(string(page), c) })
}

type clipboard struct {
	*Registry
	app ClipboardHost
}

func (b clipboard) WriteText(text string, done func(error)) {
	b.work("WriteText", done, func(c *Completion) error { return b.app.WriteText(text, c) })
}

type reviewer struct {
	*Registry
	app ReviewHost
}

func (r reviewer) RequestReview(done func(error)) { r.work("RequestReview", done, r.app.RequestReview) }

type tracking struct {
	*Registry
	app TrackingHost
}

func (t tracking) TrackingStatus(done func(core.Permission, error)) {
	t.permission("TrackingStatus", nil, done, t.app.TrackingStatus)
}

func (t tracking) RequestTracking(done func(core.Permission, error)) {
	t.RequestTrackingWhile(nil, done)
}

func (t tracking) RequestTrackingWhile(wanted func() bool, done func(core.Permission, error)) {
	t.permission("RequestTracking", wanted, done, t.app.RequestTracking)
}

type userData struct {
	*Registry
	app UserDataHost
}

func (u userData) AddTag(collection, tag string, done func(error)) {
	u.work("AddTag", done, func(c *Completion) error { return u.app.AddTag(collection, tag, c) })
}

func (u userData) RemoveTag(collection, tag string, done func(error)) {
	u.work("RemoveTag", done, func(c *Completion) error { return u.app.RemoveTag(collection, tag, c) })
}

func (u userData) TrackEvent(event core.Event, done func(error)) {
	u.work("TrackEvent", done, func(c *Completion) error { return u.app.TrackEvent(&Event{event}, c) })
}

// work calls a method of a host for something that has no answer but that it is done.
func (r *Registry) work(method string, done func(error), ask func(*Completion) error) {
	c := &Completion{succeed: func(any) { done(nil) }, fail: done}
	c.ending = r.newEnding(done)
	r.call(method+" of a host", c.ending, done, func() error { return ask(c) })
}

// permission calls a host for the state of a permission. wanted, if any, tells whether the answer is still of use.
func (r *Registry) permission(method string, wanted func() bool, done func(core.Permission, error), ask func(*PermissionCompletion) error) {
	c := &PermissionCompletion{done: done, wanted: wanted}
	c.ending = r.newEnding(c.fail)
	r.call(method+" of a host", c.ending, c.fail, func() error { return ask(c) })
}

func (r *Registry) newEnding(fail func(error)) *ending {
	return &ending{limit: r.limit, late: func() {
		fail(&thrown{text: "no answer within " + r.limit.String()})
	}}
}

// call calls a method of a host of the app's. What it throws is an answer unless it has answered.
func (r *Registry) call(method string, e *ending, fail func(error), ask func() error) {
	defer e.settle()
	defer r.watchdog.end(r.watchdog.begin(method))
	if err := caught(ask()); err != nil {
		e.end(func() { fail(err) })
	}
}
