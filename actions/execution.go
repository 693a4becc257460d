package actions

import "sync/atomic"

// execution is a built-in under way. Its completion is what the caller waits for.
type execution struct {
	Completion
	name      string
	registry  *Registry
	host      *Host
	arguments Arguments
	source    Source
	depth     int
}

// text gives an argument that is a string, or "".
func (x *execution) text(name string) string {
	text, _ := x.arguments[name].(string)
	return text
}

func (x *execution) performed(value any) { x.settle(Result{Status: StatusPerformed, Value: value}) }

func (x *execution) end(status Status, message string) {
	x.settle(Result{Status: status, Message: message})
}

// has reports whether the host has a capability. If not, it ends the execution.
func (x *execution) has(name CapabilityName) bool {
	if x.host.has(name) {
		return true
	}
	x.end(StatusUnsupported, say("? needs the capability $, which this host does not have", x.name, string(name)))
	return false
}

// attempt calls a host. A panic ends the execution, unless it has ended.
func (x *execution) attempt(f func()) {
	returned := false
	defer func() {
		if !returned {
			x.end(StatusFailed, say("?: the host ?", x.name, textOfPanic(recover())))
		}
	}()
	f()
	returned = true
}

// refuse ends the execution with the error that a host gave.
func (x *execution) refuse(err error) {
	result := failedBy(err)
	switch status := Status(CodeOf(err)); status {
	case StatusBlocked, StatusUnsupported, StatusCanceled:
		result.Status = status
	}
	result.Message = say("?: ?", x.name, result.Message)
	x.settle(result)
}

// done makes the function with which a host reports that it has done the last thing there was to do.
func (x *execution) done(value any) func(error) {
	return func(err error) {
		if err != nil {
			x.refuse(err)
		} else {
			x.performed(value)
		}
	}
}

// decided makes the function with which a host reports what a prompt has come to.
func (x *execution) decided() func(Permission, error) {
	return func(permission Permission, err error) {
		if err != nil && CodeOf(err) != codeNotShown {
			x.refuse(err)
		} else if permission == "" {
			x.performed(nil)
		} else {
			x.performed(validText(string(permission)))
		}
	}
}

// answer gives a host's answer to a question: an error, or what comes next.
type answer = func(err error, next func())

// ask asks a host something that the action goes on after. The first answer counts, further ones do nothing, nor does one after
// the execution has ended. One that comes while the host is being asked goes on when the host has returned.
func (x *execution) ask(question func(answer)) {
	var answered, met atomic.Bool
	var then func()
	question(func(err error, next func()) {
		if x.ended() || answered.Swap(true) {
			return
		}
		if err != nil {
			x.refuse(err)
		} else if then = next; met.Swap(true) { // the host returned long ago
			x.registry.goOn(Step{func() { x.attempt(next) }, x.abandon})
		}
	})
	if met.Swap(true) {
		x.attempt(then)
	}
}

// abandon ends the execution because it does not go on.
func (x *execution) abandon(err error) { x.settle(failedBy(err)) }

// askStatus asks a host for the state of a permission; next is called with one that exists.
func (x *execution) askStatus(question func(func(Permission, error)), next func(Permission)) {
	x.ask(func(answer answer) {
		question(func(permission Permission, err error) {
			answer(err, func() {
				switch permission {
				case PermissionNotDetermined, PermissionDenied, PermissionAuthorized, PermissionRestricted:
					next(permission)
					return
				}
				x.end(StatusFailed, say(`?: the host gave the permission $, allowed are "not_determined", "denied", "authorized" and "restricted"`,
					x.name, string(permission)))
			})
		})
	})
}
