// Package collection makes files of requests out of an API document, for people who try an API from their
// editor or test it from a shell: every creation with its examples, then the status until there is a file, then the file.
// The formats are the .http files of editors (JetBrains, httpYac) and the files of Hurl.
package collection

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
)

// Formats are the formats that [Write] knows, with what they are.
func Formats() map[string]string {
	return map[string]string{"http": "requests for JetBrains and httpYac (.http)", "hurl": "requests and tests for Hurl (.hurl)"}
}

// Write makes a file of the requests of an API document of OpenAPI 3, as JSON.
func Write(document []byte, format string) ([]byte, error) {
	var d openAPI
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	if err := d.resolve(); err != nil {
		return nil, err
	}
	switch format {
	case "http":
		return d.http(), nil
	case "hurl":
		return d.hurl(), nil
	}
	return nil, fmt.Errorf("requests cannot be written as %q; choose from %s", format, strings.Join(slices.Sorted(maps.Keys(Formats())), ", "))
}

// openAPI is what is needed of a document.
type openAPI struct {
	Info    struct{ Title string }
	Servers []struct{ URL string }
	Paths   map[string]map[string]json.RawMessage

	Components struct {
		Parameters      map[string]parameter
		SecuritySchemes map[string]struct {
			Type, Scheme, In, Name string
			Default                string `json:"x-default"`
		}
	}

	operations map[string]*operation
}

type parameter struct {
	Ref      string `json:"$ref"`
	Name, In string
	Required bool
	Example  any
}

type operation struct {
	OperationID, Summary string
	Tags                 []string
	Security             []map[string][]string
	Parameters           []parameter
	RequestBody          struct {
		Content map[string]struct {
			Examples map[string]struct{ Value json.RawMessage }
		}
	}
	Responses map[string]struct{ Links map[string]link }

	method, path string
}

type link struct {
	OperationID string
	Parameters  map[string]string
}

// resolve finds the operations, and the parameters that they refer to.
func (d *openAPI) resolve() error {
	d.operations = map[string]*operation{}
	for path, methods := range d.Paths {
		for method, text := range methods {
			if !slices.Contains([]string{"get", "post"}, method) {
				continue
			}
			o := &operation{method: strings.ToUpper(method), path: path}
			if err := json.Unmarshal(text, o); err != nil {
				return fmt.Errorf("%s %s: %w", method, path, err)
			}
			for i, p := range o.Parameters {
				if name, is := strings.CutPrefix(p.Ref, "#/components/parameters/"); is {
					o.Parameters[i] = d.Components.Parameters[name]
				}
			}
			d.operations[o.OperationID] = o
		}
	}
	return nil
}

// header is one of a request.
type header struct{ name, value string }

// headers are those that open an operation, with variables for the credentials.
func (d *openAPI) headers(o *operation) (list []header) {
	if len(o.Security) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(o.Security[0])) { // any of them will do
		switch scheme := d.Components.SecuritySchemes[name]; {
		case scheme.Scheme == "bearer":
			list = append(list, header{"Authorization", "Bearer {{" + variableOf(name) + "}}"})
		case scheme.In == "header":
			list = append(list, header{scheme.Name, "{{" + variableOf(name) + "}}"})
		}
	}
	return list
}

// variableOf is the name of the variable for a credential: company_key for companyKey.
func variableOf(scheme string) string {
	var made strings.Builder
	for _, char := range scheme {
		if char >= 'A' && char <= 'Z' {
			made.WriteByte('_')
			char += 'a' - 'A'
		}
		made.WriteRune(char)
	}
	return made.String()
}

// variables are those of the whole file, with their values: the address, the credentials and
// what paths have examples of.
func (d *openAPI) variables() (list []header) {
	list = append(list, header{"host", strings.TrimSuffix(d.Servers[0].URL, "/")})
	for _, name := range slices.Sorted(maps.Keys(d.Components.SecuritySchemes)) {
		list = append(list, header{variableOf(name), d.Components.SecuritySchemes[name].Default})
	}
	for _, o := range d.creations() {
		for _, p := range o.Parameters {
			one := header{p.Name, fmt.Sprint(p.Example)}
			if p.In == "path" && !slices.ContainsFunc(list, func(h header) bool { return h.name == p.Name }) {
				list = append(list, one)
			}
		}
	}
	return list
}

// creations are the operations that lead on to another one by a link, in the order of their names.
func (d *openAPI) creations() (list []*operation) {
	for _, id := range slices.Sorted(maps.Keys(d.operations)) {
		if o := d.operations[id]; o.method == "POST" && len(o.next()) > 0 {
			list = append(list, o)
		}
	}
	return list
}

// next are the links of the success of an operation.
func (o *operation) next() map[string]link { return o.Responses[o.success()].Links }

// success is the status of the success of an operation that leads on to another one; empty for none.
func (o *operation) success() string {
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		if status[0] == '2' && len(o.Responses[status].Links) > 0 {
			return status
		}
	}
	return ""
}

// follow is the operation to which a link of another one leads, and the pointer to the member of the answer for each
// parameter that comes from there.
func (d *openAPI) follow(o *operation) (found *operation, captures map[string]string) {
	names := slices.Sorted(maps.Keys(o.next()))
	if len(names) == 0 {
		return nil, nil
	}
	to := o.next()[names[0]]
	captures = map[string]string{}
	for parameter, source := range to.Parameters {
		if pointer, is := strings.CutPrefix(source, "$response.body#"); is {
			captures[parameter] = pointer
		}
	}
	return d.operations[to.OperationID], captures
}

// examples are the bodies of an operation, by name.
func (o *operation) examples() (names []string, bodies map[string]string) {
	bodies = map[string]string{}
	for name, example := range o.RequestBody.Content["application/json"].Examples {
		var plain any
		if json.Unmarshal(example.Value, &plain) == nil {
			text, _ := json.MarshalIndent(plain, "", "  ") // was JSON just before
			bodies[name] = string(text)
		}
	}
	return slices.Sorted(maps.Keys(bodies)), bodies
}

var dateTime = pattern.Of(`"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})`)

// present is a date soon after those in the examples, which exports of the last months may begin with.
func (d *openAPI) present() string {
	latest := ""
	for _, o := range d.creations() {
		_, bodies := o.examples()
		for _, body := range bodies {
			for _, found := range dateTime().FindAllStringSubmatch(body, -1) {
				latest = max(latest, found[1])
			}
		}
	}
	at, err := time.Parse("2006-01-02T15:04:05", latest)
	if err != nil {
		return ""
	}
	return at.AddDate(0, 0, 7).Format("2006-01-02T15:04:05Z")
}

// address is the URL of an operation with variables for its parameters.
func (o *operation) address(prefix string) string {
	path, query := o.path, []string{}
	for _, p := range o.Parameters {
		name := p.Name
		if p.In == "query" && p.Required {
			query = append(query, name+"={{"+prefix+name+"}}")
		}
	}
	path = strings.NewReplacer("{", "{{", "}", "}}").Replace(path)
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	return "{{host}}" + path
}
