package openapi

// older writes a document of OpenAPI 3.1 as one of OpenAPI 3.0.3, for tools that
// do not read 3.1. Members of 3.0 mean the same in both, but for schemas.
func older(document object) object {
	made := without(document, "jsonSchemaDialect")
	made.set("openapi", "3.0.3")
	info := without(made.object("info"), "summary")
	license := without(info.object("license"), "identifier")
	license.set("url", "https://www.apache.org/licenses/LICENSE-2.0")
	info.set("license", license)
	made.set("info", info)
	components := olderPart(made.object("components")).(object)
	schemas := object{}
	for _, m := range made.object("components").object("schemas") {
		schemas = append(schemas, member{m.name, olderSchema(m.value)})
	}
	components.set("schemas", schemas)
	made.set("components", components)
	made.set("paths", olderPart(made.get("paths")))
	return made
}

// olderPart rewrites what is no schema.
func olderPart(value any) any {
	switch value := value.(type) {
	case object:
		made := object{}
		for _, m := range value {
			switch m.name {
			case "schema":
				m.value = olderSchema(m.value)
			case "example", "examples": // data, whatever its members are called
			case "description":
				if value.get("$ref") != nil {
					continue // a reference stands alone
				}
			default:
				m.value = olderPart(m.value)
			}
			made = append(made, m)
		}
		return made
	case []any:
		made := make([]any, len(value))
		for i, item := range value {
			made[i] = olderPart(item)
		}
		return made
	}
	return value
}

// olderSchema rewrites a schema. Each keyword of JSON Schema 2020-12 that the document has and that 3.0 does not know has a case.
func olderSchema(value any) any {
	given, is := value.(object)
	if !is {
		return value
	}
	if reference := given.get("$ref"); reference != nil {
		beside := without(given, "$ref", "examples")
		if len(beside) == 0 {
			return object{{"$ref", reference}}
		}
		wrapped := object{{"allOf", []any{object{{"$ref", reference}}}}}
		return append(wrapped, olderSchema(beside).(object)...)
	}
	made := object{}
	for _, m := range given {
		switch m.name {
		case "type":
			olderType(&made, m.value)
			continue
		case "const":
			m = member{"enum", []any{m.value}}
		case "examples":
			if items := given.list("examples"); len(items) > 0 {
				made.set("example", items[0])
			}
			continue
		case "exclusiveMinimum", "exclusiveMaximum":
			made.set(map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}[m.name], m.value)
			m.value = true
		case "contentMediaType", "contentEncoding":
			continue
		case "properties":
			properties := object{}
			for _, property := range given.object("properties") {
				properties = append(properties, member{property.name, olderSchema(property.value)})
			}
			m.value = properties
		case "allOf", "anyOf", "oneOf":
			var branches []any
			for _, branch := range given.list(m.name) {
				branches = append(branches, olderSchema(branch))
			}
			m.value = branches
		case "items", "additionalProperties":
			m.value = olderSchema(m.value)
		}
		made.set(m.name, m.value)
	}
	return made
}

// olderType writes a type, or what remains of several: null is a keyword of its own, and more than one type cannot be said.
func olderType(made *object, value any) {
	types, several := value.([]any)
	if !several {
		types = []any{value}
	}
	var others []any
	for _, name := range types {
		if name != "null" {
			others = append(others, name)
		}
	}
	if len(others) == 1 {
		made.set("type", others[0])
	}
	if len(others) < len(types) {
		made.set("nullable", true)
	}
}
