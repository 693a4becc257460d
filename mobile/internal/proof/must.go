package proof

import "testing"

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

// Hold reports a condition that does not hold, and the test goes on. The text says the fault.
func Hold(t testing.TB, holds bool, fault string, arguments ...any) {
	t.Helper()
	if !holds {
		t.Errorf(fault, arguments...)
	}
}
