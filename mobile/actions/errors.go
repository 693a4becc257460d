package actions

import (
	"errors"
	"strings"

	core "github.com/rehearsal-sdk/rehearsal/actions"
)

// thrown is what an action or a host of the app's threw. Its text is read once, where it came in: reading it may mean to call
// the app, and it may not be valid.
type thrown struct {
	text string
	// original goes back to the app as it came, so that it is the same exception there.
	original error
}

func (t *thrown) Error() string { return t.text }

func (t *thrown) Unwrap() error { return t.original }

// caught takes in what a call of the app gave.
func caught(err error) error {
	if err == nil {
		return nil
	}
	t := &thrown{original: err}
	func() {
		defer contain()
		t.text = err.Error()
	}()
	if t.text = valid(t.text); t.text == "" {
		t.text = "an exception without a message"
	}
	return t
}

// leaving makes an error fit to leave: what the app threw leaves as it came, everything else begins with a code.
func leaving(err error, code string) error {
	if err == nil {
		return nil
	}
	if t := new(thrown); errors.As(err, &t) && t.original != nil && fits(t.original) {
		return t.original
	}
	if e := new(core.Error); errors.As(err, &e) {
		return e
	}
	return &core.Error{Code: core.Code(code), Message: valid(err.Error())}
}

// fits reports whether an error can be the key of a map, which is how gobind keeps it. One that cannot would end the app.
func fits(err error) (ok bool) {
	defer func() { ok = recover() == nil }()
	return map[error]bool{err: true}[err]
}

// contain is deferred to keep a panic from leaving: it would end the app.
func contain() { _ = recover() }

// containAs is contain where there is an error to return.
func containAs(err *error) {
	if recover() != nil {
		*err = &core.Error{Code: core.Code(CodeInternal), Message: "this library panicked"}
	}
}

// failed makes the result of something that went wrong in here.
func failed(message string) core.Result {
	return core.Result{Status: core.StatusFailed, Message: message}
}

// valid replaces what is not UTF-8, which Objective-C cannot hold.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
