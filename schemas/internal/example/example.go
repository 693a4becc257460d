// Package example makes payloads as one would type them, and knows what a schema names.
package example

import (
	"encoding/json"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Named lists the values that a schema names, in whichever branch.
func Named(schema *jsonschema.Schema) []any {
	schema = followed(schema)
	values := append([]any(nil), schema.Enum...)
	for _, branches := range [][]*jsonschema.Schema{schema.AnyOf, schema.OneOf, schema.AllOf} {
		for _, branch := range branches {
			values = append(values, Named(branch)...)
		}
	}
	return values
}

// Of is the first two of what a request schema names.
func Of(request *jsonschema.Schema) string {
	payload := map[string]any{}
	for name, property := range request.Properties {
		if name == "from" || name == "to" {
			return ""
		}
		property = followed(property)
		if len(property.Constant) > 0 {
			payload[name] = property.Constant[0]
		}
		if property.Items2020 == nil {
			continue
		}
		if items := Named(property.Items2020); len(items) > 0 {
			payload[name] = items[:min(2, len(items))]
		}
	}
	text, err := json.Marshal(payload)
	if err != nil {
		return ""
	}
	return string(text)
}

func followed(schema *jsonschema.Schema) *jsonschema.Schema {
	for schema.Ref != nil {
		schema = schema.Ref
	}
	return schema
}
