package openapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/openapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// editions are all documents of a service, by their names.
func editions(t *testing.T) map[string]map[string]any {
	t.Helper()
	return must.Get(everyEdition())(t)
}

var everyEdition = sync.OnceValues(func() (map[string]map[string]any, error) {
	library, service, err := open(nil)
	if err != nil {
		return nil, err
	}
	made := map[string]map[string]any{}
	for _, which := range pages.Editions() {
		document, err := openapi.Build(library, service.Routes(), which)
		if err != nil {
			return nil, err
		}
		var decoded map[string]any
		if err := json.Unmarshal(document, &decoded); err != nil {
			return nil, err
		}
		made[which.Name] = decoded
	}
	return made, nil
})

// notForGenerators are keywords that one generator or another trips over, or reads as something else than what it says.
var notForGenerators = []string{
	"if", "then", "else", "not", "contains", "prefixItems", "patternProperties", "propertyNames", "dependentSchemas", "dependentRequired",
	"unevaluatedProperties", "unevaluatedItems", "contentSchema", "$id", "$defs", "$anchor", "$dynamicRef", "title",
}

// notIn30 are those that OpenAPI 3.0 does not have.
var notIn30 = []string{"const", "examples", "contentMediaType", "contentEncoding"}

// TestSchemasAreTypes walks the schemas of every document: each is one that generators of clients make a type of.
func TestSchemasAreTypes(t *testing.T) {
	for name, document := range editions(t) {
		old := name == "client"
		seen := 0
		eachSchema(document, "", func(pointer string, value any) {
			seen++
			schema, is := value.(map[string]any)
			if !is {
				t.Errorf("%s: %s is %v, which is no object", name, pointer, value)
				return
			}
			forbidden := notForGenerators
			if old {
				forbidden = slices.Concat(forbidden, notIn30)
			}
			for _, keyword := range forbidden {
				if _, has := schema[keyword]; has {
					t.Errorf("%s: %s has %s", name, pointer, keyword)
				}
			}
			if (schema["enum"] != nil || schema["const"] != nil) && schema["type"] == nil {
				t.Errorf("%s: %s has values but no type", name, pointer)
			}
			if types, several := schema["type"].([]any); several && (old || len(types) != 2 || !slices.Contains(types, any("null"))) {
				t.Errorf("%s: %s has the types %v", name, pointer, types)
			}
			if bound, has := schema["exclusiveMinimum"]; has && old && bound != true {
				t.Errorf("%s: %s has exclusiveMinimum %v", name, pointer, bound)
			}
			if schema["$ref"] != nil && old && len(schema) > 1 {
				t.Errorf("%s: %s has something beside its $ref", name, pointer)
			}
			if schema["properties"] != nil && strings.Count(pointer, "/") > 3 && strings.HasPrefix(pointer, "/components/schemas/") {
				t.Errorf("%s: %s is an object without a name", name, pointer)
			}
		})
		must.Hold(t, seen >= 300, "%s: only %d schemas", name, seen)
	}
}

// eachSchema calls visit for every schema of a document.
func eachSchema(value any, pointer string, visit func(pointer string, value any)) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			at := pointer + "/" + name
			switch {
			case name == "schema" || pointer == "/components/schemas":
				schemaParts(inner, at, visit)
			case name != "examples" && name != "example" || pointer == "/components":
				eachSchema(inner, at, visit)
			}
		}
	case []any:
		for i, inner := range value {
			eachSchema(inner, fmt.Sprintf("%s/%d", pointer, i), visit)
		}
	}
}

func schemaParts(value any, pointer string, visit func(pointer string, value any)) {
	visit(pointer, value)
	schema, _ := value.(map[string]any)
	for keyword, inner := range schema {
		switch keyword {
		case "properties":
			for name, property := range inner.(map[string]any) {
				schemaParts(property, pointer+"/properties/"+name, visit)
			}
		case "allOf", "anyOf", "oneOf":
			for i, branch := range inner.([]any) {
				schemaParts(branch, fmt.Sprintf("%s/%s/%d", pointer, keyword, i), visit)
			}
		case "items":
			schemaParts(inner, pointer+"/items", visit)
		case "additionalProperties":
			if _, is := inner.(bool); !is {
				schemaParts(inner, pointer+"/additionalProperties", visit)
			}
		}
	}
}

