package actions

import "testing"

// TestGesturesAreDecided: whether a web page needs a gesture of its user is decided for every capability that a built-in action uses.
func TestGesturesAreDecided(t *testing.T) {
	decided := map[CapabilityName]bool{
		CapabilityClipboard: true, CapabilityLinkOpener: true, CapabilityNotifications: true,
		CapabilityDismisser: false, CapabilityInterceptor: false, CapabilityReviewer: false, CapabilitySettings: false, CapabilityTracking: false,
		CapabilityUserData: false,
	}
	page, app := &Host{Platform: PlatformWeb}, &Host{Platform: PlatformIOS}
	for _, builtin := range Builtins() {
		for _, name := range builtin.Capabilities {
			needs, is := decided[name]
			if !is {
				t.Errorf("%s: decide in gestureMissing whether a web page needs a gesture for it, and say so here", name)
			}
			if got := page.gestureMissing(name); got != needs {
				t.Errorf("%s on a web page: a gesture is missing: %t, decided was %t", name, got, needs)
			}
			if app.gestureMissing(name) {
				t.Errorf("%s in an app: a gesture is missing", name)
			}
		}
	}
}
