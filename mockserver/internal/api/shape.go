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
	// Fixed holds the members that can have one value only.
	Fixed map[string]any
	// Allowed lists, for members that are lists, the items the schema names.
	Allowed map[string][]any
	// DateLayout is the layout of time.Format for the dates of the interface.
	DateLayout string

	schema *jsonschema.Schema
}

// Has tells whether the payload knows a member.
func (s RequestShape) Has(member string) bool {
	_, ok := s.schema.Properties[member]
	return ok
}

// RequestOf reads the shape of the payload that makes an export.
func RequestOf(library *schemas.Library, export schemas.Export) RequestShape {
	shape := RequestShape{
		Fixed: map[string]any{}, Allowed: map[string][]any{}, DateLayout: time.RFC3339,
		schema: library.Schema(export.Request),
	}
	if export.Interface == interfaceLegacy {
		shape.DateLayout = exports.LocalDateTime
	}
	for name, property := range shape.schema.Properties {
		property = followed(property)
		if len(property.Constant) > 0 {
			shape.Fixed[name] = property.Constant[0]
		}
		if property.Items2020 != nil {
			shape.Allowed[name] = named(property.Items2020)
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

// member returns the schema of one member of a file, or nil.
func (s *Service) member(file, name string) *jsonschema.Schema {
	root := s.library.Schema(file)
	if root == nil {
		return nil
	}
	return root.Properties[name]
}
