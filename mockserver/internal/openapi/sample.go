package openapi

import (
	"encoding/json"
	"slices"
)

// sample makes a value of a schema of the document, from what the schema gives as an example: all members that it declares, in its order.
// Where it gives none, the first value that is allowed, or a plain one of its type.
func (d *builder) sample(schema any) any {
	described := d.resolve(schema)
	if given := described.list("examples"); len(given) > 0 {
		return given[0]
	}
	if value := described.get("const"); value != nil {
		return value
	}
	if values := described.list("enum"); len(values) > 0 {
		return values[0]
	}
	if value := described.get("default"); value != nil {
		return value
	}
	switch typeOf(described) {
	case "object":
		made := object{}
		for _, property := range described.object("properties") {
			made = append(made, member{property.name, d.sample(property.value)})
		}
		return made
	case "array":
		if items := described.get("items"); items != nil {
			return []any{d.sample(items)}
		}
		return []any{}
	case "integer", "number":
		if least, is := described.get("minimum").(json.Number); is {
			return least
		}
		return json.Number("1")
	case "boolean":
		return true
	case "null":
		return nil
	}
	if described.text("format") == "email" {
		return "ada@example.com"
	}
	return "example"
}

// typeOf is the type of a schema, of several the first; an object or an array by its keywords, where it names none.
func typeOf(schema object) string {
	switch name := schema.get("type").(type) {
	case string:
		return name
	case []any:
		if len(name) > 0 {
			text, _ := name[0].(string)
			return text
		}
	}
	if schema.get("properties") != nil {
		return "object"
	}
	if schema.get("items") != nil {
		return "array"
	}
	return ""
}

// resolve follows references to schemas. What stands beside a reference counts before what it leads to.
func (d *builder) resolve(schema any) object {
	described, _ := schema.(object)
	for range 16 { // a chain of references is short; a circle is a fault of the files
		reference := described.text("$ref")
		if len(reference) <= len(componentPrefix) {
			return described
		}
		target, _ := d.bundle.made.get(reference[len(componentPrefix):]).(object)
		merged := slices.Clone(target)
		for _, m := range described {
			if m.name != "$ref" {
				merged.set(m.name, m.value)
			}
		}
		described = merged
	}
	return described
}
