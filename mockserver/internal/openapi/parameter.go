package openapi

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// parametersSchema describes the placeholders of paths, by their names.
const parametersSchema = "common/parameters.json"

// headerParameters are the request headers that mean something to a file, with an example of each.
var headerParameters = []struct{ name, description string }{
	{"Range", "Which bytes of the file to send, such as bytes=0-1023."},
	{"If-Range", "Sends the range only if the file still has this entity tag or date, and the whole file otherwise."},
	{"If-Match", "Refuses with 412 unless the file has one of these entity tags."},
	{"If-None-Match", "Answers 304 if the file has one of these entity tags."},
	{"If-Modified-Since", "Answers 304 unless the file is newer."},
	{"If-Unmodified-Since", "Refuses with 412 if the file is newer."},
}

// parameters lists those of the path, of the query and of the head.
func (d *builder) parameters(route *httpd.Route) ([]any, error) {
	var made []any
	var members object
	var required []any
	if route.Creates() && route.Method == http.MethodGet {
		request, err := d.bundle.refer(route.Exports[0].Request)
		if err != nil {
			return nil, err
		}
		members, required = d.resolve(request).object("properties"), d.resolve(request).list("required")
	}
	for _, name := range exports.Placeholders(route.Path) {
		if schema := members.get(name); schema != nil {
			made = append(made, d.member(name, "path", true, schema))
			members = without(members, name)
			continue
		}
		parameter, err := d.placeholder(name)
		if err != nil {
			return nil, err
		}
		made = append(made, parameter)
	}
	for _, m := range members {
		made = append(made, d.member(m.name, "query", slices.Contains(required, any(m.name)), m.value))
	}
	for _, parameter := range route.Query {
		schema, err := d.parameterSchema(parameter, route.Response)
		if err != nil {
			return nil, fmt.Errorf("query parameter %s: %w", parameter.Name, err)
		}
		described := object{{"name", parameter.Name}, {"in", "query"}, {"required", parameter.Required}, {"description", parameter.Description}}
		if parameter.Required { // many readers fill it in from here alone
			described.set("example", d.sample(schema))
		}
		described.set("schema", schema)
		made = append(made, described)
	}
	if route.Stage != "" && !d.client {
		made = append(made, d.header("X-Mock-Scenario",
			"Forces what is rare, on this request: parts joined by semicolons, such as error=MAINTENANCE_ERROR, latency=200ms or progress=polls:3.",
			true))
	}
	if route.Validators {
		for _, header := range headerParameters {
			made = append(made, d.header(header.name, header.description, false))
		}
	}
	if route.Stream {
		made = append(made, d.header("Last-Event-ID",
			"The last event that was seen: a browser that was cut off sends it, and gets the ones after it.", false))
	}
	if d.client {
		return made, nil
	}
	made = append(made, d.header("X-Request-Id",
		"A name for this request, which the answer repeats: up to 128 letters, digits and any of - _ . and :. Any other is passed over, and the "+
			"server makes one.", false))
	return made, nil
}

// member is a parameter that is a member of a request.
func (d *builder) member(name, in string, required bool, schema any) object {
	described := object{{"name", name}, {"in", in}, {"required", required}, {"description", d.resolve(schema).text("description")}}
	if required {
		described.set("example", d.sample(schema))
	}
	described.set("schema", schema)
	return described
}

// header is a parameter of the head that several routes share.
func (d *builder) header(name, description string, extension bool) object {
	component := componentName(name, "")
	if !d.has("parameters", component) {
		parameter := object{{"name", name}, {"in", "header"}, {"required", false}, {"description", description}, {"schema", object{{"type",
			"string"}}}}
		if extension {
			parameter.set("x-extension", true)
		}
		d.component("parameters", component, parameter)
	}
	return object{{"$ref", "#/components/parameters/" + component}}
}

// placeholder is a parameter of the path.
func (d *builder) placeholder(name string) (object, error) {
	component := "Path" + componentName(name, "")
	reference := object{{"$ref", "#/components/parameters/" + component}}
	if d.has("parameters", component) {
		return reference, nil
	}
	schema, err := d.placeholderSchema(name)
	if err != nil {
		return nil, err
	}
	described := d.resolve(schema)
	d.component("parameters", component, object{
		{"name", name}, {"in", "path"}, {"required", true}, {"description", described.text("description")}, {"example", d.sample(schema)},
		{"schema", schema},
	})
	return reference, nil
}

func (d *builder) placeholderSchema(name string) (object, error) {
	pointer := "/$defs/" + name
	if _, err := d.bundle.at(parametersSchema, pointer); err != nil {
		pointer = "/$defs/segment" // a placeholder of an overlay
	}
	return d.bundle.schema(parametersSchema, pointer)
}

// parameterSchema is the schema of a query parameter, whose references start at the file that declares it.
func (d *builder) parameterSchema(parameter schemas.Parameter, file string) (any, error) {
	if len(parameter.Source) == 0 {
		return object{{"type", "string"}}, nil
	}
	source, err := parse(parameter.Source)
	if err != nil {
		return nil, err
	}
	return d.bundle.flatten(source, origin{file, componentName(file, "") + componentName(parameter.Name, "")})
}
