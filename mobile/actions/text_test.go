package actions_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// texts makes an action of texts of a function.
type texts func(string) (string, error)

func (f texts) PerformJSON(arguments string) (string, error) { return f(arguments) }

func TestPerformByText(t *testing.T) {
	registry := actions.NewRegistry(nil)
	own := errors.New("no tea")
	given := ""
	for identifier, action := range map[string]texts{
		"echo":   func(arguments string) (string, error) { given = arguments; return arguments, nil },
		"quiet":  func(arguments string) (string, error) { given = arguments; return "", nil },
		"fail":   func(string) (string, error) { return "", own },
		"panic":  func(string) (string, error) { panic("on purpose") },
		"broken": func(string) (string, error) { return "{", nil },
	} {
		if _, err := registry.RegisterJSON(identifier, action); err != nil {
			t.Fatal(err)
		}
	}
	later := proof.Get(registry.Register("later", act(func(invocation *actions.Invocation) error { invocation.Later(); return nil })))(t)
	caller := registry.Caller()
	for _, c := range []struct{ identifier, arguments, given, want string }{
		{"Quiet", "", "{}", ""},
		{"quiet", "{}", "{}", ""},
		{"quiet", `null`, "{}", ""},
		{"quiet", ` {"n": 18446744073709551615, "l": [null, 0.5]}`, `{"l":[null,0.5],"n":18446744073709551615}`, ""},
		{"echo", `{"a":"grüße"}`, `{"a":"grüße"}`, `{"status":"performed","value":{"a":"grüße"}}`},
		{"fail", "", "", `{"status":"failed","message":"no tea"}`},
		{"nobody", "", "", `{"status":"not_found"`},
		{"panic", "", "", `{"status":"failed"`},
		{"broken", "", "", `{"status":"failed","message":"the value that the action gave is no JSON: `},
		{"quiet", "[]", "", `{"status":"invalid_arguments","message":"`},
		{"quiet", `{"a":1,"a":2}`, "", `{"status":"invalid_arguments","message":"`},
		{"quiet", "\xff", "", `{"status":"invalid_arguments","message":"`},
		{"service.clipboard", `{"t":"x"}`, "", `{"status":"unsupported"`},
		{"later", "", "", actions.CallerGoesOn},
	} {
		given = ""
		if got := caller.Perform(c.identifier, c.arguments); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s %s comes to %s, want %s", c.identifier, c.arguments, got, c.want)
		}
		proof.Hold(t, given == c.given, "%s %s was given %q, want %q", c.identifier, c.arguments, given, c.given)
	}
	if got := caller.Perform("fail", ""); caller.Task().Result().Check() != own {
		t.Errorf("the error of the action is lost: %s", got)
	}
	if got := later.PerformJSON(""); got != actions.CallerGoesOn {
		t.Errorf("what goes on comes to %s", got)
	}
	caller.Perform("later", "")
	if task := caller.Task(); task.IsDone() || !task.Cancel() {
		t.Error("what goes on cannot be canceled")
	}
	caller.Close()
	proof.Hold(t, caller.Task() == nil, "a closed caller holds a task")
	if _, err := registry.RegisterJSON("none", nil); actions.ErrorCode(err.Error()) != actions.CodeInvalidHandler {
		t.Errorf("registering null gives %v", err)
	}
}
