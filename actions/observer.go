package actions

// Observer is told of what goes on in a registry, for tools such as a playground. It must neither block nor perform. Members may be nil.
type Observer struct {
	// Begun is told of a perform that comes from outside of every other, before its action is called: the arguments are read before it
	// returns. It gives a function that is told the result once, or nil.
	Begun func(call Call) (ended func(Result))
	// Changed is told that registrations, capabilities or held triggers may have changed.
	Changed func()
}

// Observe sets the observer; nil removes it. No result depends on it.
func (r *Registry) Observe(observer *Observer) { r.observer.Store(observer) }

// Held counts the triggers that wait for the start.
func (r *Registry) Held() int {
	r.holding.mutex.Lock()
	defer r.holding.mutex.Unlock()
	held := 0
	for _, trigger := range r.holding.held {
		if !trigger.task.completion().ended() {
			held++
		}
	}
	return held
}

// Host gives a copy of the host.
func (r *Registry) Host() Host { return *r.host.Load() }

// begun tells the observer of a call, and gives what is to be told the result.
func (o *Observer) begun(call *Call) (ended func(Result)) {
	if o.Begun == nil || call.Quiet || call.Depth > 0 {
		return nil
	}
	guard(func() { ended = o.Begun(*call) })
	return ended
}

// tell gives a result to what begun gave.
func tell(ended func(Result), task *Task, result *Result) {
	if ended == nil {
		return
	}
	guarded := func(result Result) { guard(func() { ended(result) }) }
	if task == nil {
		guarded(*result)
	} else {
		task.Then(guarded)
	}
}

// changed tells the observer that something is otherwise than before.
func (r *Registry) changed() {
	if observer := r.observer.Load(); observer != nil && observer.Changed != nil {
		guard(observer.Changed)
	}
}
