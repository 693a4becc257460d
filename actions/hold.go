package actions

import "sync"

// maxHeld bounds the triggers that wait for the start.
const maxHeld = 100

// holding keeps triggers until the start.
type holding struct {
	mutex   sync.Mutex
	started bool
	held    []*heldTrigger
}

type heldTrigger struct {
	call Call
	task *Task
}

// Trigger runs an action as [Registry.PerformAsync] does, with a source that the embedding SDK gives. Before [Registry.Start]
// it is held: its arguments are copied at once, its identifier is looked up at the start. At most 100 are held; one more fails.
func (r *Registry) Trigger(identifier string, arguments Arguments, source Source) *Task {
	task, _ := r.TriggerCall(Call{Identifier: identifier, Arguments: arguments, Source: source})
	return task
}

// TriggerCall is Trigger of a call. It reports whether the call waits for the start.
func (r *Registry) TriggerCall(call Call) (task *Task, held bool) {
	if problem := call.copy(); problem != nil {
		task := new(Task)
		task.completion().settle(Result{Status: problem.Status, Message: problem.Message})
		return task, false
	}
	if task := r.holding.hold(call); task != nil {
		r.changed()
		return task, !task.completion().ended()
	}
	return r.performAsync(call), false
}

// hold keeps a call, or gives nil when there is no need to.
func (h *holding) hold(call Call) *Task {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.started {
		return nil
	}
	task := new(Task)
	for i := range h.held {
		if h.held[i].task.completion().ended() { // it was canceled
			h.held = append(h.held[:i], h.held[i+1:]...)
			break
		}
	}
	if len(h.held) == maxHeld {
		task.completion().settle(Result{Status: StatusFailed, Message: say("not held: ? triggers wait for the start already", decimal(maxHeld))})
		return task
	}
	h.held = append(h.held, &heldTrigger{call, task})
	return task
}

// Start ends the holding of triggers: those that are held are begun once, in the order in which they came, on the caller's
// goroutine and without waiting for the asynchronous ones to finish. A second start does nothing.
//
// Register actions before the start, each time the application starts. (Actions module, section 1.)
func (r *Registry) Start() {
	r.holding.mutex.Lock()
	held := r.holding.held
	r.holding.started, r.holding.held = true, nil
	r.holding.mutex.Unlock()
	r.changed()

	for _, trigger := range held {
		if !trigger.task.completion().ended() {
			trigger.task.become(r.Begin(trigger.call))
		}
	}
}

// become ends the task as what begin gave does.
func (t *Task) become(result Result, running *Task) {
	c := t.completion()
	if running == nil {
		c.settle(result)
		return
	}
	c.mutex.Lock()
	canceled := c.done
	c.interrupt = func() { running.Cancel() }
	c.mutex.Unlock()
	if canceled {
		running.Cancel()
	}
	running.Then(func(result Result) { c.settle(result) })
}
