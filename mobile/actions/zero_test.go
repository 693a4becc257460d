package actions_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// TestZeroObjects calls everything on objects that nobody has made properly: gobind gives every class a constructor without
// arguments, so an app can have them. Nothing may panic, and each answers as an empty one: with zero values, but for these.
func TestZeroObjects(t *testing.T) {
	left := map[string]string{
		"Arguments.GetArgumentsOrThrow": `invalid_arguments: argument "" is missing, an object is required`,
		"Arguments.GetBoolOrThrow":      `invalid_arguments: argument "" is missing, a boolean is required`,
		"Arguments.GetDoubleOrThrow":    `invalid_arguments: argument "" is missing, a number is required`,
		"Arguments.GetInt64OrThrow":     `invalid_arguments: argument "" is missing, a whole number of at most 64 bits is required`,
		"Arguments.GetListOrThrow":      `invalid_arguments: argument "" is missing, an array is required`,
		"Arguments.GetStringOrThrow":    `invalid_arguments: argument "" is missing, a string is required`,
		"Arguments.JSON":                `{}`,
		"Arguments.Keys":                `0 texts`,
		"ArgumentList.JSON":             `[]`,
		"Caller.Perform":                `{"status":"failed","message":"this library panicked"}`,
		"Event.Data":                    `{}`,
		"Event.JSON":                    `{"data":{},"label":null,"name":"","tags":[]}`,
		"Event.Tags":                    `0 texts`,
		"Invocation.Arguments":          `{}`,
		"Invocation.Perform":            `{"status":"failed","message":"this library panicked"}`,
		"Invocation.Source":             `a source of the kind ""`,
		"Options.AllowLink":             `invalid_link_rule: the link rule "" cannot be read: write "scheme:" or "scheme://host/path"`,
		"ProblemList.JSON":              `[]`,
		"Registration.Perform":          `{"status":"failed","message":"this library panicked"}`,
		"Registration.PerformJSON":      `{"status":"failed","message":"this library panicked"}`,
		"Registry.Caller":               `a caller`,
		"Registry.Perform":              `{"status":"failed","message":"this library panicked"}`,
		"Registry.PerformAsync":         `{"status":"failed","message":"this library panicked"}`,
		"Registry.Register":             `invalid_identifier: the identifier is blank: it needs at least one visible character`,
		"Registry.RegisterJSON":         `invalid_identifier: the identifier is blank: it needs at least one visible character`,
		"Registry.RegisterOn":           `invalid_identifier: the identifier is blank: it needs at least one visible character`,
		"Registry.Trigger":              `{"status":"failed","message":"this library panicked"}`,
		"Registry.Unregister":           `internal: this library panicked`,
		"Result.Check":                  `: `,
		"Result.JSON":                   `{"status":""}`,
		"Value.JSON":                    `null`,
		"Value.Type":                    `1`,
	}
	objects := []any{
		new(actions.ArgumentList), new(actions.Arguments), new(actions.Caller), new(actions.Completion), new(actions.Event), new(actions.Hang),
		new(actions.Invocation),
		new(actions.LinkCompletion), new(actions.Options), new(actions.PermissionCompletion), new(actions.Problem),
		new(actions.ProblemList), new(actions.Registration), new(actions.Registry), new(actions.Result), new(actions.Source),
		new(actions.StringList), new(actions.Task), new(actions.Value), new(actions.Work),
	}
	for _, object := range objects {
		class := reflect.TypeOf(object)
		for i := range class.NumMethod() {
			method := class.Method(i)
			name := class.Elem().Name() + "." + method.Name
			t.Run(name, func(t *testing.T) {
				arguments := []reflect.Value{reflect.New(class.Elem())} // what another method has put there is not empty
				for i := 1; i < method.Type.NumIn(); i++ {
					arguments = append(arguments, reflect.Zero(method.Type.In(i)))
				}
				answered := ""
				for _, result := range method.Func.Call(arguments) {
					if !result.IsZero() {
						answered = shown(result.Interface())
					}
				}
				proof.Hold(t, answered == left[name], "answers %s, want %s", answered, left[name])
			})
			delete(left, name)
		}
	}
	for name := range left {
		t.Errorf("there is no %s", name)
	}
}

// shown is what an app sees of an answer.
func shown(answer any) string {
	switch answer := answer.(type) {
	case *actions.Task:
		return shown(answer.Await(60_000)) // only a failing test waits
	case interface{ JSON() (string, error) }:
		text, _ := answer.JSON()
		return text
	case interface{ JSON() string }:
		return answer.JSON()
	case *actions.StringList:
		return fmt.Sprint(answer.Count(), " texts")
	case *actions.Caller:
		return "a caller"
	case *actions.Source:
		return fmt.Sprintf("a source of the kind %q", answer.Kind())
	}
	return fmt.Sprint(answer)
}
