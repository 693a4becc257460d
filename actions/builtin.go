package actions

// builtin is one action of the SDK's own.
type builtin struct {
	name string
	// neutral is a second identifier, without a platform's name in it; "" when there is none.
	neutral string
	// prepare checks the arguments and gives what is to be done with them. Validation and perform both go through it, so that
	// they cannot differ.
	prepare func(*input) effect
	// state says whether the action can do anything on a host.
	state func(*Host) State
}

// effect does what a built-in is there for.
type effect func(*execution)

// builtins are in the order of the specification's table. (Actions module, section 2.)
func builtins() []builtin {
	return []builtin{
		{"service.dismiss", "", dismiss, dismissState},
		{"service.deeplink", "", deeplink, deeplinkState},
		{"service.ios_request_notifications", "service.request_notifications", requestNotifications, requestNotificationsState},
		{"service.ios_redirect_settings", "service.redirect_settings", redirectSettings, redirectSettingsState},
		{"service.ios_smart_reoptin", "service.smart_reoptin", smartReoptin, smartReoptinState},
		{"service.user.tag", "", userTag, userDataState},
		{"service.user.event", "", userEvent, userDataState},
		{groupName, "", group, groupState},
		{"service.ios_tracking_consent", "service.tracking_consent", trackingConsent, trackingConsentState},
		{"service.clipboard", "", clipboard, clipboardState},
		{"service.rating", "", rating, ratingState},
	}
}

// builtinNamed finds a built-in by either of its identifiers, in any letter case.
func builtinNamed(identifier string) *builtin {
	folded := fold(identifier)
	if !isReserved(folded) {
		return nil
	}
	for _, b := range builtins() {
		if b.name == folded || b.neutral == folded {
			return &b
		}
	}
	return nil
}

// runBuiltin checks the arguments and, when nothing is wrong with them, has the effect.
func (r *Registry) runBuiltin(b *builtin, call *Call, result *Result) *Task {
	in := input{registry: r, host: r.host.Load(), arguments: call.Arguments}
	effect := b.prepare(&in)
	if len(in.problems) > 0 {
		*result = refused(StatusInvalidArguments, b.name+": "+in.message())
		return nil
	}
	x := &execution{name: b.name, registry: r, host: in.host, source: call.Source, depth: call.Depth}
	x.attempt(func() { effect(x) })
	return (*Task)(&x.Completion).unlessDone(result)
}

// execution is a built-in under way. Its completion is what the caller waits for.
type execution struct {
	Completion
	name     string
	registry *Registry
	host     *Host
	source   Source
	depth    int
}

// finish ends the execution.
func (x *execution) finish(result Result) { x.settle(result) }

// unsupported ends it because the host lacks a capability.
func (x *execution) unsupported(name CapabilityName) {
	x.finish(refused(StatusUnsupported, x.name+" needs the capability "+quote(string(name))+", which this host does not have"))
}

// attempt calls a host. A panic ends the execution, unless it has ended.
func (x *execution) attempt(f func()) {
	returned := false
	defer func() {
		if !returned {
			x.finish(refused(StatusFailed, x.name+": the host "+textOfPanic(recover())))
		}
	}()
	f()
	returned = true
}

// refuse ends it with the error that a host gave.
func (x *execution) refuse(err error) {
	result := failedBy(err)
	switch status := Status(CodeOf(err)); status {
	case StatusBlocked, StatusUnsupported, StatusCanceled:
		result.Status = status
	}
	result.Message = x.name + ": " + result.Message
	x.finish(result)
}

// ask makes the function with which a host answers. The first answer goes on with next, unless it is an error or the execution
// has ended meanwhile; further answers do nothing.
func ask[T any](x *execution, next func(T)) func(T, error) {
	var once firstOnly
	return func(answer T, err error) {
		if _, ended := x.peek(); ended || !once.first() {
			return
		}
		if err != nil {
			x.refuse(err)
			return
		}
		x.attempt(func() { next(answer) })
	}
}

// done makes the function with which a host reports that it has done the last thing there was to do.
func (x *execution) done(value any) func(error) {
	return func(err error) {
		if err != nil {
			x.refuse(err)
			return
		}
		x.finish(performed(value))
	}
}

// decided makes the function with which a host reports what a prompt has come to.
func (x *execution) decided() func(Permission, error) {
	return ask(x, func(permission Permission) {
		if permission == "" {
			x.finish(performed(nil))
			return
		}
		x.finish(performed(validText(string(permission))))
	})
}

// known ends the execution as failed when the host gave a state that does not exist.
func (x *execution) known(permission Permission) bool {
	switch permission {
	case PermissionNotDetermined, PermissionDenied, PermissionAuthorized, PermissionRestricted:
		return true
	}
	x.finish(refused(StatusFailed, x.name+": the host gave the permission "+quote(string(permission))+
		`, allowed are "not_determined", "denied", "authorized" and "restricted"`))
	return false
}
