package actions_test

import (
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

// Messages name the argument, what was found and what is allowed.
func TestMessages(t *testing.T) {
	r := actions.New(actions.Options{Host: actionstest.NewHost(actions.PlatformWeb, "").Capabilities()})
	eleven := make([]any, 11)
	for i := range eleven {
		eleven[i] = []any{"service.dismiss", map[string]any{}}
	}
	type a = actions.Arguments
	for _, c := range []struct {
		identifier string
		arguments  actions.Arguments
		message    string
	}{
		{"nobody", nil, `no action is registered as "nobody"`},
		{"Service.Nobody", nil, `there is no built-in action "Service.Nobody"`},
		{"service.clipbord", nil, `there is no built-in action "service.clipbord", the nearest is "service.clipboard"`},
		{"SERVICE.Request_Notification", nil,
			`there is no built-in action "SERVICE.Request_Notification", the nearest is "service.request_notifications"`},
		{"service.", nil, `there is no built-in action "service."`},
		{"service." + strings.Repeat("x", 50), nil, `there is no built-in action "service.` + strings.Repeat("x", 50) + `"`},
		{"service.clipboard", a{"text": "x"}, `service.clipboard: argument "t" is missing, a string is required, given were "text"`},
		{"service.clipboard", a{"t": 5, "text": "x"}, `service.clipboard: argument "t" is a number, a string is required`},
		{"service.user.tag", a{"a": "add", "f": 1, "": 2, "e": 3, "B": 4, "d": 5}, `service.user.tag: argument "c" is missing, ` +
			`a string that is not empty is required, given were "", "B", "d", "e", …; argument "t" is missing, a string that is not empty is required`},
		{"service.clipboard", nil, `service.clipboard: argument "t" is missing, a string is required`},
		{"service.clipboard", a{"t": nil}, `service.clipboard: argument "t" is missing, a string is required`},
		{"service.clipboard", a{"t": 5}, `service.clipboard: argument "t" is a number, a string is required`},
		{"service.deeplink", a{"l": ""}, `service.deeplink: argument "l" is the string "", a string that is not empty is required`},
		{"service.deeplink", a{"l": "app:x", "li": "true"},
			`service.deeplink: argument "li" is the string "true", true, false or nothing is required`},
		{"service.deeplink", a{"l": " java\tscript:x"},
			`service.deeplink: argument "l" is " java·script:x", links with the scheme "javascript" are refused on the web`},
		{"service.user.tag", a{"a": "ADD", "c": true}, `service.user.tag: argument "a" is the string "ADD", "add" or "remove" is required; ` +
			`argument "c" is a boolean, a string that is not empty is required; argument "t" is missing, a string that is not empty is required`},
		{"service.user.tag", a{"a": 5, "c": "c", "t": "t"}, `service.user.tag: argument "a" is a number, "add" or "remove" is required`},
		{"service.user.event", a{"e": "e", "l": 5, "t": "x", "a": []any{}},
			`service.user.event: argument "l" is a number, a string or nothing is required; ` +
				`argument "t" is the string "x", an array of strings or nothing is required; argument "a" is an array of length 0, an object or nothing is required`},
		{"service.user.event", a{"e": "e", "t": []any{"x", nil}}, `service.user.event: item 1 of argument "t" is null, a string is required`},
		{"service.group", nil, `service.group: argument "actions" is missing, an array is required`},
		{"service.group", a{"actions": eleven}, `service.group: argument "actions" has 11 items, at most 10 are allowed`},
		{"service.group", a{"actions": []any{5, []any{"x"}, []any{5, nil}, []any{"SERVICE.GROUP", map[string]any{}}}}, `service.group: ` +
			`/actions/0 is a number, a pair of an identifier and an object is required; ` +
			`/actions/1 is an array of length 1, a pair of an identifier and an object is required; ` +
			`/actions/2/0 is a number, an identifier is required; ` +
			`/actions/2/1 is null, an object is required; ` +
			`/actions/3/0 is a group, which a group must not contain`},
		{"service.group", items("service.dismiss", "nobody"), `1 of 2 items were performed`},
	} {
		if got := r.Perform(c.identifier, c.arguments).Message; got != c.message {
			t.Errorf("%s %s:\n got %s\nwant %s", c.identifier, show(c.arguments), got, c.message)
		}
	}
	old := actions.New(actions.Options{Host: actionstest.NewHost(actions.PlatformIOS, "10.2.1").Capabilities()})
	if got := old.Perform("service.rating", nil).Message; got != `service.rating needs iOS 10.3 or later, this is "10.2.1"` {
		t.Error(got)
	}
}

func TestValidateMessages(t *testing.T) {
	r := actions.New(actions.Options{})
	problems := r.Validate("service.group", actions.Arguments{"actions": []any{
		[]any{"service.clipboard", map[string]any{}}, []any{"nobody", map[string]any{}},
	}})
	want := []actions.Problem{
		{At: "/actions/0/1/t", Status: actions.StatusInvalidArguments, Message: `argument "t" is missing, a string is required`},
		{At: "/actions/1/0", Status: actions.StatusNotFound, Message: `no action is registered as "nobody"`},
	}
	hold(t, len(problems) == 2 && problems[0] == want[0] && problems[1] == want[1], "got  %+v\nwant %+v", problems, want)
}

// FuzzBuiltins feeds every built-in with arbitrary arguments: validation and perform agree, what is refused has no effect, and
// nothing panics.
func FuzzBuiltins(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"t":"x"}`, `{"l":"javascript:x","li":true}`, `{"a":"add","c":"c","t":"t"}`, `{"e":"x","l":null,"t":["a"],"a":{}}`,
		`{"e":5,"t":[1]}`,
		`{"actions":[["service.dismiss",{}],["x",{}]]}`, `{"actions":[["service.group",{}]]}`, `{"actions":[5]}`,
		`{"actions":[["service.clipboard",{"t":5}]]}`,
	} {
		f.Add(seed)
	}
	identifiers := []string{
		"service.dismiss", "service.deeplink", "service.request_notifications", "service.redirect_settings", "service.smart_reoptin",
		"service.user.tag",
		"service.user.event", "service.group", "service.tracking_consent", "service.clipboard", "service.rating",
	}
	f.Fuzz(func(t *testing.T, text string) {
		arguments, err := decodeArguments(text)
		if err != nil {
			return
		}
		for _, identifier := range identifiers {
			host := actionstest.NewHost(actions.PlatformWeb, "")
			r := actions.New(actions.Options{Host: host.Capabilities()})
			problems := r.Validate(identifier, arguments)
			if len(host.Effects()) != 0 {
				t.Fatalf("Validate(%s, %s) left %v", identifier, text, host.Effects())
			}
			result := r.Perform(identifier, arguments)
			if refused := result.Status == actions.StatusInvalidArguments; refused && (len(problems) == 0 || len(host.Effects()) != 0) {
				t.Fatalf("Perform(%s, %s) = %+v, Validate = %+v, effects %v", identifier, text, result, problems, host.Effects())
			} else if !refused && result.Performed() != (len(problems) == 0) {
				t.Fatalf("Perform(%s, %s) = %+v, Validate = %+v", identifier, text, result, problems)
			}
			for _, problem := range problems {
				if !strings.HasPrefix(problem.At, "/") || problem.Message == "" {
					t.Fatalf("Validate(%s, %s) = %+v", identifier, text, problems)
				}
			}
		}
	})
}
