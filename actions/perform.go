package actions

import "runtime"

// maxNested bounds how many performs one perform may be inside of. The items of a group are inside of the group.
const maxNested = 16

// Call is one action to run, for surfaces and SDKs; applications use [Registry.Perform].
type Call struct {
	// Identifier names the action, in any letter case.
	Identifier string
	// Arguments are copied, unless Owned is set; nil is no arguments.
	Arguments Arguments
	// Source is what caused it; the zero value is the manual source.
	Source Source
	// Depth counts the performs that this one is inside of: 0 for one from outside, [Invocation.Depth] + 1 for one that a
	// handler asks for. It needs to be right only for handlers that ask after they have returned: performs on the stack of
	// the calling goroutine are counted anyway.
	Depth int
	// Owned says that the arguments and the source's payload hold nothing but the types of [Arguments], valid, and that nobody
	// else has them, as when they were decoded for this call. Then they are not copied.
	Owned bool
	// Quiet keeps the call from the [Observer], who has asked for it.
	Quiet bool

	item int // the position in a group plus 1
}

// Perform runs an action, registered or built in, with the manual source, and waits for its result. It is never held. What
// finishes at once finishes on the caller's goroutine. An unknown identifier is [StatusNotFound]. (Actions module, section 4.)
func (r *Registry) Perform(identifier string, arguments Arguments) Result {
	return r.perform(Call{Identifier: identifier, Arguments: arguments})
}

// PerformAsync is Perform without waiting: what does not block runs before it returns, the rest when the one it waits for
// goes on. Handlers are called on the caller's goroutine here, too.
func (r *Registry) PerformAsync(identifier string, arguments Arguments) *Task {
	return r.performAsync(Call{Identifier: identifier, Arguments: arguments})
}

// Begin is the door for surfaces on a hot path: it never blocks, and it allocates nothing for a registered action that is
// called without arguments and finishes at once. The task is nil when there is a result. When a handler returned a
// *Completion, the task is that completion. Unlike [Registry.Trigger] it is never held.
func (r *Registry) Begin(call Call) (result Result, task *Task) {
	task = r.begin(&call, nil, &result)
	return result, task
}

func (r *Registry) perform(call Call) (result Result) {
	if task := r.begin(&call, nil, &result); task != nil {
		return task.Wait()
	}
	return result
}

func (r *Registry) performAsync(call Call) *Task {
	task := new(Task)
	if later := r.begin(&call, nil, &task.result); later != nil {
		return later
	}
	task.done = true
	return task
}

// begin is where every perform begins, those inside of others included, and nothing else calls handlers and built-ins. It gives
// a task or fills in the result. registration is what the identifier stood for lately, or nil.
//
// It must stay a frame of its own: nesting counts it. Call and result are pointers, and there are few calls on the way to the
// handler, because in a browser both are most of what a perform costs.
//
//go:noinline
func (r *Registry) begin(call *Call, registration *Registration, result *Result) (task *Task) {
	var told func(Result)
	defer func() {
		r.running.Add(-1)
		if task == nil && result.Status == "" { // the handler did not return
			result.refuse(StatusFailed, textOfPanic(recover()))
		}
		tell(told, task, result)
	}()
	if running := int(r.running.Add(1)); running > maxNested+1 {
		call.Depth = max(call.Depth, nesting(running-1))
	}
	if call.Depth > maxNested {
		result.refuse(StatusFailed, nestedTooDeep())
		return nil
	}
	if observer := r.observer.Load(); observer != nil {
		told = observer.begun(call)
	}
	if registration == nil || !registration.active.Load() {
		registration = r.Lookup(call.Identifier)
	}
	var known *builtin
	if registration == nil {
		if known = r.builtinNamed(call.Identifier); known == nil {
			result.refuse(StatusNotFound, r.notFound(call.Identifier))
			return nil
		}
	}
	if call.Source.Kind == "" {
		call.Source.Kind = SourceManual
	}
	if !call.Owned {
		if problem := call.copy(); problem != nil {
			result.refuse(problem.Status, problem.Message)
			return nil
		}
	}
	if known != nil {
		return r.runBuiltin(known, call, result)
	}
	value, err := registration.handler(Invocation{r, registration.identifier, call.Arguments, call.Source, call.Depth, call.item - 1})
	if value == nil && err == nil {
		result.Status = StatusPerformed
		return nil
	}
	return ended(value, err, result)
}

func nestedTooDeep() string {
	return say("performs are nested more than ? deep: actions seem to perform each other in a circle", decimal(maxNested))
}

// ended gives what a handler's answer means: a task or a result.
func ended(value any, err error, result *Result) *Task {
	if err != nil {
		*result = failedBy(err)
		return nil
	}
	switch value := value.(type) {
	case *Completion:
		if value != nil {
			return (*Task)(value).unlessDone(result)
		}
	case *Task:
		if value != nil {
			return value.followed().unlessDone(result)
		}
	default:
		result.Value = value
	}
	result.Status = StatusPerformed
	return nil
}

func (r *Registry) notFound(identifier string) string {
	if isReserved(fold(identifier)) {
		message := say("there is no built-in action $", identifier)
		if near := r.nearestBuiltin(fold(identifier)); near != "" {
			message = say("?, the nearest is $", message, near)
		}
		return message
	}
	return say("no action is registered as $", identifier)
}

// copy makes the call independent of its caller.
func (c *Call) copy() *Problem {
	c.Owned = true
	c.Source.Kind = validText(c.Source.Kind)
	problem := c.Arguments.copy("arguments")
	if problem == nil {
		problem = c.Source.Payload.copy("payload")
	}
	return problem
}

// copy replaces arguments with a copy of them.
func (a *Arguments) copy(what string) *Problem {
	if *a == nil {
		return nil
	}
	copied, problem := copyMap(*a, 0)
	if problem != nil {
		return &Problem{problem.pointer, StatusInvalidArguments, say("the value at $ of the ? ?", problem.pointer, what, problem.message)}
	}
	*a = copied
	return nil
}

// unlessDone gives the task, or fills in its result when there is one already.
func (t *Task) unlessDone(result *Result) *Task {
	found, done := t.Result()
	if !done {
		return t
	}
	*result = found
	return nil
}

// followed makes the task of an action that ends as another one does. It is failed unless the other was performed.
func (t *Task) followed() *Task {
	c := new(Completion)
	c.OnCancel(func() { t.Cancel() })
	t.Then(func(result Result) {
		if err := result.Err(); err != nil {
			c.Fail(err)
		} else {
			c.Succeed(result.Value)
		}
	})
	return (*Task)(c)
}

// nesting counts the performs on this goroutine's stack below the one that asks. An action that performs itself in an endless
// circle would otherwise end the program: Go cannot recover from a stack that is too large. The count costs a walk over the
// stack, so begin asks only when enough performs are running for the bound to be in reach.
//
// TinyGo cannot walk the stack. It has one thread where this package is used with it, so that all that are running are below.
func nesting(running int) int {
	var pcs [256]uintptr
	// The first frame is begin's own, as this function's caller.
	n := runtime.Callers(2, pcs[:])
	if n == 0 {
		return running
	}
	own := uintptr(0)
	count := -1
	for skip := 2; n > 0 && count <= maxNested; n = runtime.Callers(skip, pcs[:]) {
		frames := runtime.CallersFrames(pcs[:n])
		for more := true; more; {
			var frame runtime.Frame
			frame, more = frames.Next()
			if own == 0 {
				own = frame.Entry
			}
			if frame.Entry == own && frame.Func != nil { // nil: a function inlined into begin
				count++
			}
		}
		skip += n
	}
	return count
}
