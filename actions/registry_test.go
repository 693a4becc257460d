package actions_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

func nothing(actions.Invocation) (any, error) { return nil, nil }

func mustRegister(tb testing.TB, r *actions.Registry, identifier string, handler actions.Handler) *actions.Registration {
	tb.Helper()
	registration, err := r.Register(identifier, handler)
	if err != nil {
		tb.Fatal(err)
	}
	return registration
}

func TestRegistrationErrors(t *testing.T) {
	r := actions.New(actions.Options{})
	for _, c := range []struct {
		identifier string
		handler    actions.Handler
		text       string
	}{
		{" \t", nothing, "invalid_identifier: the identifier is blank: it needs at least one visible character"},
		{"Service.Mine", nothing,
			`reserved_identifier: the identifier "Service.Mine" begins with "service.", which is reserved for built-in actions`},
		{"mine", nil, `invalid_handler: the action "mine" has no handler: it needs the code that it runs`},
		{"service.x", nil, `reserved_identifier: the identifier "service.x" begins with "service.", which is reserved for built-in actions`},
		{"service." + strings.Repeat("x", 200), nothing, `reserved_identifier: the identifier "service.` + strings.Repeat("x",
			72) + `…" begins with "service.", which is reserved for built-in actions`},
		{"service.\n\x00", nothing,
			`reserved_identifier: the identifier "service.··" begins with "service.", which is reserved for built-in actions`},
	} {
		registration, err := r.Register(c.identifier, c.handler)
		if registration != nil || err == nil || err.Error() != c.text {
			t.Errorf("Register(%q) = %v, %v\nwant %s", c.identifier, registration, err, c.text)
		}
		code, _, _ := strings.Cut(c.text, ":")
		if wrapped := fmt.Errorf("at start: %w", err); actions.CodeOf(wrapped) != actions.Code(code) {
			t.Errorf("CodeOf(%v) = %q", wrapped, actions.CodeOf(wrapped))
		}
	}
	if removed, err := r.Unregister("SERVICE.clipboard"); removed || actions.CodeOf(err) != actions.CodeReservedIdentifier {
		t.Errorf("Unregister of a built-in = %v, %v", removed, err)
	}
	if got := actions.CodeOf(errors.New("other")); got != "" {
		t.Errorf("CodeOf of another error = %q", got)
	}
	if got := r.List(); len(got) != 0 {
		t.Errorf("after refused registrations the list is %q", got)
	}
}

func TestRegistrationAdmit(t *testing.T) {
	r := actions.New(actions.Options{})
	registration := mustRegister(t, r, "x", func(actions.Invocation) (any, error) { return nil, nil })
	for _, depth := range []int{0, 1, 16, 17, 1 << 30} {
		refused := registration.Admit(depth)
		began, _ := registration.Begin(actions.Call{Depth: depth})
		if performed := began.Performed(); performed != (refused == nil) || !performed && !reflect.DeepEqual(*refused, began) {
			t.Errorf("at depth %d it is %+v, and begun it is %+v", depth, refused, began)
		}
	}
}

func TestIsBuiltin(t *testing.T) {
	r := actions.New(actions.Options{})
	mustRegister(t, r, "mine", func(actions.Invocation) (any, error) { return nil, nil })
	for identifier, want := range map[string]bool{
		"service.clipboard": true, "SERVICE.Clipboard": true, "service.ios_smart_reoptin": true, "service.Smart_Reoptin": true,
		"service.nothing": false, "mine": false, "nobody": false, "": false, " service.clipboard": false,
	} {
		if got := r.IsBuiltin(identifier); got != want {
			t.Errorf("IsBuiltin(%q) = %v", identifier, got)
		}
	}
}

// FuzzIdentifiers compares the registry with the rule written in one line: identifiers are equal when Go's lower-casing of them is.
func FuzzIdentifiers(f *testing.F) {
	for _, seed := range [][2]string{
		{"a", "A"}, {"SERVİCE.x", "service.x"}, {" ", "\u00a0"}, {"x\xff", "x\ufffd"}, {"Σ", "ς"}, {"\u212a", "k"}, {"service.", "Service"},
		{"ǅ", "Ǆ"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		r := actions.New(actions.Options{})
		runes := func(s string) string { return string([]rune(s)) } // Go's own replacement of invalid UTF-8
		_, err := r.Register(a, nothing)
		want := actions.Code("")
		switch {
		case strings.TrimSpace(a) == "":
			want = actions.CodeInvalidIdentifier
		case strings.HasPrefix(strings.ToLower(runes(a)), "service."):
			want = actions.CodeReservedIdentifier
		}
		if actions.CodeOf(err) != want {
			t.Fatalf("Register(%q): %v, want %q", a, err, want)
		}
		if want != "" {
			return
		}
		if list := r.List(); !slices.Equal(list, []string{runes(a)}) || !utf8.ValidString(list[0]) {
			t.Fatalf("List = %q after Register(%q)", list, a)
		}
		foldedA, foldedB := strings.ToLower(runes(a)), strings.ToLower(runes(b))
		same := foldedA == foldedB // EqualFold would be another rule
		if found := r.Lookup(b) != nil; found != same {
			t.Fatalf("Lookup(%q) = %v after Register(%q)", b, found, a)
		}
		if performed := r.Perform(b, nil).Performed(); performed && !same && !strings.HasPrefix(strings.ToLower(b), "service.") {
			t.Fatalf("Perform(%q) performed %q", b, a)
		}
	})
}

// hold reports a condition that does not hold, and the test goes on. The text says the fault.
func hold(t testing.TB, holds bool, fault string, arguments ...any) {
	t.Helper()
	if !holds {
		t.Errorf(fault, arguments...)
	}
}
