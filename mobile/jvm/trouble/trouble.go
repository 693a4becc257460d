// Package trouble does from Go what Java cannot: it panics, and it returns errors that gobind cannot hold. Tests bind it together
// with the actions; no app has it.
package trouble

import (
	"runtime"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
)

// PanickingAction is an action that panics.
func PanickingAction() actions.Action { return troublesome{} }

// PanickingClipboard is a clipboard that panics.
func PanickingClipboard() actions.ClipboardHost { return troublesome{} }

// PanickingListener is a listener that panics.
func PanickingListener() actions.Listener { return troublesome{} }

// OddAction is an action whose error cannot be the key of a map.
func OddAction() actions.Action { return oddAction{} }

// Collect collects Go's garbage, so that objects of Java's that only garbage refers to are let go.
func Collect() { runtime.GC() }

// Nothing does nothing: what calling it costs is what calling anything costs.
func Nothing() {}

type troublesome struct{}

func (troublesome) Perform(*actions.Invocation) error           { panic("panicked on purpose") }
func (troublesome) WriteText(string, *actions.Completion) error { panic("panicked on purpose") }
func (troublesome) OnDone(*actions.Result) error                { panic("panicked on purpose") }

type odd []string

func (o odd) Error() string { return o[0] }

type oddAction struct{}

func (oddAction) Perform(*actions.Invocation) error { return odd{"an odd error"} }
