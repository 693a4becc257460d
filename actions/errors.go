package actions

// Code is the stable, machine-readable part of an [Error].
type Code string

// The codes of registration. An error made from a [Result] has the text of its status as code.
const (
	// CodeInvalidIdentifier: the identifier is blank.
	CodeInvalidIdentifier Code = "invalid_identifier"
	// CodeReservedIdentifier: the identifier begins with "service.", in whatever letter case.
	CodeReservedIdentifier Code = "reserved_identifier"
	// CodeInvalidHandler: there is no handler to register.
	CodeInvalidHandler Code = "invalid_handler"
)

// Error is the error type of this package. [errors.As] finds it through wrapping, and [CodeOf] reads its code.
type Error struct {
	// Code is stable; programs may depend on it.
	Code Code
	// Message is one sentence for a person. It names what is wrong, what was found and what is allowed. Programs must not depend on it.
	Message string
	// Cause is the error that led to this one, or nil: for a failed action what its handler returned.
	Cause error
}

// Error gives "code: message".
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// CodeOf gives the code of the first [Error] in err's chain, and "" when there is none.
func CodeOf(err error) Code {
	for err != nil { // errors.As would be twenty kilobytes of a web bundle
		switch e := err.(type) {
		case *Error:
			if e == nil {
				return ""
			}
			return e.Code
		case interface{ Unwrap() []error }:
			for _, joined := range e.Unwrap() {
				if code := CodeOf(joined); code != "" {
					return code
				}
			}
			return ""
		case interface{ Unwrap() error }:
			err = e.Unwrap()
		default:
			return ""
		}
	}
	return ""
}

// Blocked makes the error with which a host capability says that the platform refused: there was no user gesture, or a
// permission is missing. The action's status becomes [StatusBlocked].
func Blocked(message string) error { return &Error{Code: Code(StatusBlocked), Message: message} }

// Unsupported makes the error with which a host capability says that it cannot do this here, for example on an older version
// of the platform. The action's status becomes [StatusUnsupported].
func Unsupported(message string) error {
	return &Error{Code: Code(StatusUnsupported), Message: message}
}

// textOf reads an error's text without trusting the error: Error may panic, and its text may not be valid UTF-8.
func textOf(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = "an error whose text cannot be read"
		}
	}()
	if text = validText(err.Error()); text == "" {
		text = "an error without a text"
	}
	return text
}

// textOfPanic describes what a handler or a host panicked with.
func textOfPanic(value any) string {
	switch v := value.(type) {
	case nil:
		return "ended its goroutine"
	case error:
		return "panicked: " + textOf(v)
	case string:
		return "panicked: " + validText(v)
	}
	return "panicked with a value that is neither an error nor a text"
}

// NotShown makes the error that goes with a permission when the system decided about a prompt without showing it. The action
// ends with the permission, and smart re-opt-in opens the settings instead.
func NotShown() error { return &Error{Code: codeNotShown, Message: "the system showed no prompt"} }

// codeNotShown never leaves this package: it is no status and no result has it.
const codeNotShown Code = "not_shown"
