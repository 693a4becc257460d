package actions_test

import (
	"reflect"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
)

// TestZeroObjects calls everything on objects that nobody has made properly: gobind gives every class a constructor without
// arguments, so an app can have them. Nothing may panic.
func TestZeroObjects(t *testing.T) {
	objects := []any{
		new(actions.ArgumentList), new(actions.Arguments), new(actions.Completion), new(actions.Event), new(actions.Invocation),
		new(actions.LinkCompletion), new(actions.Options), new(actions.PermissionCompletion), new(actions.Problem),
		new(actions.ProblemList), new(actions.Registration), new(actions.Registry), new(actions.Result), new(actions.Source),
		new(actions.StringList), new(actions.Task), new(actions.Value),
	}
	for _, object := range objects {
		value := reflect.ValueOf(object)
		for i := range value.NumMethod() {
			method := value.Type().Method(i)
			t.Run(value.Type().Elem().Name()+"."+method.Name, func(t *testing.T) {
				arguments := make([]reflect.Value, method.Type.NumIn()-1)
				for i := range arguments {
					arguments[i] = reflect.Zero(method.Type.In(i + 1))
				}
				value.Method(i).Call(arguments)
			})
		}
	}
}
