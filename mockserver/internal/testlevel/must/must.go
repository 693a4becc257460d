// Package must ends a test at an error that it is not about, and compares values that it is about.
package must

import (
	"fmt"
	"reflect"
	"testing"
)

// Do ends the test when there is an error.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns a function that returns the value, and ends the test when there is an error.
func Get[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Equal reports a value other than the wanted one, and the test goes on. The text says which value it is.
func Equal[T any](t testing.TB, got, want T, about string, arguments ...any) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return
	}
	verb := "%+v"
	if reflect.TypeFor[T]().Kind() == reflect.String {
		verb = "%q"
	}
	t.Errorf("%s: got %.2000s, want %.2000s", fmt.Sprintf(about, arguments...), fmt.Sprintf(verb, got), fmt.Sprintf(verb, want))
}

// Hold reports a condition that does not hold, and the test goes on. The text says the fault.
func Hold(t testing.TB, holds bool, fault string, arguments ...any) {
	t.Helper()
	if !holds {
		t.Errorf(fault, arguments...)
	}
}
