package exports

import (
	"fmt"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Names of errors, as the error schemas list them. Their codes and HTTP statuses stand in those files only (export API section 7).
const (
	AuthenticationInvalid  = "AUTHENTICATION_INVALID"
	APIMisuse              = "API_MISUSE"
	RouteNotFound          = "ROUTE_NOT_FOUND"
	MissingParameter       = "MISSING_PARAMETER"
	MalformedParameter     = "MALFORMED_PARAMETER"
	MalformedJSONBody      = "MALFORMED_JSON_BODY"
	Conflict               = "CONFLICT"
	TooManyRequests        = "TOO_MANY_REQUESTS"
	LinkInvalid            = "LINK_INVALID"
	LinkExpired            = "LINK_EXPIRED"
	FileExpired            = "FILE_EXPIRED"
	AuthorizationForwarded = "AUTHORIZATION_FORWARDED"
	PreconditionFailed     = "PRECONDITION_FAILED"
	RangeNotSatisfiable    = "RANGE_NOT_SATISFIABLE"
	ServerError            = "SERVER_ERROR"
	MaintenanceError       = "MAINTENANCE_ERROR"
)

// RefusalNames lists the names of errors that the server uses.
func RefusalNames() []string {
	return []string{
		AuthenticationInvalid, APIMisuse, RouteNotFound, MissingParameter, MalformedParameter, MalformedJSONBody,
		Conflict, TooManyRequests, LinkInvalid, LinkExpired, FileExpired,
		AuthorizationForwarded, PreconditionFailed, RangeNotSatisfiable, ServerError, MaintenanceError,
	}
}

// Refusal is why a request is not served, in words that a client may read. It
// is an error; what is not one is unexpected, and hidden from clients.
type Refusal struct {
	// Name is one of the names of the error schemas.
	Name string
	// Message says what was found, what is allowed and what to do.
	Message string
	// Problems lists the single faults of a payload, sorted.
	Problems []schemas.Problem
	// RetryAfter says how long to wait before the same request may be served; zero says nothing.
	RetryAfter time.Duration
	// Retry, unless it is zero, is the header Retry-After instead.
	Retry RetryAfter
	// Forced is a refusal that a scenario asked for: it says nothing about the request.
	Forced bool
}

// Error returns the message.
func (r *Refusal) Error() string { return r.Message }

// Refuse makes a refusal without single faults.
func Refuse(name, format string, arguments ...any) *Refusal {
	return &Refusal{Name: name, Message: fmt.Sprintf(format, arguments...)}
}

// RefuseForced makes a refusal that a scenario asked for.
func RefuseForced(name, format string, arguments ...any) *Refusal {
	refusal := Refuse(name, format, arguments...)
	refusal.Forced = true
	return refusal
}

// outagePatience is when a client may ask again after an outage: soon, because nobody knows when it ends.
const outagePatience = 2 * time.Second

// RefuseOutage makes a MAINTENANCE_ERROR: the server cannot do its work at present, and the request may be sent again.
func RefuseOutage(format string, arguments ...any) *Refusal {
	refusal := Refuse(MaintenanceError, format, arguments...)
	refusal.RetryAfter = outagePatience
	return refusal
}

// RefuseMember makes a MALFORMED_PARAMETER about one member of a payload, for the rules that a JSON Schema cannot express.
func RefuseMember(pointer, keyword, format string, arguments ...any) *Refusal {
	refusal := Refuse(MalformedParameter, format, arguments...)
	refusal.Problems = []schemas.Problem{{Pointer: pointer, Keyword: keyword, Message: refusal.Message}}
	return refusal
}
