package schemas

import "slices"

// Keywords of JSON Schema by what they hold: a schema, a list of schemas, schemas by name, or something else. A
// schema compiler ignores those that it does not know.
var (
	keywordsOfSchemas = []string{
		"additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
	}
	keywordsOfLists = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	keywordsOfMaps  = []string{"$defs", "dependentSchemas", "patternProperties", "properties"}
	otherKeywords   = []string{
		"$comment", "$id", "$ref", "$schema", "const", "contentEncoding", "contentMediaType", "default", "dependentRequired", "deprecated",
		"description", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "maxContains", "maxItems", "maxLength",
		"maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "pattern",
		"readOnly", "required", "title", "type", "uniqueItems", "writeOnly",
	}
	allKeywords = slices.Concat(keywordsOfSchemas, keywordsOfLists, keywordsOfMaps, otherKeywords)
)

// valueTypes are the types of values.
var valueTypes = []string{"string", "number", "integer", "boolean", "array", "object", "null"}
