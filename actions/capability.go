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
	b := r.builtinNamed(identifier)
	if b == nil {
		if r.Lookup(identifier) == nil {
			return StateUnsupported
		}
		return StateAvailable
	}
	state := StateUnsupported
	guard(func() { state = r.host.Load().stateOf(b) })
	return state
}

func (h *Host) stateOf(b *builtin) State {
	needs := b.needs()
	if b.depends != nil {
		needs = b.depends(h)
	}
	switch {
	case h.older(b.since) || needs != "" && !h.has(needs):
		return StateUnsupported
	case needs != "" && h.gestureMissing(needs):
		return StateNeedsGesture
	}
	return StateAvailable
}

// statusNow gives the permission that a host tells at once, or "".
func statusNow(ask func(func(Permission, error))) Permission {
	answers := make(chan Permission, 1)
	ask(func(permission Permission, err error) {
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
