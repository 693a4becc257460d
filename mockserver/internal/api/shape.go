package api

import (
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// RequestShape is what the schema of a creation payload says about its
// members, for callers that build a payload instead of checking one.
type RequestShape struct {
	// DateLayout is the layout of time.Format for the dates of the interface.
	DateLayout string

	schema  *jsonschema.Schema
	fixed   map[string]any   // members that can have one value only
	allowed map[string][]any // items that the schema names, of members that are lists
}

// Everything is a payload without dates that asks for everything the schema
// names.
func (s RequestShape) Everything() map[string]any {
	payload := map[string]any{}
	for name, value := range s.fixed {
		payload[name] = value
	}
	for name, items := range s.allowed {
		if len(items) > 0 {
			payload[name] = items
		}
	}
	return payload
}

// Has tells whether the payload knows a member.
func (s RequestShape) Has(member string) bool {
	_, ok := s.schema.Properties[member]
	return ok
}

// RequestOf reads the shape of the payload that makes an export.
func RequestOf(library *schemas.Library, export schemas.Export) RequestShape {
	shape := RequestShape{
		DateLayout: time.RFC3339, schema: library.Schema(export.Request),
		fixed: map[string]any{}, allowed: map[string][]any{},
	}
	if export.Interface == interfaceLegacy {
		shape.DateLayout = exports.LocalDateTime
	}
	for name, property := range shape.schema.Properties {
		property = followed(property)
		if len(property.Constant) > 0 {
			shape.fixed[name] = property.Constant[0]
		}
		if property.Items2020 != nil {
			shape.allowed[name] = named(property.Items2020)
		}
	}
	return shape
}

// followed follows references.
func followed(schema *jsonschema.Schema) *jsonschema.Schema {
	for schema.Ref != nil {
		schema = schema.Ref
	}
	return schema
}

// named lists the values that a schema names, in whichever branch.
func named(schema *jsonschema.Schema) []any {
	schema = followed(schema)
	values := append([]any(nil), schema.Enum...)
	for _, branches := range [][]*jsonschema.Schema{schema.AnyOf, schema.OneOf, schema.AllOf} {
		for _, branch := range branches {
			values = append(values, named(branch)...)
		}
	}
	return values
}
