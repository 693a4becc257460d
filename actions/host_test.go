package actions_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

// effects are the built-ins that reach a host, with a host state in which they do.
var effects = []struct {
	identifier string
	arguments  actions.Arguments
	capability actions.CapabilityName
	prepare    func(*actionstest.Host)
}{
	{"service.dismiss", nil, actions.CapabilityDismisser, nil},
	{"service.deeplink", actions.Arguments{"l": "app:x"}, actions.CapabilityLinkOpener, nil},
	{"service.request_notifications", nil, actions.CapabilityNotifications, nil},
	{"service.redirect_settings", nil, actions.CapabilitySettings, nil},
	{"service.smart_reoptin", nil, actions.CapabilityNotifications, nil},
	{"service.smart_reoptin", nil, actions.CapabilitySettings, func(h *actionstest.Host) { h.SetNotifications(actions.PermissionDenied) }},
	{"service.user.tag", actions.Arguments{"a": "add", "c": "c", "t": "t"}, actions.CapabilityUserData, nil},
	{"service.user.tag", actions.Arguments{"a": "remove", "c": "c", "t": "t"}, actions.CapabilityUserData, nil},
	{"service.user.event", actions.Arguments{"e": "e"}, actions.CapabilityUserData, nil},
	{"service.tracking_consent", nil, actions.CapabilityTracking, nil},
	{"service.tracking_consent", nil, actions.CapabilitySettings, func(h *actionstest.Host) { h.SetTracking(actions.PermissionDenied) }},
	{"service.clipboard", actions.Arguments{"t": "t"}, actions.CapabilityClipboard, nil},
	{"service.rating", nil, actions.CapabilityReviewer, nil},
}

func TestHostErrors(t *testing.T) {
	for _, c := range effects {
		for _, e := range []struct {
			err     error
			status  actions.Status
			message string
		}{
			{errors.New("out of order"), actions.StatusFailed, "out of order"},
			{actions.Blocked("no gesture"), actions.StatusBlocked, "no gesture"},
			{actions.Unsupported("too old"), actions.StatusUnsupported, "too old"},
			{fmt.Errorf("page: %w", actions.Blocked("no gesture")), actions.StatusBlocked, "page: blocked: no gesture"},
			{&actions.Error{Code: "canceled", Message: "the user closed it"}, actions.StatusCanceled, "the user closed it"},
			{&actions.Error{Code: "not_found", Message: "nothing there"}, actions.StatusFailed, "nothing there"},
			{&troubledError{}, actions.StatusFailed, "an error whose text cannot be read"},
		} {
			host := actionstest.NewHost(actions.PlatformIOS, "17.0")
			if c.prepare != nil {
				c.prepare(host)
			}
			host.Refuse(c.capability, e.err)
			r := actions.New(actions.Options{Host: host.Capabilities()})
			got := r.Perform(c.identifier, c.arguments)
			if want := fullName(c.identifier) + ": " + e.message; got.Status != e.status || got.Message != want || !errors.Is(got.Err(), e.err) {
				t.Errorf("%s: %+v\nwant %s", c.identifier, got, want)
			}
			if len(host.Effects()) != 0 {
				t.Errorf("%s: a refused effect was left: %v", c.identifier, host.Effects())
			}
		}
	}
}

// fullName is the name by which messages call a built-in.
func fullName(identifier string) string {
	switch identifier {
	case "service.request_notifications", "service.redirect_settings", "service.smart_reoptin", "service.tracking_consent":
		return "service.ios_" + identifier[len("service."):]
	}
	return identifier
}

func TestMissingCapabilities(t *testing.T) {
	for _, c := range effects {
		host := actionstest.NewHost(actions.PlatformIOS, "17.0")
		if c.prepare != nil {
			c.prepare(host)
		}
		r := actions.New(actions.Options{Host: host.Capabilities(c.capability)})
		got := r.Perform(c.identifier, c.arguments)
		want := fmt.Sprintf("%s needs the capability %q, which this host does not have", fullName(c.identifier), c.capability)
		if got.Status != actions.StatusUnsupported || got.Message != want {
			t.Errorf("%s: %+v\nwant %s", c.identifier, got, want)
		}
	}
}

// A host may answer from anywhere, at any time and more than once.
func TestHostAnswersLater(t *testing.T) {
	for _, c := range effects {
		host := actionstest.NewHost(actions.PlatformIOS, "17.0")
		if c.prepare != nil {
			c.prepare(host)
		}
		host.AnswerLater(true)
		r := actions.New(actions.Options{Host: host.Capabilities()})
		task := r.PerformAsync("service.group", actions.Arguments{"actions": []any{
			[]any{c.identifier, map[string]any(c.arguments)}, []any{"service.dismiss", nil},
		}})
		if result, done := task.Result(); !done || result.Status != actions.StatusInvalidArguments {
			t.Fatalf("null is no object: %+v", result)
		}
		arguments := c.arguments
		if arguments == nil {
			arguments = actions.Arguments{}
		}
		task = r.PerformAsync("service.group", actions.Arguments{"actions": []any{
			[]any{c.identifier, arguments}, []any{"service.dismiss", map[string]any{}},
		}})
		if _, done := task.Result(); done {
			t.Errorf("%s: has a result before the host has answered", c.identifier)
		}
		go func() {
			for host.Answer() {
				continue
			}
		}()
		if got := statuses(task.Wait()); got != "performed performed performed" || len(host.Effects()) != 2 {
			t.Errorf("%s: %s, effects %v", c.identifier, got, host.Effects())
		}
	}
}

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
		if got.Status != c.status || got.Message != c.message || got.Value != c.value {
			t.Errorf("a host that %s: %+v", c.about, got)
		}
	}
	r := actions.New(actions.Options{Host: actions.Host{Notifications: odd{do: func(done func(actions.Permission, error)) { done("perhaps", nil) }}}})
	got := r.Perform("service.smart_reoptin", nil)
	want := `service.ios_smart_reoptin: the host gave the permission "perhaps", allowed are "not_determined", "denied", "authorized" and "restricted"`
	if got.Status != actions.StatusFailed || got.Message != want {
		t.Errorf("an unknown permission: %+v\nwant %s", got, want)
	}
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

func TestNeedsGesture(t *testing.T) {
	host := actionstest.NewHost(actions.PlatformWeb, "")
	capabilities := host.Capabilities()
	gesture := false
	capabilities.NeedsGesture = func(name actions.CapabilityName) bool {
		return !gesture && (name == actions.CapabilityTracking || name == actions.CapabilityClipboard)
	}
	r := actions.New(actions.Options{Host: capabilities})
	for _, c := range []struct {
		identifier      string
		without, inside actions.State
	}{
		{"service.clipboard", actions.StateNeedsGesture, actions.StateAvailable},
		{"service.tracking_consent", actions.StateNeedsGesture, actions.StateAvailable},
		{"service.request_notifications", actions.StateAvailable, actions.StateAvailable},
	} {
		gesture = false
		without := r.Capability(c.identifier)
		gesture = true
		if inside := r.Capability(c.identifier); without != c.without || inside != c.inside {
			t.Errorf("%s: %s without a gesture, %s inside of one", c.identifier, without, inside)
		}
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
