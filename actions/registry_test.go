package actions_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
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

func TestLookup(t *testing.T) {
	r := actions.New(actions.Options{})
	first := mustRegister(t, r, "Été", nothing)
	if r.Lookup("éTÉ") != first || !first.Active() || first.Identifier() != "Été" {
		t.Error("a registration is not found in another letter case")
	}
	second := mustRegister(t, r, "été", nothing)
	if first.Active() || !second.Active() || r.Lookup("été") != second {
		t.Error("a replaced registration is still active")
	}
	if first.Unregister() || !second.Active() {
		t.Error("a replaced registration removed the newer one")
	}
	if !second.Unregister() || second.Active() || r.Lookup("été") != nil || second.Unregister() {
		t.Error("a registration was not removed exactly once")
	}
	if r.Lookup("service.clipboard") != nil {
		t.Error("a built-in was found among the registered actions")
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

func TestRegistrationBegin(t *testing.T) {
	r := actions.New(actions.Options{})
	first := mustRegister(t, r, "x", func(actions.Invocation) (any, error) { return 1, nil })
	begin := func() actions.Result {
		result, task := first.Begin(actions.Call{Identifier: "ignored"})
		if task != nil {
			t.Fatal("a handler that finishes at once gave a task")
		}
		return result
	}
	if got := begin(); got.Value != 1 {
		t.Errorf("the first registration gave %+v", got)
	}
	mustRegister(t, r, "X", func(actions.Invocation) (any, error) { return 2, nil })
	if got := begin(); got.Value != 2 {
		t.Errorf("after a replacement the old registration gave %+v", got)
	}
	if _, err := r.Unregister("x"); err != nil {
		t.Fatal(err)
	}
	if got := begin(); got.Status != actions.StatusNotFound {
		t.Errorf("after unregister the old registration gave %+v", got)
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

func TestListSortsAnyNumber(t *testing.T) {
	for _, count := range []int{0, 1, 2, 3, 100, 2000} {
		r := actions.New(actions.Options{})
		var want []string
		for i := range count {
			identifier := strconv.Itoa(i * 7919 % 10_007)
			if _, err := r.Register(identifier, func(actions.Invocation) (any, error) { return nil, nil }); err != nil {
				t.Fatal(err)
			}
			want = append(want, identifier)
		}
		slices.Sort(want)
		if got := r.List(); !slices.Equal(got, want) {
			t.Errorf("%d identifiers: not sorted", count)
		}
	}
}
