package actions

// State says whether an action can do anything here and now.
type State string

// The states.
const (
	// StateAvailable: it can.
	StateAvailable State = "available"
	// StateNeedsGesture: it can, from inside a gesture of the user's, such as a click.
	StateNeedsGesture State = "needs_gesture"
	// StateUnsupported: it cannot: nothing is registered under the identifier, or a capability is missing.
	StateUnsupported State = "unsupported"
)

// Capability says whether an action can do anything here and now, so that a button for it may be shown or not. It has no
// effect. It asks the host for the state of a permission where an action depends on it; a host that answers later is taken to
// answer whatever lets the action do something. A registered action and a group are always available.
func (r *Registry) Capability(identifier string) State {
	if b := builtinNamed(identifier); b != nil {
		state := StateUnsupported
		guard(func() { state = b.state(r.host.Load()) })
		return state
	}
	if r.Lookup(identifier) == nil {
		return StateUnsupported
	}
	return StateAvailable
}

// stateOf is the state of an action that needs one capability.
func (h *Host) stateOf(has bool, name CapabilityName) State {
	switch {
	case !has:
		return StateUnsupported
	case h.gestureMissing(name):
		return StateNeedsGesture
	}
	return StateAvailable
}

// best is the state of an action that does either of two things, nobody knows which.
func best(a, b State) State {
	switch {
	case a == StateAvailable || b == StateUnsupported:
		return a
	case b == StateAvailable || a == StateUnsupported:
		return b
	}
	return a
}

// now gives what a host answers at once, or "".
func now(status func(func(Permission, error))) Permission {
	answers := make(chan Permission, 1)
	status(func(permission Permission, err error) {
		if err == nil {
			select {
			case answers <- permission:
			default:
			}
		}
	})
	select {
	case permission := <-answers:
		return permission
	default:
		return ""
	}
}
