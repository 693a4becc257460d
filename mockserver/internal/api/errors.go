package api

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Names of errors, as the error schemas list them. Their codes and HTTP
// statuses stand in those files only (export API section 7).
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

// Error is a refusal that a client may read.
type Error struct {
	// Name is one of the names of the error schemas.
	Name string
	// Message says what was found, what is allowed and what to do.
	Message string
	// Problems lists the single faults of a payload, sorted.
	Problems []schemas.Problem
	// RetryAfter is sent as a header in whole seconds, rounded up; zero
	// sends none.
	RetryAfter time.Duration

	headers map[string]string
	forced  bool // by a scenario: it says nothing about the request
}

func (e *Error) Error() string { return e.Message }

// refuse makes an Error without single faults.
func refuse(name, format string, arguments ...any) *Error {
	return &Error{Name: name, Message: fmt.Sprintf(format, arguments...)}
}

// asForced marks a refusal that a scenario asked for.
func (e *Error) asForced() *Error {
	e.forced = true
	return e
}

// refuseMember makes a MALFORMED_PARAMETER about one member of the payload,
// for the rules that a JSON Schema cannot say.
func refuseMember(pointer, keyword, format string, arguments ...any) *Error {
	refusal := refuse(MalformedParameter, format, arguments...)
	refusal.Problems = []schemas.Problem{{Pointer: pointer, Keyword: keyword, Message: refusal.Message}}
	return refusal
}

// with adds a response header to a refusal.
func (e *Error) with(header, value string) *Error {
	if e.headers == nil {
		e.headers = map[string]string{}
	}
	e.headers[header] = value
	return e
}

// errorTable holds what one error schema says about each name.
type errorTable map[string]schemas.ErrorBranch

// newErrorTable reads the table of one error schema and checks that every name
// this package uses is there.
func newErrorTable(library *schemas.Library, schema string) (errorTable, error) {
	table := errorTable{}
	for _, branch := range library.ErrorBranches(schema) {
		table[branch.Name] = branch
	}
	for _, name := range []string{
		AuthenticationInvalid, APIMisuse, RouteNotFound, MissingParameter, MalformedParameter, MalformedJSONBody,
		Conflict, TooManyRequests, LinkInvalid, LinkExpired, FileExpired,
		AuthorizationForwarded, PreconditionFailed, RangeNotSatisfiable, ServerError, MaintenanceError,
	} {
		if _, ok := table[name]; !ok {
			return nil, fmt.Errorf("schema %s lacks the error %s, which the server needs", schema, name)
		}
	}
	return table, nil
}

// names lists the errors of the table, sorted, for messages.
func (t errorTable) names() string {
	names := make([]string, 0, len(t))
	for name := range t {
		names = append(names, name)
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}
