package schemas

import (
	"maps"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// index remembers where a compiled schema and every schema below it stand.
func (l *Library) index(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	file, pointer := fileAndPointer(s.Location)
	place := file + "#" + pointer
	if l.places[place] != nil {
		return
	}
	l.places[place] = s
	for below := range subschemas(s) {
		l.index(below)
	}
	for _, attribute := range KeywordsOf(s).Values.AttributeTypes {
		l.index(attribute.Schema)
	}
}

// subschemas yields the schemas that a schema applies, references included. Some may be nil.
func subschemas(s *jsonschema.Schema) func(yield func(*jsonschema.Schema) bool) {
	return func(yield func(*jsonschema.Schema) bool) {
		below := []*jsonschema.Schema{
			s.Ref, s.DynamicRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
			s.UnevaluatedItems, s.Items2020, s.Contains, s.ContentSchema,
		}
		if schema, ok := s.AdditionalProperties.(*jsonschema.Schema); ok {
			below = append(below, schema)
		}
		for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
			below = append(below, list...)
		}
		for schema := range maps.Values(s.Properties) {
			below = append(below, schema)
		}
		for schema := range maps.Values(s.PatternProperties) {
			below = append(below, schema)
		}
		for schema := range maps.Values(s.DependentSchemas) {
			below = append(below, schema)
		}
		for _, schema := range below {
			if !yield(schema) {
				return
			}
		}
	}
}
