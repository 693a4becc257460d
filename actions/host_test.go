package actions_test

import (
	"errors"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

// odd is a host that does what a host should not do.
type odd struct {
	actions.Host
	do func(done func(actions.Permission, error))
}

func (o odd) NotificationStatus(done func(actions.Permission, error))   { o.do(done) }
func (o odd) RequestNotifications(done func(actions.Permission, error)) { o.do(done) }
func (o odd) WriteText(_ string, done func(error)) {
	o.do(func(_ actions.Permission, err error) { done(err) })
}

func TestOddHosts(t *testing.T) {
	for _, c := range []struct {
		about   string
		do      func(done func(actions.Permission, error))
		status  actions.Status
		message string
		value   any
	}{
		{"answers twice", func(done func(actions.Permission, error)) { done("authorized", nil); done("", errors.New("no")) }, "performed", "", "authorized"},
		{"answers and panics", func(done func(actions.Permission, error)) { done("authorized", nil); panic("too late") }, "performed", "", "authorized"},
		{"panics", func(func(actions.Permission, error)) { panic("no host today") }, "failed", "service.ios_request_notifications: the host panicked: no host today", nil},
		{"does not know what came of it", func(done func(actions.Permission, error)) { done("", nil) }, "performed", "", nil},
		{"refuses, then agrees", func(done func(actions.Permission, error)) { done("", errors.New("no")); done("authorized", nil) }, "failed", "service.ios_request_notifications: no", nil},
	} {
		r := actions.New(actions.Options{Host: actions.Host{Notifications: odd{do: c.do}}})
		got := r.Perform("service.request_notifications", nil)
		hold(t, got.Status == c.status && got.Message == c.message && got.Value == c.value, "a host that %s: %+v", c.about, got)
	}
	r := actions.New(actions.Options{Host: actions.Host{Notifications: odd{do: func(done func(actions.Permission, error)) { done("perhaps", nil) }}}})
	got := r.Perform("service.smart_reoptin", nil)
	want := `service.ios_smart_reoptin: the host gave the permission "perhaps", allowed are "not_determined", "denied", "authorized" and "restricted"`
	hold(t, got.Status == actions.StatusFailed && got.Message == want, "an unknown permission: %+v\nwant %s", got, want)
	r = actions.New(actions.Options{Host: actions.Host{Notifications: odd{do: func(func(actions.Permission, error)) { panic("x") }}}})
	if got := r.Capability("service.smart_reoptin"); got != actions.StateUnsupported {
		t.Errorf("the capability of a host that panics is %s", got)
	}
	var missing *actionstest.Host
	r = actions.New(actions.Options{Host: actions.Host{Clipboard: missing}})
	if got := r.Perform("service.clipboard", actions.Arguments{"t": "x"}); got.Status != actions.StatusFailed {
		t.Errorf("a capability that is a nil pointer: %+v", got)
	}
}

// A prompt's late second answer must not go on with anything.
func TestStatusAnsweredTwice(t *testing.T) {
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	capabilities := host.Capabilities()
	capabilities.Notifications = odd{do: func(done func(actions.Permission, error)) {
		done(actions.PermissionDenied, nil)
		done(actions.PermissionDenied, nil)
		done(actions.PermissionNotDetermined, nil)
	}}
	r := actions.New(actions.Options{Host: capabilities})
	if got := r.Perform("service.smart_reoptin", nil); !got.Performed() || len(host.Effects()) != 1 {
		t.Errorf("%+v, effects %v", got, host.Effects())
	}
}

func TestUpdateHost(t *testing.T) {
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	r := actions.New(actions.Options{})
	perform := func() actions.Status { return r.Perform("service.clipboard", actions.Arguments{"t": "x"}).Status }
	if got := perform(); got != actions.StatusUnsupported {
		t.Errorf("without a clipboard: %s", got)
	}
	r.UpdateHost(func(h *actions.Host) { h.Clipboard = host })
	if got := perform(); got != actions.StatusPerformed {
		t.Errorf("with a clipboard: %s", got)
	}
	r.UpdateHost(func(h *actions.Host) {
		r.Lookup("x") // no lock is held
		h.Clipboard = nil
	})
	if got := perform(); got != actions.StatusUnsupported {
		t.Errorf("without a clipboard again: %s", got)
	}
}

// A host that answers later is taken to answer whatever lets the action do something.
func TestCapabilityOfASlowHost(t *testing.T) {
	for _, c := range []struct {
		platform actions.Platform
		without  []actions.CapabilityName
		reoptin  actions.State
		consent  actions.State
	}{
		{actions.PlatformIOS, nil, actions.StateAvailable, actions.StateAvailable},
		{actions.PlatformWeb, nil, actions.StateAvailable, actions.StateAvailable},
		{actions.PlatformWeb, []actions.CapabilityName{actions.CapabilitySettings}, actions.StateNeedsGesture, actions.StateAvailable},
		{actions.PlatformIOS, []actions.CapabilityName{actions.CapabilityNotifications, actions.CapabilityTracking}, actions.StateUnsupported, actions.StateUnsupported},
	} {
		host := actionstest.NewHost(c.platform, "17.0")
		host.AnswerLater(true)
		r := actions.New(actions.Options{Host: host.Capabilities(c.without...)})
		if reoptin, consent := r.Capability("service.smart_reoptin"), r.Capability("service.tracking_consent"); reoptin != c.reoptin || consent != c.consent {
			t.Errorf("%s without %s: %s, %s", c.platform, c.without, reoptin, consent)
		}
	}
}
