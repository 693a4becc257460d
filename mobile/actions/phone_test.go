package actions_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// phone is a host as an app writes one. It notes what is done to it and answers at once.
type phone struct {
	spec actionstest.HostSpec

	mutex sync.Mutex
	done  []actionstest.Effect
}

func newPhone(spec actionstest.HostSpec) *phone { return &phone{spec: spec} }

// install sets every capability but those that the phone is without.
func (p *phone) install(registry *actions.Registry, spec actionstest.HostSpec) {
	setters := map[string]func(){
		"dismisser":     func() { registry.SetDismisser(p) },
		"link_opener":   func() { registry.SetLinkOpener(p) },
		"notifications": func() { registry.SetNotifications(p) },
		"settings":      func() { registry.SetSettings(p) },
		"clipboard":     func() { registry.SetClipboard(p) },
		"reviewer":      func() { registry.SetReviewer(p) },
		"tracking":      func() { registry.SetTracking(p) },
		"user_data":     func() { registry.SetUserData(p) },
	}
	for name, set := range setters {
		if !slices.Contains(spec.Without, name) {
			set()
		}
	}
	if spec.Interceptor != "" {
		registry.SetLinkInterceptor(p)
	}
}

func (p *phone) effects() []actionstest.Effect {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return slices.Clone(p.done)
}

func (p *phone) record(effect actionstest.Effect) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.done = append(p.done, effect)
}

// refusing is what both kinds of completion can say.
type refusing interface {
	Blocked(message string) bool
	Fail(message string) bool
}

// effect has an effect unless the capability refuses.
func (p *phone) effect(capability string, completion refusing, succeed func(), effect actionstest.Effect) error {
	switch p.spec.Refuse[capability] {
	case "blocked":
		completion.Blocked("refused by the platform")
	case "failed":
		completion.Fail("refused by the host")
	default:
		p.record(effect)
		succeed()
	}
	return nil
}

func (p *phone) Dismiss(c *actions.Completion) error {
	return p.effect("dismisser", c, func() { c.Succeed() }, actionstest.Effect{"host": "dismiss"})
}

func (p *phone) OpenLink(url string, inApp bool, c *actions.Completion) error {
	return p.effect("link_opener", c, func() { c.Succeed() }, actionstest.Effect{"host": "link.open", "url": url, "in_app": inApp})
}

func (p *phone) InterceptLink(url string, c *actions.LinkCompletion) error {
	p.record(actionstest.Effect{"host": "interceptor", "url": url})
	if p.spec.Interceptor == "handled" {
		c.Handled()
	} else {
		c.NotHandled()
	}
	return nil
}

func (p *phone) NotificationStatus(c *actions.PermissionCompletion) error {
	c.Answer(p.spec.Notifications)
	return nil
}

func (p *phone) RequestNotifications(c *actions.PermissionCompletion) error {
	return p.effect("notifications", c, func() { c.Answer(p.spec.Notifications) }, actionstest.Effect{"host": "notifications.request"})
}

func (p *phone) OpenSettings(page string, c *actions.Completion) error {
	return p.effect("settings", c, func() { c.Succeed() }, actionstest.Effect{"host": "settings.open", "page": page})
}

func (p *phone) WriteText(text string, c *actions.Completion) error {
	return p.effect("clipboard", c, func() { c.Succeed() }, actionstest.Effect{"host": "clipboard.write", "text": text})
}

func (p *phone) RequestReview(c *actions.Completion) error {
	return p.effect("reviewer", c, func() { c.Succeed() }, actionstest.Effect{"host": "review.request"})
}

func (p *phone) TrackingStatus(c *actions.PermissionCompletion) error {
	c.Answer(p.spec.Tracking)
	return nil
}

func (p *phone) RequestTracking(c *actions.PermissionCompletion) error {
	return p.effect("tracking", c, func() { c.Answer(p.spec.Tracking) }, actionstest.Effect{"host": "tracking.request"})
}

func (p *phone) AddTag(collection, tag string, c *actions.Completion) error {
	return p.effect("user_data", c, func() { c.Succeed() }, actionstest.Effect{"host": "tag.add", "collection": collection, "tag": tag})
}

func (p *phone) RemoveTag(collection, tag string, c *actions.Completion) error {
	return p.effect("user_data", c, func() { c.Succeed() }, actionstest.Effect{"host": "tag.remove", "collection": collection, "tag": tag})
}

func (p *phone) TrackEvent(event *actions.Event, c *actions.Completion) error {
	json, err := event.JSON()
	if err != nil {
		return err
	}
	value, err := actionsjson.Decode([]byte(json))
	if err != nil {
		return err
	}
	effect := actionstest.Effect(value.(map[string]any))
	effect["host"] = "event"
	return p.effect("user_data", c, func() { c.Succeed() }, effect)
}

func TestEventInParts(t *testing.T) {
	var seen []any
	registry := actions.NewRegistry(nil)
	registry.SetUserData(eventReader(func(event *actions.Event) {
		tags := event.Tags()
		seen = []any{event.Name(), event.HasLabel(), event.Label(), tags.Count(), tags.At(0), tags.At(1), tags.At(2),
			event.Data().GetInt64("n", 0)}
	}))
	arguments, _ := actions.ArgumentsFromJSON(`{"e":"bought","t":["a","b"],"a":{"n":7}}`)
	registry.Perform("service.user.event", arguments)
	if want := []any{"bought", false, "", int32(2), "a", "b", "", int64(7)}; !slices.Equal(seen, want) {
		t.Errorf("the event came as %v, want %v", seen, want)
	}
	arguments.SetString("l", "shoes")
	registry.Perform("service.user.event", arguments)
	proof.Hold(t, seen[1] == true && seen[2] == "shoes", "the label came as %v", seen)
}

type eventReader func(*actions.Event)

func (f eventReader) AddTag(_, _ string, _ *actions.Completion) error    { return nil }
func (f eventReader) RemoveTag(_, _ string, _ *actions.Completion) error { return nil }
func (f eventReader) TrackEvent(event *actions.Event, c *actions.Completion) error {
	f(event)
	c.Succeed()
	return nil
}
