package actions_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

// prompter is a host that shows its prompt later, when the test says so.
type prompter struct {
	wanted func() bool
	answer func(actions.Permission, error)
	opened int
}

func (p *prompter) NotificationStatus(done func(actions.Permission, error)) {
	done(actions.PermissionNotDetermined, nil)
}

func (p *prompter) RequestNotifications(func(actions.Permission, error)) { panic("it can wait") }

func (p *prompter) RequestNotificationsWhile(wanted func() bool, done func(actions.Permission, error)) {
	p.wanted, p.answer = wanted, done
}

func (p *prompter) OpenSettings(_ actions.SettingsPage, done func(error)) {
	p.opened++
	done(nil)
}

// TestPromptLater performs actions whose prompt is not shown at once: never, as the system does not want to, or no more.
func TestPromptLater(t *testing.T) {
	for _, c := range []struct {
		identifier string
		end        func(*prompter, *actions.Task)
		status     actions.Status
		value      any
		opened     int
	}{
		{"service.request_notifications", func(p *prompter, _ *actions.Task) { p.answer(actions.PermissionDenied, nil) }, actions.StatusPerformed,
			"denied", 0},
		{"service.request_notifications", func(p *prompter, _ *actions.Task) { p.answer(actions.PermissionDenied, actions.NotShown()) },
			actions.StatusPerformed, "denied", 0},
		{"service.smart_reoptin", func(p *prompter, _ *actions.Task) { p.answer(actions.PermissionDenied, nil) }, actions.StatusPerformed,
			"denied", 0},
		{"service.smart_reoptin", func(p *prompter, _ *actions.Task) { p.answer(actions.PermissionDenied, actions.NotShown()) },
			actions.StatusPerformed, nil, 1},
		{"service.smart_reoptin", func(p *prompter, _ *actions.Task) { p.answer("", actions.Blocked("no")) }, actions.StatusBlocked, nil, 0},
		{"service.smart_reoptin", func(_ *prompter, t *actions.Task) { t.Cancel() }, actions.StatusCanceled, nil, 0},
	} {
		host := &prompter{}
		registry := actions.New(actions.Options{Host: actions.Host{Notifications: host, Settings: host}})
		task := registry.PerformAsync(c.identifier, nil)
		hold(t, host.wanted(), "%s: nobody wants the prompt while the action goes on", c.identifier)
		c.end(host, task)
		result, _ := task.Result()
		if result.Status != c.status || result.Value != c.value || host.opened != c.opened || host.wanted() {
			t.Errorf("%s: %v, the settings were opened %d times, wanted: %v", c.identifier, result, host.opened, host.wanted())
		}
	}
}
