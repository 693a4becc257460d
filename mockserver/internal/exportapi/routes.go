package exportapi

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/links"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
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
	for _, lookup := range lookups {
		if lookup.Stage != exports.StageStatus {
			continue
		}
		a.lookups[lookup.Interface.Name] = lookup
		for _, creation := range routes {
			if creation.Interface.Name == lookup.Interface.Name {
				creation.Next = append(creation.Next, lookedUp(lookup))
			}
		}
	}
	routes = append(routes, lookups...)
	for _, route := range routes {
		route.Credential = httpd.ProjectToken
		if route.Interface.KeyVariable != "" {
			route.Credential = httpd.CompanyKey
		}
	}
	return routes, a.readAnswers(routes)
}

// lookedUp is the lookup of an export that was just created.
func lookedUp(by *httpd.Route) httpd.Next {
	next := httpd.Next{Name: "status", Route: by.Name, Description: "Looks the export up."}
	created := "$response.body#/" + by.Interface.Identifiers.Created
	for _, name := range exports.Placeholders(by.Path) {
		value := created
		if name == by.Interface.KeyVariable {
			value = "$request.path." + name
		}
		next.Parameters = append(next.Parameters, httpd.NextParameter{Name: name, Value: value})
	}
	for _, parameter := range by.Query {
		if parameter.Required {
			next.Parameters = append(next.Parameters, httpd.NextParameter{Name: parameter.Name, Value: created})
		}
	}
	return next
}

// FileRoute is the route of signed links, an addition of the mock server.
func (a *API) FileRoute() *httpd.Route {
	group := httpd.Group{Name: "Files", Description: "The files of exports, behind signed links."}
	return httpd.MockRoutes(group.Of(&httpd.Route{Name: "file", Method: http.MethodGet, Path: files.Path + "{name}",
		Credential: httpd.SignedLink, Handle: a.endpoint(a.file, a.linkID), Stage: exports.StageFile,
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
	its, _, _, _ := a.dialect.ParseFileName(variables["name"])
	return its
}

// toFile is what follows a lookup: the endpoint that redirects to the file, or the
// file itself.
func (a *API) toFile(name string, redirect, direct httpd.Next) []httpd.Next {
	if its, _ := a.dialect.Named(name); its.Files.Redirects() {
		return []httpd.Next{redirect}
	}
	return []httpd.Next{direct}
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
			Exports: []schemas.Export{export}, Handle: a.endpoint(a.create, noID),
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
		id     idOf
		next   []httpd.Next
	}
	answers := map[string]string{} // schemas, by the names of endpoints
	for _, endpoint := range a.Library.Endpoints() {
		answers[endpoint.Name] = endpoint.Response
	}
	member := func(endpoint, source string) string { return a.Library.MemberOf(answers[endpoint], source) }
	toFile := "as a whole, with its query; credentials are not sent along."
	files := member("profiles.view", vocabulary.RecordFiles)
	const inBody = "$response.body#/"
	listed := files + " lists them all."
	viewed := func(id string) httpd.Next {
		return httpd.Next{Name: "status", Route: "profiles.view", Description: "Looks the export up.",
			Parameters: []httpd.NextParameter{{Name: "id", Value: id}}}
	}
	lookups := map[string]lookup{
		"legacy.status": {exports.StageStatus, a.status, legacyID, a.toFile("legacy", httpd.Next{Name: "download", Route: "legacy.download",
			Description: "Leads to the file."},
			httpd.Next{Name: "file", Route: "file", Description: "Downloads the file. The address is " +
				member("legacy.status", vocabulary.RecordLink) + " " + toFile})},
		"profiles.view": {exports.StageStatus, a.status, profilesID, a.toFile("profiles",
			httpd.Next{Name: "download", Route: "profiles.download", Description: "Leads to the first part of the file; " + listed,
				Parameters: []httpd.NextParameter{{Name: "id", Value: inBody + files + "/0/" + member("profiles.download", vocabulary.FileID)}}},
			httpd.Next{Name: "file", Route: "file", Description: "Downloads the first part of the file; " + listed + " The address is " +
				member("profiles.download", vocabulary.FileURL) + " " + toFile})},
		"profiles.list": {exports.StageList, a.list, noID, []httpd.Next{
			viewed(inBody + member("profiles.list", vocabulary.PageRecords) + "/0/" + member("profiles.view", vocabulary.RecordID)),
			{Name: "next", Route: "profiles.list",
				Description: "The next page, while " + member("profiles.list", vocabulary.PageHasMore) + " is true.",
				Parameters:  []httpd.NextParameter{{Name: "from", Value: inBody + member("profiles.list", vocabulary.PageNext)}}}}},
		"legacy.download": {exports.StageDownload, a.download, partID, []httpd.Next{
			{Name: "file", Route: "file", Description: "Downloads the file. The address is the header Location " + toFile}}},
		"profiles.download": {exports.StageDownload, a.download, partID, []httpd.Next{
			{Name: "file", Route: "file", Description: "Downloads the part. The address is the header Location " + toFile}}},
	}
	var routes []*httpd.Route
	for _, endpoint := range a.Library.Endpoints() {
		known, ok := lookups[endpoint.Name]
		if !ok {
			return nil, fmt.Errorf("schemas declare the endpoint %s, which the server does not know", endpoint.Name)
		}
		iface, _ := a.dialect.Named(endpoint.Interface)
		route := &httpd.Route{Name: endpoint.Name, Interface: iface, Method: endpoint.Method, Path: endpoint.Path, Stage: known.stage,
			Handle:      a.endpoint(known.handle, known.id),
			Description: httpd.Description{Extension: endpoint.Extension, Summary: endpoint.Summary, Next: known.next},
			Input:       httpd.Input{Query: endpoint.Query},
			Output:      httpd.Output{Status: endpoint.Status, Response: endpoint.Response, Error: endpoint.Error}}
		if known.stage == exports.StageDownload {
			a.downloads[iface.Name] = route
		}
		routes = append(routes, route)
	}
	return routes, nil
}
