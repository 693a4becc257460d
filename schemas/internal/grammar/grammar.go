// Package grammar lists the words of JSON Schema that schema files may use.
package grammar

import "slices"

// Keywords of JSON Schema by what they hold: a schema, a list of schemas, schemas by name, or something else. A
// schema compiler ignores those that it does not know.
var (
	Schemas = []string{
		"additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
	}
	Lists = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	Maps  = []string{"$defs", "dependentSchemas", "patternProperties", "properties"}
	plain = []string{
		"$comment", "$id", "$ref", "$schema", "const", "contentEncoding", "contentMediaType", "default", "dependentRequired", "deprecated",
		"description", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "maxContains", "maxItems", "maxLength",
		"maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "pattern",
		"readOnly", "required", "title", "type", "uniqueItems", "writeOnly",
	}
	Keywords = slices.Concat(Schemas, Lists, Maps, plain)
)

// Types are the types of values.
var Types = []string{"string", "number", "integer", "boolean", "array", "object", "null"}
