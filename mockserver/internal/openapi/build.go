package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Build writes the API document of a server: OpenAPI 3.1 as JSON.
func Build(library *schemas.Library, routes []*httpd.Route) ([]byte, error) {
	examples, err := readExamples()
	if err != nil {
		return nil, err
	}
	d := &builder{library: library, routes: routes, bundle: newBundle(library), components: map[string]*object{}, examples: examples}
	document, err := d.document()
	if err != nil {
		return nil, err
	}
	text, err := encode(document)
	return append(text, '\n'), err
}

// builder holds what a document is put together from.
type builder struct {
	library    *schemas.Library
	routes     []*httpd.Route
	bundle     *bundle
	components map[string]*object // other than schemas, by their kind
	examples   examples
}

const problemSchema = "common/problem-details.json"

const about = `A mock of the asynchronous export service: a client asks for an export, looks it up until it is finished, and downloads its file through a link that works for 20 minutes. What is marked with x-extension is an addition of the mock server, which the export API does not have.

Every GET is answered for HEAD as well. A path that is asked with another method answers 404 ROUTE_NOT_FOUND with the header Allow. A refusal has the shape of its interface, or is problem details (RFC 9457) for a client that sends Accept: application/problem+json. The examples were answered by such a server, to a client with the demo credentials, on a clock that stands still.`

// document puts everything together.
func (d *builder) document() (object, error) {
	paths := object{}
	for _, route := range d.routes {
		item := paths.object(route.Path)
		operation, err := d.operation(route, route.Method)
		if err != nil {
			return nil, fmt.Errorf("route %s: %w", route.Name, err)
		}
		item.set(strings.ToLower(route.Method), operation)
		if route.Method == "GET" {
			if operation, err = d.operation(route, "HEAD"); err != nil {
				return nil, fmt.Errorf("route %s: %w", route.Name, err)
			}
			item.set("head", operation)
		}
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
	components.set("securitySchemes", securitySchemes())
	return object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", "Rehearsal mock export API"}, {"version", "1.0"}, {"summary", "Asynchronous data exports, mocked."}, {"description", about},
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

// tag groups routes on the page.
type tag struct {
	name, description string
	extension         bool
}

const checks = "Payloads and files, validated against their schemas; files, checked against each other."

// groups are the tags of the server's own routes by the first word of their names.
var groups = map[string]tag{
	"schemas":   {"Schemas", "The schema files that the server works with, those of an overlay included. Whoever reaches the server may read them.", true},
	"file":      {"Files", "The files of exports, behind signed links.", true},
	"clock":     {"Clock", "The time of the server: links, lookbacks, lifetimes and rate limits follow it.", true},
	"scenarios": {"Scenarios", "What happens to requests that would otherwise go well.", true},
	"exports":   {"Step exports manually", "All exports, and how to move them.", true},
	"check":     {"Checks", checks, true},
	"validate":  {"Checks", checks, true},
	"journal":   {"Journal", "What clients asked, and what was decided about it.", true},
	"lints":     {"Journal", "What clients asked, and what was decided about it.", true},
	"data":      {"Dataset", "Loaded rows, shown together with the synthetic ones or instead of them.", true},
	"state":     {"State", "Everything that the server remembers.", true},
}

var (
	serverTag    = tag{"Server", "The pages of the server, and its health.", true}
	extensionTag = tag{"Extension", "What the mock server adds to the export API.", true}
)

func tagOf(route *httpd.Route) tag {
	if route.Interface.Name != "" {
		return tag{route.Interface.Title + " exports", route.Interface.Summary, false}
	}
	first, _, _ := strings.Cut(route.Name, ".")
	if known, is := groups[first]; is {
		return known
	}
	return serverTag
}

// tags lists the groups in the order of the routes.
func (d *builder) tags() []any {
	var made []any
	var seen []string
	add := func(t tag) {
		if slices.Contains(seen, t.name) {
			return
		}
		seen = append(seen, t.name)
		described := object{{"name", t.name}, {"description", t.description}}
		if t.extension {
			described.set("x-extension", true)
		}
		made = append(made, described)
	}
	for _, route := range d.routes {
		if t := tagOf(route); t != serverTag {
			add(t)
		}
	}
	add(serverTag)
	add(extensionTag)
	return made
}

func securitySchemes() object {
	return object{
		{"bearerToken", object{{"type", "http"}, {"scheme", "bearer"},
			{"description", "A token that opens the project; " + demo.Token + " by default."}, {"x-default", demo.Token}}},
		{"companyKey", object{{"type", "apiKey"}, {"in", "header"}, {"name", "X-Authorization"},
			{"description", "The REST API key of the company; " + demo.CompanyKey + " by default. The path carries the application key beside it."}, {"x-default", demo.CompanyKey}}},
		{"controlToken", object{{"type", "http"}, {"scheme", "bearer"},
			{"description", "The control token of the server. A server without one answers to clients on the same machine only."}}},
		{"projectKey", object{{"type", "apiKey"}, {"in", "header"}, {"name", "X-Service-Project"},
			{"description", "The key of the project; " + demo.ProjectKey + " by default."}, {"x-default", demo.ProjectKey}}},
	}
}

// security says which credentials a route asks for.
func security(route *httpd.Route) []any {
	switch route.Credential {
	case httpd.CompanyKey:
		return []any{object{{"companyKey", []any{}}}}
	case httpd.ProjectToken:
		return []any{object{{"bearerToken", []any{}}, {"projectKey", []any{}}}}
	case httpd.Control:
		return []any{object{{"controlToken", []any{}}}, object{}}
	default: // nobody, or the link itself
		return []any{}
	}
}
