package schemas

import "github.com/santhosh-tekuri/jsonschema/v5"

// Followed is the schema that a schema refers to, or the schema itself when it
// is no reference.
func Followed(schema *jsonschema.Schema) *jsonschema.Schema {
	for schema.Ref != nil {
		schema = schema.Ref
	}
	return schema
}
