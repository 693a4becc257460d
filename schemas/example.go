package schemas

import (
	"encoding/json"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// NamedValues lists the values that a schema names, in whichever branch.
func NamedValues(schema *jsonschema.Schema) []any {
	schema = Followed(schema)
	values := append([]any(nil), schema.Enum...)
	for _, branches := range [][]*jsonschema.Schema{schema.AnyOf, schema.OneOf, schema.AllOf} {
		for _, branch := range branches {
			values = append(values, NamedValues(branch)...)
		}
	}
	return values
}

// exampleOf is the first two of what a request schema names.
func exampleOf(request *jsonschema.Schema) string {
	payload := map[string]any{}
	for name, property := range request.Properties {
		property = Followed(property)
		if len(property.Constant) > 0 {
			payload[name] = property.Constant[0]
		}
		if property.Items2020 == nil {
			continue
		}
		if items := NamedValues(property.Items2020); len(items) > 0 {
			payload[name] = items[:min(2, len(items))]
		}
	}
	text, err := json.Marshal(payload)
	if err != nil {
		return ""
	}
	return string(text)
}

// Followed is the schema that a schema refers to, or the schema itself when it is no reference.
func Followed(schema *jsonschema.Schema) *jsonschema.Schema {
	for schema.Ref != nil {
		schema = schema.Ref
	}
	return schema
}
