package api

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Interfaces of the export API, as the schemas name them. The server's own
// routes belong to neither; their errors have the legacy shape.
const (
	interfaceLegacy   = "legacy"
	interfaceProfiles = "profiles"
	interfaceOwn      = "mock"
)

// Credential says what a route asks of its caller.
type Credential string

const (
	// CompanyKey is the header X-Authorization and the application key of the path.
	CompanyKey Credential = "company-key"
	// ProjectToken is a bearer token and the header X-Service-Project.
	ProjectToken Credential = "project-token"
	// SignedLink is the signature in the link itself.
	SignedLink Credential = "signed-link"
	// Control is the control token of the server, or, where it has none, a peer
	// on the same machine.
	Control Credential = "control"
	// Nobody asks for nothing.
	Nobody Credential = "none"
)

// Route is one row of the table that the router, the tests and the API
// document are made from.
type Route struct {
	Name       string
	Interface  string // legacy, profiles, or mock for the server's own
	Method     string // GET routes answer HEAD as well
	Path       string // placeholders in braces, one whole segment each
	Credential Credential
	Extension  bool // not part of the export API
	Status     int  // of success
	Summary    string
	// Exports are the kinds a creation route can make: several when the
	// payload chooses. Empty for all other routes.
	Exports []schemas.Export
	// Stage is the group of requests that scenarios know it as; empty for routes
	// on which scenarios mean nothing: the server's own, but for file links.
	Stage exports.Stage
	// Query lists the query parameters of a lookup.
	Query []schemas.Parameter
	// Request names the schema of the body of the server's own routes; empty
	// where there is none, and for creation routes: see Exports.
	Request string
	// Response and Error name the schemas of the answers; empty for answers that
	// are no JSON.
	Response, Error string
	// RequestMedia and ResponseMedia are the media types of bodies that are no
	// JSON of a schema.
	RequestMedia, ResponseMedia []string
	// BodyOptional tells that an empty body, or none, is a body like any other.
	BodyOptional bool
	// Sample is a body that the route takes, where the examples of its schema
	// make none. It is JSON, or of the first of RequestMedia.
	Sample string
	// Refusals are names of errors that the route has beyond those that follow
	// from its credential, its parameters and its body.
	Refusals []string
	// Validators tells that the route answers with a file that has an entity tag
	// and ranges.
	Validators bool

	handle       handler
	metrics      metrics.Route
	placeholders []string // of Path, in order
	segments     []string // of Path
}

// creates tells whether the route makes an export.
func (r *Route) creates() bool { return len(r.Exports) > 0 }

// readsScenario tells whether scenarios mean something here: on the export API
// and on file links, never on the server's own routes.
func (r *Route) readsScenario() bool { return r.Stage != "" }

// buildRoutes makes the table: creation routes from the output schemas, lookup
// routes from the record schemas, then the server's own.
func (s *Service) buildRoutes() ([]*Route, error) {
	var routes []*Route
	byAddress := map[string]*Route{}
	for _, export := range s.library.Exports() {
		address := export.Method + " " + export.Path
		if route, ok := byAddress[address]; ok {
			if route.Interface != export.Interface {
				return nil, fmt.Errorf("exports %s and %s share %s but not their interface", route.Name, export.Kind, address)
			}
			route.Name = export.Interface + ".create"
			route.Exports = append(route.Exports, export)
			continue
		}
		route := &Route{
			Name: export.Kind, Interface: export.Interface, Method: export.Method, Path: export.Path,
			Stage: exports.StageCreate, Status: http.StatusAccepted, Summary: export.Summary, Exports: []schemas.Export{export},
			Response: export.Response, Error: export.Error, handle: s.create,
		}
		byAddress[address] = route
		routes = append(routes, route)
	}
	type lookup struct {
		stage  exports.Stage
		handle handler
	}
	lookups := map[string]lookup{
		"legacy.status":     {exports.StageStatus, s.legacyStatus},
		"profiles.view":     {exports.StageStatus, s.profilesView},
		"profiles.list":     {exports.StageList, s.profilesList},
		"profiles.download": {exports.StageDownload, s.profilesDownload},
	}
	for _, endpoint := range s.library.Endpoints() {
		known, ok := lookups[endpoint.Name]
		if !ok {
			return nil, fmt.Errorf("schemas declare the endpoint %s, which the server does not know", endpoint.Name)
		}
		routes = append(routes, &Route{
			Name: endpoint.Name, Interface: endpoint.Interface, Method: endpoint.Method, Path: endpoint.Path,
			Extension: endpoint.Extension, Status: endpoint.Status, Summary: endpoint.Summary,
			Query: endpoint.Query, Response: endpoint.Response, Error: endpoint.Error, Stage: known.stage, handle: known.handle,
		})
	}
	for _, route := range routes {
		switch route.Interface {
		case interfaceLegacy:
			route.Credential = CompanyKey
		case interfaceProfiles:
			route.Credential = ProjectToken
		default:
			return nil, fmt.Errorf("route %s belongs to the interface %q; allowed: legacy, profiles", route.Name, route.Interface)
		}
	}
	var err error
	if s.controlParameters, err = queryOf(s.library, controlQuery, "key", "from", "limit", "schema", "max_faults"); err != nil {
		return nil, err
	}
	routes = append(routes, s.ownRoutes()...)
	watching, err := s.journalRoutes()
	if err != nil {
		return nil, err
	}
	routes = append(append(routes, watching...), append(s.watchRoutes(), s.stateRoutes()...)...)
	if s.document != nil {
		routes = append(routes, s.documentRoutes()...)
	}
	for _, route := range routes {
		route.placeholders, route.segments = Placeholders(route.Path), strings.Split(route.Path, "/")
		route.metrics.Name = route.Name
	}
	return routes, nil
}

// Placeholders lists the names in braces of a path, in order.
func Placeholders(path string) []string {
	var names []string
	for _, segment := range strings.Split(path, "/") {
		if strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}") {
			names = append(names, segment[1:len(segment)-1])
		}
	}
	return names
}