// TestSchemasTakeWhatTheFilesTake: a schema of the document may take more than its file does, and never less.
func TestSchemasTakeWhatTheFilesTake(t *testing.T) {
	document := editions(t)["full"]
	text := must.Get(json.Marshal(document))(t)
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	must.Do(t, compiler.AddResource("http://document", bytes.NewReader(text)))
	components, _ := at(document, "components", "schemas").(map[string]any)
	samples := os.DirFS("../../../schemas/testdata/valid")
	held := 0
	for name, value := range components {
		address, _ := at(value, "externalDocs", "url").(string)
		file, is := strings.CutPrefix(address, pages.DocumentBase+"/schemas/")
		if !is {
			continue
		}
		compiled := must.Get(compiler.Compile("http://document#/components/schemas/" + name))(t)
		found := must.Get(fs.Glob(samples, path.Join(strings.TrimSuffix(file, ".json"), "*.json")))(t)
		for _, sample := range found {
			text := must.Get(fs.ReadFile(samples, sample))(t)
			var value any
			must.Do(t, json.Unmarshal(text, &value))
			if err := compiled.Validate(at(value, "value")); err != nil {
				t.Errorf("%s takes %s; the document does not: %v", file, sample, err)
			}
			held++
		}
	}
	must.Hold(t, held >= 100, "only %d samples", held)
}

// TestEveryComponentIsUsed looks for components that nothing refers to.
func TestEveryComponentIsUsed(t *testing.T) {
	for name, document := range editions(t) {
		used := map[string]bool{}
		each(document, func(object map[string]any) {
			if reference, is := object["$ref"].(string); is {
				used[reference] = true
			}
		})
		components, _ := document["components"].(map[string]any)
		for kind, made := range components {
			for component := range made.(map[string]any) {
				if kind != "securitySchemes" && !used["#/components/"+kind+"/"+component] {
					t.Errorf("%s: nothing refers to %s/%s", name, kind, component)
				}
			}
		}
	}
}

// TestEditions checks what each document is about.
func TestEditions(t *testing.T) {
	var files []any
	for _, which := range pages.Editions() {
		files = append(files, which.Name+".json")
	}
	if listed := at(editions(t)["full"], "components", "schemas", "CommonParametersDocument", "enum"); !reflect.DeepEqual(listed, any(files)) {
		t.Errorf("common/parameters.json lists the documents %v; the server has %v", listed, files)
	}
	for name, document := range editions(t) {
		client := name == "client"
		if want := map[bool]string{false: "3.1.0", true: "3.0.3"}[client]; document["openapi"] != want {
			t.Errorf("%s is OpenAPI %v, not %s", name, document["openapi"], want)
		}
		paths, _ := document["paths"].(map[string]any)
		for path, item := range paths {
			if client && !strings.HasPrefix(path, "/1.0/") && !strings.HasPrefix(path, "/2.7/") && path != "/files/{name}" {
				t.Errorf("%s has %s, which is no part of the export API", name, path)
			}
			for method, operation := range item.(map[string]any) {
				if tags, _ := at(operation, "tags").([]any); len(tags) != 1 {
					t.Errorf("%s: %s %s has the tags %v: generators would write it once for each", name, method, path, tags)
				}
				if title, _ := at(operation, "summary").(string); client && len(strings.Fields(title)) > 4 {
					t.Errorf("%s: %s %s has the title %q, of more than four words", name, method, path, title)
				}
				if answers, _ := at(operation, "responses").(map[string]any); client && (answers["default"] == nil || answers["400"] != nil) {
					t.Errorf("%s: %s %s does not list its errors as one default response", name, method, path)
				}
			}
		}
		if at(paths, "/1.0/{api_key}/export/userbase", "post") == nil || (at(paths, "/_mock/clock") == nil) != client {
			t.Errorf("%s has the paths %v", name, paths)
		}
		if id := at(paths, "/1.0/{api_key}/export/campaign/{campaign_token}/events", "post", "operationId"); id != "campaignEventsCreate" {
			t.Errorf("%s calls the creation of campaign.events %v", name, id)
		}
		if (at(document, "components", "parameters", "XMockScenario") == nil) != client {
			t.Errorf("%s: whether requests have X-Mock-Scenario is told wrongly", name)
		}
		for parameter, want := range map[string]string{"PathApiKey": "live_demo", "PathCampaignToken": "spring-sale"} {
			example := at(document, "components", "parameters", parameter, "example")
			must.Equal[any](t, example, want, "%s: the example of %s", name, parameter)
		}
	}
}
