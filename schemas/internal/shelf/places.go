package shelf

import (
	"bytes"
	"iter"
	"maps"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

// index remembers where a compiled schema and every schema below it stand. The lock is held.
func (s *Shelf) index(found *jsonschema.Schema) {
	if found == nil {
		return
	}
	file, pointer := s.Split(found.Location)
	place := file + "#" + pointer
	if s.places[place] != nil {
		return
	}
	s.places[place] = found
	for below := range Below(found) {
		s.index(below)
	}
	for _, below := range s.more(found) {
		s.index(below)
	}
}

// At is the schema at a pointer in a file, of a file that was asked for or that such a file refers to; else nil.
func (s *Shelf) At(file, pointer string) *jsonschema.Schema {
	s.lock.RLock()
	defer s.lock.RUnlock()
	return s.places[file+"#"+pointer]
}

// Places are the schemas that are compiled so far, by "file#pointer". The caller owns the map.
func (s *Shelf) Places() map[string]*jsonschema.Schema {
	s.lock.RLock()
	defer s.lock.RUnlock()
	return maps.Clone(s.places)
}

// Below yields the schemas that a schema applies, references included. Some may be nil.
func Below(s *jsonschema.Schema) iter.Seq[*jsonschema.Schema] {
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

// Order lists the member names of the object at a pointer in a file, in the order of the text. The caller must
// not change the slice.
func (s *Shelf) Order(file, pointer string) []string {
	s.lock.RLock()
	found, known := s.orders[file]
	s.lock.RUnlock()
	if !known {
		found = memberOrders(s.sources[file])
		s.lock.Lock()
		s.orders[file] = found
		s.lock.Unlock()
	}
	return found[pointer]
}

// memberOrders lists the member names of every object in a JSON text, by the pointer of the object.
func memberOrders(data []byte) map[string][]string {
	orders := map[string][]string{}
	decoder := jsontext.NewDecoder(bytes.NewReader(data))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return orders
		}
		depth := decoder.StackDepth()
		if depth == 0 || token.Kind() != '"' {
			continue
		}
		if kind, length := decoder.StackIndex(depth); kind == '{' && length%2 == 1 {
			pointer := decoder.StackPointer().Parent()
			orders[string(pointer)] = append(orders[string(pointer)], token.String())
		}
	}
}
