package actions_test

import (
	"errors"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

func TestCodes(t *testing.T) {
	registry := actions.NewRegistry(nil)
	nothing := act(func(*actions.Invocation) error { return nil })
	_, blank := registry.Register(" ", nothing)
	_, reserved := registry.Register("Service.mine", nothing)
	_, none := registry.Register("mine", nil)
	_, builtin := registry.Unregister("service.dismiss")
	link := actions.NewOptions().AllowLink("not a rule")
	for _, c := range []struct {
		err  error
		code string
	}{
		{blank, actions.CodeInvalidIdentifier}, {reserved, actions.CodeReservedIdentifier}, {none, actions.CodeInvalidHandler},
		{builtin, actions.CodeReservedIdentifier}, {link, actions.CodeInvalidLinkRule},
		{registry.Perform("nobody", nil).Result().Check(), actions.StatusNotFound},
		{registry.Perform("service.clipboard", nil).Result().Check(), actions.StatusInvalidArguments},
	} {
		proof.Hold(t, c.err != nil && actions.ErrorCode(c.err.Error()) == c.code, "the error is %v, want the code %s", c.err, c.code)
	}
	for _, text := range []string{"", "failed", "hello: world", "java.io.IOException: failed: x"} {
		if code := actions.ErrorCode(text); code != "" {
			t.Errorf("%q has the code %q", text, code)
		}
	}
}

// odd is an error that gobind cannot hold: it would end the app.
type odd []string

func (o odd) Error() string { return o[0] }

// nested is one that looks as if it could be held.
type nested struct{ err error }

func (n nested) Error() string { return "nested" }

// mute panics when it is asked for its text.
type mute struct{}

func (*mute) Error() string { panic("no text") }

func TestErrorsThatTheAppThrows(t *testing.T) {
	good := errors.New("thrown on purpose")
	empty := errors.New("")
	for _, c := range []struct {
		name    string
		err     error
		message string
		same    bool
	}{
		{"plain", good, "thrown on purpose", true},
		{"without a message", empty, "an exception without a message", true},
		{"not UTF-8", errors.New("a\xffb"), "a\uFFFDb", false},
		{"not comparable", odd{"odd"}, "odd", false},
		{"not comparable inside", nested{odd{"inside"}}, "nested", false},
		{"without a text", &mute{}, "an exception without a message", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			registry := actions.NewRegistry(nil)
			register(t, registry, "throw", func(*actions.Invocation) error { return c.err })
			registry.SetClipboard(thrower{c.err})
			text, _ := actions.ArgumentsFromJSON(`{"t":"x"}`)
			result := registry.Perform("throw", nil).Result()
			if result.Status() != actions.StatusFailed || result.Message() != c.message {
				t.Errorf("it ended as %s: %s", result.Status(), result.Message())
			}
			host := registry.Perform("service.clipboard", text).Result()
			if host.Status() != actions.StatusFailed || host.Message() != "service.clipboard: "+c.message {
				t.Errorf("the host ended as %s: %s", host.Status(), host.Message())
			}
			for _, err := range []error{result.Check(), host.Check()} {
				if hold := map[error]bool{err: true}; !hold[err] {
					t.Error("it cannot be held")
				}
				if c.same && err != c.err {
					t.Errorf("%v is not the error that was thrown", err)
				}
			}
		})
	}
}

// thrower is a clipboard that throws.
type thrower struct{ err error }

func (t thrower) WriteText(string, *actions.Completion) error { return t.err }

// TestAPanickingApp: code in Go that is bound together with this package may panic where Java throws.
func TestAPanickingApp(t *testing.T) {
	registry := actions.NewRegistry(nil)
	register(t, registry, "panic", func(*actions.Invocation) error { panic(odd{"on purpose"}) })
	registry.SetClipboard(panicking{})
	registry.SetNotifications(panicking{})
	registry.SetLinkInterceptor(panicking{})
	text, _ := actions.ArgumentsFromJSON(`{"t":"x","l":"https://example.com"}`)
	for _, identifier := range []string{"panic", "service.clipboard", "service.deeplink", "service.request_notifications",
		"service.smart_reoptin"} {
		want(t, registry.Perform(identifier, text), actions.StatusFailed)
		want(t, registry.PerformAsync(identifier, text, told(func(*actions.Result) error { panic("in the listener") })), actions.StatusFailed)
	}
	flush(t, registry)
}

type panicking struct{}

func (panicking) WriteText(string, *actions.Completion) error              { panic("on purpose") }
func (panicking) InterceptLink(string, *actions.LinkCompletion) error      { panic("on purpose") }
func (panicking) NotificationStatus(*actions.PermissionCompletion) error   { panic("on purpose") }
func (panicking) RequestNotifications(*actions.PermissionCompletion) error { panic("on purpose") }

func TestLinksThatAreAllowed(t *testing.T) {
	options := actions.NewOptions()
	options.ForbidLinks()
	for _, entry := range []string{"shop:", "https://example.com"} {
		proof.Do(t, options.AllowLink(entry))
	}
	registry := actions.NewRegistry(options)
	registry.SetLinkInterceptor(handling{})
	for link, status := range map[string]string{
		"shop:cart": actions.StatusPerformed, "https://example.com/x": actions.StatusPerformed,
		"https://example.org": actions.StatusInvalidArguments,
	} {
		arguments := actions.NewArguments()
		arguments.SetString("l", link)
		want(t, registry.Perform("service.deeplink", arguments), status)
	}
}

type handling struct{}

func (handling) InterceptLink(_ string, c *actions.LinkCompletion) error { c.Handled(); return nil }

func TestProblems(t *testing.T) {
	arguments, _ := actions.ArgumentsFromJSON(`{"a":"paint","c":"","t":5}`)
	problems := actions.NewRegistry(nil).Validate("service.user.tag", arguments)
	if problems.Count() != 3 || problems.At(0).Pointer() != "/a" || problems.At(0).Status() != actions.StatusInvalidArguments ||
		problems.At(0).Message() == "" ||
		problems.At(3) != nil || problems.At(-1) != nil || problems.JSON()[0] != '[' {
		t.Errorf("the problems are %s", problems.JSON())
	}
}
