package exportapi

import (
	"fmt"
	"net/http"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/delivery"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/links"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Routes are the routes of the export API: creation routes from the output
// schemas, lookup routes from the record schemas.
func (a *API) Routes() ([]*httpd.Route, error) {
	routes, err := a.creationRoutes()
	if err != nil {
		return nil, err
	}
	lookups, err := a.lookupRoutes()
	if err != nil {
		return nil, err
	}
	routes = append(routes, lookups...)
	for _, route := range routes {
		switch route.Interface {
		case exports.InterfaceLegacy:
			route.Credential = httpd.CompanyKey
		case exports.InterfaceProfiles:
			route.Credential = httpd.ProjectToken
		default:
			return nil, fmt.Errorf("route %s belongs to the interface %q; allowed: legacy, profiles", route.Name, route.Interface)
		}
	}
	return routes, nil
}

// FileRoute is the route of signed links, an addition of the mock server.
func (a *API) FileRoute() *httpd.Route {
	return httpd.MockRoutes([]*httpd.Route{{Name: "file", Method: http.MethodGet, Path: delivery.Path + "{name}", Credential: httpd.SignedLink, Handle: a.endpoint(a.file), Stage: exports.StageFile,
		Description: httpd.Description{Summary: "Sends a generated file, behind a signed link."},
		Input: httpd.Input{Query: []schemas.Parameter{
			{Name: links.ParameterExpires, Required: true, Description: "When the link ends, as an RFC 3339 date-time."},
			{Name: links.ParameterNonce, Required: true, Description: "What makes every link another one."},
			{Name: links.ParameterSignature, Required: true, Description: "The signature of the file, the end and the nonce."},
		}},
		Output: httpd.Output{Validators: true, Refusals: []string{exports.LinkInvalid, exports.LinkExpired, exports.FileExpired, exports.AuthorizationForwarded}}}})[0]
}

func (a *API) creationRoutes() ([]*httpd.Route, error) {
	var routes []*httpd.Route
	byAddress := map[string]*httpd.Route{}
	for _, export := range a.Library.Exports() {
		address := export.Method + " " + export.Path
		if route, ok := byAddress[address]; ok {
			if route.Interface != export.Interface {
				return nil, fmt.Errorf("exports %s and %s share %s but not their interface", route.Name, export.Kind, address)
			}
			route.Name = export.Interface + ".create"
			route.Exports = append(route.Exports, export)
			continue
		}
		route := &httpd.Route{Name: export.Kind, Interface: export.Interface, Method: export.Method, Path: export.Path, Stage: exports.StageCreate, Exports: []schemas.Export{export}, Handle: a.endpoint(a.create),
			Description: httpd.Description{Summary: export.Summary},
			Output:      httpd.Output{Status: http.StatusAccepted, Response: export.Response, Error: export.Error}}
		byAddress[address] = route
		routes = append(routes, route)
	}
	return routes, nil
}

func (a *API) lookupRoutes() ([]*httpd.Route, error) {
	type lookup struct {
		stage  exports.Stage
		handle handler
	}
	lookups := map[string]lookup{
		"legacy.status":     {exports.StageStatus, a.legacyStatus},
		"profiles.view":     {exports.StageStatus, a.profilesView},
		"profiles.list":     {exports.StageList, a.profilesList},
		"profiles.download": {exports.StageDownload, a.profilesDownload},
	}
	var routes []*httpd.Route
	for _, endpoint := range a.Library.Endpoints() {
		known, ok := lookups[endpoint.Name]
		if !ok {
			return nil, fmt.Errorf("schemas declare the endpoint %s, which the server does not know", endpoint.Name)
		}
		if known.stage == exports.StageDownload {
			a.downloadPath = endpoint.Path
		}
		routes = append(routes, &httpd.Route{Name: endpoint.Name, Interface: endpoint.Interface, Method: endpoint.Method, Path: endpoint.Path, Stage: known.stage, Handle: a.endpoint(known.handle),
			Description: httpd.Description{Extension: endpoint.Extension, Summary: endpoint.Summary},
			Input:       httpd.Input{Query: endpoint.Query},
			Output:      httpd.Output{Status: endpoint.Status, Response: endpoint.Response, Error: endpoint.Error}})
	}
	return routes, nil
}
