package exportapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/links"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Routes are the routes of the export API: creation routes from the output schemas, others from the schemas of their answers.
func (a *API) Routes() ([]*httpd.Route, error) {
	routes, err := a.creationRoutes()
	if err != nil {
		return nil, err
	}
	endpoints := a.endpointRoutes()
	for _, creation := range routes {
		if lookup := a.lookups[creation.Interface.Name]; lookup != nil && creation.Response != "" {
			creation.Next = append(creation.Next, lookedUp(lookup, lookup.Interface.Identifiers.Created))
		}
	}
	routes = append(routes, endpoints...)
	for _, route := range routes {
		route.Credential = httpd.ProjectToken
		if route.Interface.KeyVariable != "" {
			route.Credential = httpd.CompanyKey
		}
	}
	return routes, a.readAnswers(routes)
}

// FileRoute is the route of signed links, an addition of the mock server.
func (a *API) FileRoute() *httpd.Route {
	group := httpd.Group{Name: "Files", Description: "The files of exports, behind signed links."}
	return httpd.MockRoutes(group.Of(&httpd.Route{Name: "file", Method: http.MethodGet, Path: files.Path + "{name}",
		Credential: httpd.SignedLink, Handle: a.endpoint(a.file), Stage: exports.StageFile,
		Description: httpd.Description{Summary: "Sends a generated file, behind a signed link."},
		Input: httpd.Input{Query: []schemas.Parameter{
			{Name: links.ParameterExpires, Required: true, Description: "When the link ends, as an RFC 3339 date-time.",
				Source: json.RawMessage(`{"type":"string","examples":["2026-01-31T08:50:00Z"]}`)},
			{Name: links.ParameterNonce, Required: true, Description: "What makes every link another one.",
				Source: json.RawMessage(`{"type":"string","examples":["327gd3rp1wybu"]}`)},
			{Name: links.ParameterSignature, Required: true, Description: "The signature of the file, the end and the nonce.",
				Source: json.RawMessage(`{"type":"string","examples":["Bok_mXgGs_d1c3vqw4tzJgKr4ycymiAVgAMxu_LZi3o"]}`)},
		}},
		Output: httpd.Output{Validators: true, InterfaceOf: a.interfaceOfFile, Refusals: []string{exports.LinkInvalid, exports.LinkExpired,
			exports.FileExpired, exports.AuthorizationForwarded}}}))[0]
}

// interfaceOfFile is the interface whose export a link names, good or not.
func (a *API) interfaceOfFile(variables map[string]string) exports.Interface {
	its, _, _, _ := a.parseFileName(context.Background(), variables["name"])
	return its
}

// parseFileName reads the name of a file in a link. Where interfaces share the
// shape of their names, the record of the export tells them apart.
func (a *API) parseFileName(ctx context.Context, name string) (its exports.Interface, export string, part int, ok bool) {
	return a.dialect.ParseFileName(name, func(id string) string {
		record, err := a.Store.Get(ctx, id)
		if err != nil {
			return ""
		}
		return record.Interface
	})
}

func (a *API) creationRoutes() ([]*httpd.Route, error) {
	var routes []*httpd.Route
	byAddress := map[string]*httpd.Route{}
	for _, export := range a.Library.Exports() {
		address := export.Method + " " + export.Path
		if route, ok := byAddress[address]; ok {
			if route.Interface.Name != export.Interface {
				return nil, fmt.Errorf("exports %s and %s share %s but not their interface", route.Name, export.Kind, address)
			}
			route.Name = export.Interface + ".create"
			route.Exports = append(route.Exports, export)
			continue
		}
		iface, _ := a.dialect.Named(export.Interface)
		route := &httpd.Route{Name: export.Kind, Interface: iface, Method: export.Method, Path: export.Path, Stage: exports.StageCreate,
			Exports: []schemas.Export{export}, Handle: a.endpoint(a.create),
			Description: httpd.Description{Summary: export.Summary},
			Output:      httpd.Output{Status: export.Status, Response: export.Response, Error: export.Error}}
		byAddress[address] = route
		routes = append(routes, route)
	}
	return routes, nil
}

// endpointRoutes are those of the endpoints that make no exports, by their roles.
func (a *API) endpointRoutes() (routes []*httpd.Route) {
	roles := map[string]struct {
		stage  exports.Stage
		handle handler
	}{
		schemas.RoleStatus: {exports.StageStatus, a.status}, schemas.RoleList: {exports.StageList, a.list},
		schemas.RoleDownload: {exports.StageDownload, a.download},
	}
	for _, endpoint := range a.Library.Endpoints() {
		its, _ := a.dialect.Named(endpoint.Interface)
		role := roles[endpoint.Role]
		route := &httpd.Route{Name: endpoint.Name, Interface: its, Method: endpoint.Method, Path: endpoint.Path, Stage: role.stage,
			Handle:      a.endpoint(role.handle),
			Description: httpd.Description{Extension: endpoint.Extension, Summary: endpoint.Summary},
			Input:       httpd.Input{Query: endpoint.Query, Request: endpoint.Request, Named: endpoint.Named},
			Output:      httpd.Output{Status: endpoint.Status, Response: endpoint.Response, Error: endpoint.Error}}
		switch role.stage {
		case exports.StageStatus:
			a.lookups[its.Name] = route
		case exports.StageDownload:
			a.downloads[its.Name] = route
		}
		routes = append(routes, route)
	}
	for _, route := range routes {
		switch route.Stage {
		case exports.StageStatus:
			route.Next = a.afterLookup(route)
		case exports.StageList:
			route.Next = a.afterList(route)
		case exports.StageDownload:
			route.Next = []httpd.Next{{Name: "file", Route: "file", Description: "Downloads the file. The address is the header Location " +
				asWhole}}
			if route.Interface.Identifiers.File != "" {
				route.Next[0].Description = "Downloads the part. The address is the header Location " + asWhole
			}
		}
	}
	return routes
}
