package actions

// Status says how a perform ended.
type Status string

// The statuses. Every perform ends with exactly one of them.
const (
	// StatusPerformed: the action did what it is there for.
	StatusPerformed Status = "performed"
	// StatusNotFound: nothing is registered under the identifier, and it is no built-in.
	StatusNotFound Status = "not_found"
	// StatusInvalidArguments: the arguments were refused; nothing was done.
	StatusInvalidArguments Status = "invalid_arguments"
	// StatusUnsupported: this host, or this version of its platform, cannot do it.
	StatusUnsupported Status = "unsupported"
	// StatusBlocked: the platform refused: no user gesture, no permission.
	StatusBlocked Status = "blocked"
	// StatusFailed: the handler or the host returned an error or panicked, or a bound of this package was reached.
	StatusFailed Status = "failed"
	// StatusCanceled: [Task.Cancel] came first.
	StatusCanceled Status = "canceled"
	// StatusPartial: a group ran, and not every item of it was performed.
	StatusPartial Status = "partial"
)

// Result is what a perform yields.
type Result struct {
	// Status says how it ended.
	Status Status
	// Message is one sentence for a person; "" when the action was performed. It names the argument that is at fault, what was
	// found and what is allowed.
	Message string
	// Value is what the handler returned, as it is. The built-ins that ask for a permission give the resulting [Permission]
	// as a string when the host knows it; service.rating gives "requested".
	Value any
	// Items holds one result per item of a group, in order; nil for anything but a group that ran.
	Items []Result
	// Cause is the error that the handler or the host gave, or nil.
	Cause error
}

// Performed reports whether the status is [StatusPerformed].
func (r Result) Performed() bool { return r.Status == StatusPerformed }

// Err is nil when the action was performed. Otherwise it is an [Error] with the status as code, the message, and the cause.
func (r Result) Err() error {
	if r.Performed() {
		return nil
	}
	return &Error{Code: Code(r.Status), Message: r.Message, Cause: r.Cause}
}

func (r *Result) refuse(status Status, message string) { r.Status, r.Message = status, message }

// failedBy is the result of an error that a handler gave: failed, whatever the error is.
func failedBy(err error) Result {
	text := "failed without saying why"
	if e, ok := err.(*Error); ok && e != nil && e.Message != "" {
		text = validText(e.Message)
	} else if err != nil {
		text = textOf(err)
	}
	return Result{Status: StatusFailed, Message: text, Cause: err}
}
