package httpd

import (
	"net/http"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Credential says what a route asks of its caller.
type Credential string

const (
	// CompanyKey is a company key in a header and the application key of the path.
	CompanyKey Credential = "company-key"
	// ProjectToken is a token, and mostly a project key, in headers.
	ProjectToken Credential = "project-token"
	// SignedLink is the signature in the link itself.
	SignedLink Credential = "signed-link"
	// Control is the control token of the server, or, where it has none, a peer on the same machine.
	Control Credential = "control"
	// Public asks for nothing.
	Public Credential = "none"
	// PairingCode is the code in the body with which an app joins from another machine.
	PairingCode Credential = "pairing-code"
	// HostToken is what an app was given that has joined.
	HostToken Credential = "host-token"
)

// OfHosts tells whether apps use the route that have joined, or that want to: pages of every origin may send
// them, since the code or the token decides.
func (c Credential) OfHosts() bool { return c == PairingCode || c == HostToken }

// Handler answers one route. A refusal is an *[exports.Refusal]; any other
// error is unexpected: it is logged and answered as SERVER_ERROR.
type Handler func(*Request) (Response, error)

// Route is one row of the table that the router, the tests and the API document are made from.
type Route struct {
	Name       string
	Interface  exports.Interface // zero for routes that the export API does not have
	Method     string            // GET routes answer HEAD as well
	Path       string            // placeholders in braces, one whole segment each
	Credential Credential
	// Exports are the kinds a creation route can make: several when the payload chooses. Empty for all other routes.
	Exports []schemas.Export
	// Stage is the group of requests that scenarios know it as; empty for routes
	// on which scenarios mean nothing: the server's own, but for file links.
	Stage exports.Stage
	// Recorded routes are those of a recording that no schema file lists.
	Recorded bool
	// Handle answers the route.
	Handle Handler
	Description
	Input
	Output

	matching
}

// Group is what routes have in common for a reader of the API document. A client
// that is generated from it has a class or a module of this name.
type Group struct {
	Name, Description string
}

// Of puts routes into the group.
func (g Group) Of(routes ...*Route) []*Route {
	for _, route := range routes {
		route.Group = g
	}
	return routes
}

// PagesGroup is for what the server shows of itself.
func PagesGroup() Group { return Group{"Server", "The pages of the server, and its health."} }

// Description is what the API document says of a route.
type Description struct {
	Group     Group // of the server's own routes; others belong to their interface
	Summary   string
	Extension bool // not part of the export API
	// Next are the requests that may follow a success.
	Next []Next
}

// Next is a request that may follow the success of another, and takes values from its answer.
type Next struct {
	Name, Route, Description string
	Parameters               []NextParameter
}

// NextParameter is a parameter of the next request, and the runtime expression of OpenAPI for its value.
type NextParameter struct {
	Name, Value string
}

// Input is what a route takes, beyond its path.
type Input struct {
	// SlashToo tells that the path is answered with a slash at its end as well: it lists what is below it.
	SlashToo bool
	// Reserve tells that the route also answers on the connections that are kept
	// in reserve when there are as many as the server may have.
	Reserve bool
	// Query lists the query parameters.
	Query []schemas.Parameter
	// ListedQueryOnly tells that other query parameters are refused.
	ListedQueryOnly bool
	// Request names the schema of the body, of routes that are no creations; empty where there is none, and for creation routes: see
	// Exports.
	Request string
	// Named is the path of the member of the body that names an export; nil where the query or the path does.
	Named []string
	// RequestMedia are the media types of a body that is not JSON of a schema.
	RequestMedia []string
	// BodyOptional tells that an empty body, or none, is a body like any other.
	BodyOptional bool
	// Sample is a body that the route takes, where the examples of its schema make none. It is JSON, or of the first of RequestMedia.
	Sample string
}

// Output is what a route answers.
type Output struct {
	Status int // of success
	// Response and Error name the schemas of the answers; empty for answers that are not JSON.
	Response, Error string
	// ResponseMedia are the media types of an answer that is not JSON of a schema.
	ResponseMedia []string
	// Refusals are names of errors that the route has beyond those that follow from its credential, its parameters and its body.
	Refusals []string
	// InterfaceOf is the interface in whose shape a route of the server refuses
	// that serves several, by the variables of its path; nil for all others.
	InterfaceOf func(variables map[string]string) exports.Interface
	// Stream tells that the answer goes on until the client leaves, and is taken up again behind the event that a client saw last.
	Stream bool
	// Writes tells of a GET route that its answer takes a write to the state.
	Writes bool
	// Validators tells that the route answers with a file that has an entity tag and ranges.
	Validators bool
}

// matching is what requests are matched with and counted by.
type matching struct {
	metrics      metrics.Route
	placeholders []string           // of the path, in order
	segments     []string           // of the path
	own          *exports.Interface // in whose shape the server's own routes refuse
}

// MockRoutes fills in what the routes have in common that are no part of the export API.
func MockRoutes(routes []*Route) []*Route {
	for _, route := range routes {
		route.Extension = true
		if route.Status == 0 {
			route.Status = http.StatusOK
		}
	}
	return routes
}

// InterfaceFor is the interface in whose shape the route refuses: those without one refuse as the legacy interface does.
func (r *Route) InterfaceFor(variables map[string]string) exports.Interface {
	switch {
	case r.InterfaceOf != nil:
		return r.InterfaceOf(variables)
	case r.Interface.Name != "":
		return r.Interface
	}
	return *r.own
}

// Creates tells whether the route makes an export.
func (r *Route) Creates() bool { return len(r.Exports) > 0 }

// ReadsScenario tells whether scenarios mean something here: on the export API and on file links, never on other routes.
func (r *Route) ReadsScenario() bool { return r.Stage != "" }

// Journaled tells whether requests go into the journal.
func (r *Route) Journaled() bool { return r.ReadsScenario() || r.Recorded }

// Placeholders lists the names in braces of the path, in order.
func (r *Route) Placeholders() []string { return r.placeholders }

// prepare works out what requests are matched with.
func (r *Route) prepare(own *exports.Interface) {
	r.own = own
	if r.Credential == Control && r.Error == "" {
		r.Error = own.Errors.Schema
	}
	r.placeholders, r.segments = exports.Placeholders(r.Path), strings.Split(r.Path, "/")
	r.metrics.Name = r.Name
}
