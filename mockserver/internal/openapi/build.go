package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Build writes an API document of a server as JSON.
func Build(library *schemas.Library, routes []*httpd.Route, edition pages.Edition) ([]byte, error) {
	if edition.Client {
		routes = slices.DeleteFunc(slices.Clone(routes), func(r *httpd.Route) bool { return r.Stage == "" })
	}
	d := &builder{library: library, dialect: exports.DialectOf(library), routes: routes, client: edition.Client, bundle: newBundle(library),
		components: map[string]*object{}}
	document, err := d.document()
	if err != nil {
		return nil, err
	}
	if edition.Client {
		document = older(document)
	}
	text, err := encode(document)
	return append(text, '\n'), err
}

// builder holds what a document is put together from.
type builder struct {
	library    *schemas.Library
	dialect    exports.Dialect
	routes     []*httpd.Route
	client     bool // leave out what a client of the service needs not
	bundle     *bundle
	components map[string]*object // other than schemas, by their kind
}

const about = `A mock of the asynchronous export service: a client asks for an export, looks it up until it is finished, and downloads its file through a link that works for %s. What is marked with x-extension is an addition of the mock server, which the export API does not have.

`

const aboutAll = `Every GET is answered for HEAD as well, with the same head and no body. A path that is asked with another method answers 404 ROUTE_NOT_FOUND with the header Allow. A refusal has the shape of its interface.

Generators of clients take the document of the export API alone, as OpenAPI 3.0: /openapi.json.`

const aboutClient = `The link of a file is a credential of its own, and is asked for without any other. A refusal has the shape of its interface.`

// document puts everything together.
func (d *builder) document() (object, error) {
	paths := object{}
	for _, route := range d.routes {
		item := paths.object(route.Path)
		operation, err := d.operation(route)
		if err != nil {
			return nil, fmt.Errorf("route %s: %w", route.Name, err)
		}
		item.set(strings.ToLower(route.Method), operation)
		paths.set(route.Path, item)
	}
	components := object{}
	for _, kind := range []string{"responses", "parameters", "examples", "headers"} {
		if made := d.components[kind]; made != nil {
			made.sort()
			components.set(kind, *made)
		}
	}
	d.bundle.made.sort()
	components.set("schemas", d.bundle.made)
	components.set("securitySchemes", d.securitySchemes())
	title, description := "Rehearsal mock export API", about+aboutAll
	if d.client { // generators make the name of a package of the title
		title, description = "Rehearsal export API", about+aboutClient
	}
	description = strings.ReplaceAll(description, "%s", d.lifetimes())
	return object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", title}, {"version", "1.0"}, {"summary", "Asynchronous data exports, mocked."}, {"description", description},
			{"license", object{{"name", "Apache 2.0"}, {"identifier", "Apache-2.0"}}},
			{"x-schemas-digest", d.library.Digest()},
		}},
		{"jsonSchemaDialect", "https://json-schema.org/draft/2020-12/schema"},
		{"servers", []any{object{{"url", pages.DocumentBase}, {"description", "This server."}}}},
		{"tags", d.tags()},
		{"paths", paths},
		{"components", components},
	}, nil
}

// component adds a component and gives a reference to it.
func (d *builder) component(kind, name string, value object) object {
	if d.components[kind] == nil {
		d.components[kind] = &object{}
	}
	d.components[kind].set(name, value)
	return object{{"$ref", "#/components/" + kind + "/" + name}}
}

// has tells whether there is a component already.
func (d *builder) has(kind, name string) bool {
	return d.components[kind] != nil && d.components[kind].get(name) != nil
}

// groupOf is the group of a route: its interface, if it belongs to one.
func groupOf(route *httpd.Route) httpd.Group {
	if route.Interface.Name != "" {
		return httpd.Group{Name: route.Interface.Title + " exports", Description: route.Interface.Summary}
	}
	return route.Group
}

// tags lists the groups in the order of the routes, the pages last.
func (d *builder) tags() []any {
	var made, last []any
	var seen []string
	for _, route := range d.routes {
		group := groupOf(route)
		if slices.Contains(seen, group.Name) {
			continue
		}
		seen = append(seen, group.Name)
		described := object{{"name", group.Name}, {"description", group.Description}}
		if route.Interface.Name == "" {
			described.set("x-extension", true)
		}
		if group == httpd.PagesGroup() {
			last = append(last, described)
		} else {
			made = append(made, described)
		}
	}
	return append(made, last...)
}

// securitySchemes are those of all interfaces, and that of the control API.
func (d *builder) securitySchemes() object {
	made := object{{"controlToken", object{{"type", "http"}, {"scheme", "bearer"},
		{"description", "The control token of the server. A server without one answers to clients on the same machine only."}}},
		{"hostToken", object{{"type", "http"}, {"scheme", "bearer"}, {"description", "What an app was given when it joined."}}}}
	if d.client {
		made = object{}
	}
	for _, its := range d.dialect {
		names := schemesOf(its)
		switch about := "A token that opens the project; "; {
		case its.KeyVariable != "":
			made.set(names[0], securityScheme(its.Headers, "The REST API key of the company; ", demo.CompanyKey,
				" The path carries the application key beside it."))
		case its.Headers.Basic():
			made.set(names[0], object{{"type", "http"}, {"scheme", "basic"}, {"description", "The key of the project and a token that opens it; " +
				demo.ProjectKey + ":" + demo.Token + " by default."}, {"x-default", demo.ProjectKey + ":" + demo.Token}})
		default:
			made.set(names[0], securityScheme(its.Headers, about, demo.Token, ""))
		}
		if its.Headers.Project != "" {
			made.set(names[1], object{{"type", "apiKey"}, {"in", "header"}, {"name", its.Headers.Project},
				{"description", "The key of the project; " + demo.ProjectKey + " by default."}, {"x-default", demo.ProjectKey}})
		}
	}
	made.sort()
	return made
}

// schemesOf are the names of the credentials of an interface: those of the interfaces of the specification have no prefix.
func schemesOf(its exports.Interface) []string {
	names := []string{"bearerToken"}
	switch {
	case its.KeyVariable != "":
		names = []string{"companyKey"}
	case its.Headers.Basic():
		names = []string{"basic"}
	case its.Headers.Project != "":
		names = append(names, "projectKey")
	}
	if _, specified := exports.Specified().Named(its.Name); !specified {
		for i := range names {
			names[i] = its.Name + "." + names[i]
		}
	}
	return names
}

// securityScheme describes the header with the credential of an interface.
func securityScheme(its exports.Headers, about, credential, more string) object {
	made := object{{"type", "apiKey"}, {"in", "header"}, {"name", its.Credential}}
	switch {
	case its.Scheme != "" && strings.EqualFold(its.Credential, "Authorization"):
		made = object{{"type", "http"}, {"scheme", strings.ToLower(its.Scheme)}}
	case its.Scheme != "":
		credential = its.Value(credential)
		more += " The word " + its.Scheme + " stands before it."
	}
	return append(made, object{{"description", about + credential + " by default." + more}, {"x-default", credential}}...)
}

// security says which credentials a route asks for.
func security(route *httpd.Route) []any {
	switch route.Credential {
	case httpd.CompanyKey, httpd.ProjectToken:
		made := object{}
		for _, name := range schemesOf(route.Interface) {
			made.set(name, []any{})
		}
		return []any{made}
	case httpd.Control:
		return []any{object{{"controlToken", []any{}}}, object{}}
	case httpd.HostToken:
		return []any{object{{"hostToken", []any{}}}}
	default: // nobody, or the link itself
		return []any{}
	}
}
