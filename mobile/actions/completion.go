package actions

import (
	"sync"
	"time"

	core "github.com/rehearsal-sdk/rehearsal/actions"
)

// ending sees to it that a call of the app ends exactly once: by an answer, by the time limit, or because nobody wants it any
// more. An answer that comes while the call is under way takes effect when it returns, on the same thread; a later one at once,
// where it is given. What takes effect is state and calls nobody: what the app does next goes through [Registry.goOn].
type ending struct {
	limit time.Duration
	// late takes effect when the time is up.
	late func()

	mutex    sync.Mutex
	returned bool
	ended    bool
	answer   func()
	timer    *time.Timer
}

// end gives an answer. It reports whether it was the first.
func (e *ending) end(answer func()) bool {
	e.mutex.Lock()
	if e.ended {
		e.mutex.Unlock()
		return false
	}
	e.ended = true
	if e.timer != nil {
		e.timer.Stop()
	}
	if !e.returned {
		e.answer = answer
		answer = func() {}
	}
	e.mutex.Unlock()
	answer()
	return true
}

// settle is called when the call has returned.
func (e *ending) settle() {
	e.mutex.Lock()
	e.returned = true
	answer := e.answer
	if !e.ended && e.limit > 0 {
		e.timer = time.AfterFunc(e.limit, func() { e.end(e.late) })
	}
	e.mutex.Unlock()
	if answer != nil {
		answer()
	}
}

// discard ends the call without an answer, because nobody wants one. It reports whether it was under way.
func (e *ending) discard() bool { return e.end(func() {}) }

func (e *ending) hasEnded() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.ended
}

// Completion ends an action or a host's work that takes its time. The first ending counts, also the time limit of [Options] and a
// cancellation; further ones do nothing. It may be ended from any thread, before or after the call that was given it has returned.
type Completion struct {
	registry *Registry
	ending   *ending
	succeed  func(value any)
	fail     func(error)
	// handler is what the core waits for when this belongs to an action.
	handler *core.Completion
}

// Succeed ends it well. It reports whether this was the first ending.
func (c *Completion) Succeed() bool {
	defer contain()
	return c.ending.end(func() { c.succeed(nil) })
}

// SucceedWith ends an action with a value for its [Result]; the work of a host has none. It reports whether this was the first ending.
func (c *Completion) SucceedWith(value *Value) bool {
	defer contain()
	return c.ending.end(func() { c.succeed(value.get()) })
}

// Fail ends it with a reason for people. The status becomes [StatusFailed]. It reports whether this was the first ending.
func (c *Completion) Fail(message string) bool {
	defer contain()
	return failWith(c.ending, c.fail, message)
}

// Blocked ends the work of a host: the platform refused, for example for want of a permission. The status becomes
// [StatusBlocked]. It reports whether this was the first ending.
func (c *Completion) Blocked(message string) bool {
	defer contain()
	return c.ending.end(func() { c.fail(core.Blocked(valid(message))) })
}

// Unsupported ends the work of a host: this device cannot do it. The status becomes [StatusUnsupported]. It reports whether this
// was the first ending.
func (c *Completion) Unsupported(message string) bool {
	defer contain()
	return c.ending.end(func() { c.fail(core.Unsupported(valid(message))) })
}

// IsEnded reports whether it has ended: by one of the functions above, by the time limit, or because the action was canceled, which the
// work of a host is not told.
func (c *Completion) IsEnded() bool {
	defer contain()
	return c.ending.hasEnded()
}

// CancelListener is told that an action was canceled.
type CancelListener interface {
	// OnCancel is called once, on the worker. What it throws is ignored.
	OnCancel() error
}

// SetCancelListener has a listener told when the action is canceled before it has ended; at once when it was canceled already.
// The work of a host is never canceled.
func (c *Completion) SetCancelListener(listener CancelListener) {
	defer contain()
	if c.handler == nil || listener == nil {
		return
	}
	c.handler.OnCancel(func() {
		c.registry.tell("a cancel listener", func() { _ = listener.OnCancel() })
	})
}

// PermissionCompletion is how a host tells the state of a permission. The first answer counts; it may come from any thread.
type PermissionCompletion struct {
	ending *ending
	wanted func() bool
	done   func(core.Permission, error)
}

// IsEnded reports whether nobody waits for it any more: it was answered, its time is up, or the action was canceled. A host that is
// about to show a prompt looks, for that prompt would come out of the blue.
func (c *PermissionCompletion) IsEnded() bool {
	defer contain()
	return c.ending.hasEnded() || c.wanted != nil && !c.wanted()
}

// Answer gives the state: one of the constants that begin with Permission. After a prompt "" stands for: not known. It reports
// whether this was the first answer.
func (c *PermissionCompletion) Answer(permission string) bool {
	defer contain()
	return c.ending.end(func() { c.done(core.Permission(valid(permission)), nil) })
}

// NotShown gives the state when the system has decided about the prompt without showing it. service.smart_reoptin then opens the
// settings; otherwise it is the same as Answer. It reports whether this was the first answer.
func (c *PermissionCompletion) NotShown(permission string) bool {
	defer contain()
	return c.ending.end(func() { c.done(core.Permission(valid(permission)), core.NotShown()) })
}

// Fail says that the state cannot be told, or that the prompt could not be shown. It reports whether this was the first answer.
func (c *PermissionCompletion) Fail(message string) bool {
	defer contain()
	return failWith(c.ending, c.fail, message)
}

// Blocked says that the platform refused to show the prompt. It reports whether this was the first answer.
func (c *PermissionCompletion) Blocked(message string) bool {
	defer contain()
	return c.ending.end(func() { c.fail(core.Blocked(valid(message))) })
}

// Unsupported says that there is no such permission on this device. It reports whether this was the first answer.
func (c *PermissionCompletion) Unsupported(message string) bool {
	defer contain()
	return c.ending.end(func() { c.fail(core.Unsupported(valid(message))) })
}

func (c *PermissionCompletion) fail(err error) { c.done("", err) }

// LinkCompletion is how an interceptor tells whether it has handled a link. The first answer counts; it may come from any thread.
type LinkCompletion struct {
	ending *ending
	done   func(bool, error)
}

// IsEnded reports whether nobody waits for it any more: it was answered, or its time is up.
func (c *LinkCompletion) IsEnded() bool {
	defer contain()
	return c.ending.hasEnded()
}

// Handled says that the link was dealt with: nothing else happens. It reports whether this was the first answer.
func (c *LinkCompletion) Handled() bool {
	defer contain()
	return c.ending.end(func() { c.done(true, nil) })
}

// NotHandled has the link opened as if there were no interceptor. It reports whether this was the first answer.
func (c *LinkCompletion) NotHandled() bool {
	defer contain()
	return c.ending.end(func() { c.done(false, nil) })
}

// Fail ends the action as failed, with a reason for people. It reports whether this was the first answer.
func (c *LinkCompletion) Fail(message string) bool {
	defer contain()
	return failWith(c.ending, c.fail, message)
}

func (c *LinkCompletion) fail(err error) { c.done(false, err) }

// failWith ends a call with a message of the app's.
func failWith(e *ending, fail func(error), message string) bool {
	if message = valid(message); message == "" {
		message = "failed without saying why"
	}
	return e.end(func() { fail(&thrown{text: message}) })
}
