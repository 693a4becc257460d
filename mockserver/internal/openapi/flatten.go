package openapi

import (
	"encoding/json"
	"slices"
)

// Generators of clients make types of the schemas in the document, and a type cannot say what the value of one member means for another.
// So the schemas are flattened: what remains takes every value that the schema file takes, and some that it does not. The server holds
// requests against the files, which the document names beside each.

// omitted are keywords that the document leaves out. Some mean something to the server alone: where a value comes from, and what the
// routes are, which the document says in its own way. Others describe the file a definition stands in. The rest are conditions.
var omitted = map[string]bool{
	"x-export": true, "x-endpoints": true, "x-source": true, "x-role": true, "x-journey": true, "x-weights": true, "x-attribute-types": true,
	"$schema": true, "$id": true, "$defs": true, "$comment": true,
	"if": true, "then": true, "else": true, "not": true, "contains": true, "minContains": true, "maxContains": true,
	"dependentSchemas": true, "dependentRequired": true, "propertyNames": true, "prefixItems": true,
	"unevaluatedProperties": true, "unevaluatedItems": true, "contentSchema": true,
}

// origin is where a schema comes from: its file, and the name that it has as a component.
type origin struct{ file, name string }

// flatten writes a schema for the document.
func (b *bundle) flatten(value any, from origin) (object, error) {
	given, _ := value.(object)
	if given == nil { // true, since false stands at nothing that remains
		return object{}, nil
	}
	made := object{}
	for _, m := range given {
		var err error
		switch {
		case omitted[m.name] || combining(m.name) || m.name == "title":
			continue
		case m.name == "$ref":
			text, _ := m.value.(string)
			target, err := b.reference(text, from.file)
			if err != nil {
				return nil, err
			}
			for _, known := range target {
				if known.name == "$ref" || given.get(known.name) == nil { // what stands beside a reference counts
					made.set(known.name, known.value)
				}
			}
			continue
		case m.name == "properties":
			m.value, err = b.members(given.object("properties"), from)
		case m.name == "items" && m.value == false:
			continue
		case m.name == "items":
			m.value, err = b.part(m.value, origin{from.file, from.name + "Item"})
		case m.name == "patternProperties": // a type has no names by pattern
			made.set("additionalProperties", true)
			continue
		case m.name == "additionalProperties":
			if given.get("patternProperties") != nil {
				continue
			}
			if _, is := m.value.(bool); !is {
				m.value, err = b.part(m.value, origin{from.file, from.name + "Value"})
			}
		}
		if err != nil {
			return nil, err
		}
		made = append(made, m)
	}
	if title := given.text("title"); title != "" && made.get("description") == nil {
		made.set("description", title+".")
	}
	typed(&made)
	return made, b.combine(given, &made, from)
}

// members flattens the properties of an object. One that must not be there is left out.
func (b *bundle) members(given object, from origin) (object, error) {
	made := object{}
	for _, property := range given {
		if property.value == false {
			continue
		}
		described, err := b.part(property.value, origin{from.file, from.name + componentName(property.name, "")})
		if err != nil {
			return nil, err
		}
		made = append(made, member{property.name, described})
	}
	return made, nil
}

// part flattens a schema within another. An object with members becomes a component: a type with a name.
func (b *bundle) part(value any, from origin) (object, error) {
	described, err := b.flatten(value, from)
	if err != nil || described.get("type") != "object" || described.get("properties") == nil {
		return described, err
	}
	if err := b.take(from.name, from.file+", inside"); err != nil {
		return nil, err
	}
	b.made.set(from.name, described)
	return object{{"$ref", componentPrefix + from.name}}, nil
}

func combining(keyword string) bool {
	return keyword == "allOf" || keyword == "anyOf" || keyword == "oneOf"
}

// combine adds the schemas that a schema is put together from, where they are what it is: beside a type of its own they only narrow it.
func (b *bundle) combine(given object, made *object, from origin) error {
	for _, m := range given {
		if !combining(m.name) || m.name != "allOf" && isType(*made) {
			continue
		}
		var branches []any
		for _, branch := range given.list(m.name) {
			described, err := b.flatten(branch, from)
			if err != nil {
				return err
			}
			if isType(described) {
				branches = append(branches, described)
			}
		}
		if len(branches) > 0 && (m.name == "allOf" || len(branches) == len(given.list(m.name))) {
			made.set(m.name, branches)
		}
	}
	return nil
}

// isType tells whether a schema says what its values are.
func isType(schema object) bool { return schema.get("type") != nil || schema.get("$ref") != nil }

// typed adds the type that a schema leaves to its values or its keywords.
func typed(schema *object) {
	if isType(*schema) {
		return
	}
	values := schema.list("enum")
	if fixed := schema.get("const"); fixed != nil {
		values = []any{fixed}
	}
	var types []any
	for _, value := range values {
		if name := typeOfValue(value); !slices.Contains(types, any(name)) {
			types = append(types, name)
		}
	}
	if len(types) == 0 {
		if name := typeOf(*schema); name != "" {
			types = []any{name}
		}
	}
	switch len(types) {
	case 0:
	case 1:
		*schema = append(object{{"type", types[0]}}, *schema...)
	default:
		*schema = append(object{{"type", types}}, *schema...)
	}
}

func typeOfValue(value any) string {
	switch value := value.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if _, err := value.Int64(); err == nil {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	case nil:
		return "null"
	}
	return "object"
}
