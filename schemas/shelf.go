package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/formats"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// shelf is a set of schema files. It is safe for concurrent use.
type shelf struct {
	sources map[string][]byte

	lock     sync.RWMutex
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
	// places finds a compiled schema by "file#pointer".
	places map[string]*jsonschema.Schema
	orders map[string]map[string][]string
}

// newShelf holds files. Their sources may change until they are asked for.
func newShelf(sources map[string][]byte) *shelf {
	s := &shelf{
		sources: sources, compiler: jsonschema.NewCompiler(),
		compiled: map[string]*jsonschema.Schema{}, places: map[string]*jsonschema.Schema{}, orders: map[string]map[string][]string{},
	}
	s.compiler.AssertFormat = true
	s.compiler.Formats = formats.Checks()
	s.compiler.ExtractAnnotations = true
	s.compiler.LoadURL = func(address string) (io.ReadCloser, error) {
		name := strings.TrimPrefix(address, Base)
		if source, there := sources[name]; there {
			return io.NopCloser(bytes.NewReader(source)), nil
		}
		return nil, fmt.Errorf("there is no schema file %s", name)
	}
	s.compiler.RegisterExtension(extensionName, nil, keywordCompiler{})
	return s
}

// Schema is the compiled schema of a file; nil if there is no such file.
func (s *shelf) Schema(name string) (*jsonschema.Schema, error) {
	s.lock.RLock()
	found := s.compiled[name]
	s.lock.RUnlock()
	if found != nil || s.sources[name] == nil {
		return found, nil
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if found = s.compiled[name]; found != nil {
		return found, nil
	}
	compiled, fault := s.compile(name)
	if fault != nil {
		return nil, fault
	}
	s.compiled[name] = compiled
	s.index(compiled)
	return compiled, nil
}

func (s *shelf) compile(name string) (*jsonschema.Schema, error) {
	compiled, err := s.compiler.Compile(Base + name)
	if err == nil {
		return compiled, nil
	}
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		leaf := firstLeaf(invalid)
		return nil, &FileError{name, jsonpointer.Unescape(leaf.InstanceLocation), leaf.Message}
	}
	var loop jsonschema.InfiniteLoopError
	if errors.As(err, &loop) {
		file, pointer := fileAndPointer(string(loop))
		return nil, &FileError{file, pointer, "the schema leads back to itself without end"}
	}
	var outer *jsonschema.SchemaError
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return nil, &FileError{name, "", err.Error()}
}

// firstLeaf returns the deepest cause, the first by place and text: the compiler's own order varies.
func firstLeaf(err *jsonschema.ValidationError) *jsonschema.ValidationError {
	if len(err.Causes) == 0 {
		return err
	}
	leaves := make([]*jsonschema.ValidationError, 0, len(err.Causes))
	for _, cause := range err.Causes {
		leaves = append(leaves, firstLeaf(cause))
	}
	return slices.MinFunc(leaves, func(a, b *jsonschema.ValidationError) int {
		if byPlace := strings.Compare(a.InstanceLocation, b.InstanceLocation); byPlace != 0 {
			return byPlace
		}
		return strings.Compare(a.Message, b.Message)
	})
}

// index remembers where a compiled schema and every schema below it stand. The lock is held.
func (s *shelf) index(found *jsonschema.Schema) {
	if found == nil {
		return
	}
	file, pointer := fileAndPointer(found.Location)
	place := file + "#" + pointer
	if s.places[place] != nil {
		return
	}
	s.places[place] = found
	for each := range below(found) {
		s.index(each)
	}
	for _, attribute := range KeywordsOf(found).Values.AttributeTypes {
		s.index(attribute.Schema)
	}
}

// At is the schema at a pointer in a file, of a file that was asked for or that such a file refers to; else nil.
func (s *shelf) At(file, pointer string) *jsonschema.Schema {
	s.lock.RLock()
	defer s.lock.RUnlock()
	return s.places[file+"#"+pointer]
}

// Places are the schemas that are compiled so far, by "file#pointer". The caller owns the map.
func (s *shelf) Places() map[string]*jsonschema.Schema {
	s.lock.RLock()
	defer s.lock.RUnlock()
	return maps.Clone(s.places)
}

// below yields the schemas that a schema applies, references included. Some may be nil.
func below(s *jsonschema.Schema) iter.Seq[*jsonschema.Schema] {
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

// Order lists the member names of the object at a pointer in a file, in the order of the text. The caller must not change the slice.
func (s *shelf) Order(file, pointer string) []string {
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
