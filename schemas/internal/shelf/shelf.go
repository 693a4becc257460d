// Package shelf holds schema files and compiles each when somebody first asks for it: most of those who read
// one schema never need the others.
package shelf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// Shelf is a set of schema files. It is safe for concurrent use.
type Shelf struct {
	base    string
	sources map[string][]byte
	more    func(*jsonschema.Schema) []*jsonschema.Schema

	lock     sync.RWMutex
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
	// places finds a compiled schema by "file#pointer".
	places map[string]*jsonschema.Schema
	orders map[string]map[string][]string
}

// Vocabulary is what the keywords of a project mean to the compiler, and which further schemas stand in them.
type Vocabulary struct {
	Name     string
	Compiler jsonschema.ExtCompiler
	Below    func(*jsonschema.Schema) []*jsonschema.Schema
}

// New holds files whose addresses begin with base. The sources of files may change until they are asked for.
func New(base string, sources map[string][]byte, vocabulary Vocabulary) *Shelf {
	s := &Shelf{
		base: base, sources: sources, more: vocabulary.Below, compiler: jsonschema.NewCompiler(),
		compiled: map[string]*jsonschema.Schema{}, places: map[string]*jsonschema.Schema{}, orders: map[string]map[string][]string{},
	}
	s.compiler.AssertFormat = true
	s.compiler.ExtractAnnotations = true
	s.compiler.LoadURL = func(address string) (io.ReadCloser, error) {
		name := strings.TrimPrefix(address, base)
		if source, there := sources[name]; there {
			return io.NopCloser(bytes.NewReader(source)), nil
		}
		return nil, fmt.Errorf("there is no schema file %s", name)
	}
	s.compiler.RegisterExtension(vocabulary.Name, nil, vocabulary.Compiler)
	return s
}

// Fault is what is wrong with a schema file, and where.
type Fault struct{ File, Pointer, Message string }

// Schema is the compiled schema of a file; nil if there is no such file.
func (s *Shelf) Schema(name string) (*jsonschema.Schema, *Fault) {
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

func (s *Shelf) compile(name string) (*jsonschema.Schema, *Fault) {
	compiled, err := s.compiler.Compile(s.base + name)
	if err == nil {
		return compiled, nil
	}
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		leaf := firstLeaf(invalid)
		return nil, &Fault{name, jsonpointer.Unescape(leaf.InstanceLocation), leaf.Message}
	}
	var loop jsonschema.InfiniteLoopError
	if errors.As(err, &loop) {
		file, pointer := s.Split(string(loop))
		return nil, &Fault{file, pointer, "the schema leads back to itself without end"}
	}
	var outer *jsonschema.SchemaError
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return nil, &Fault{name, "", err.Error()}
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

// Split takes the location of a schema apart: the name of the file and the JSON Pointer in it.
func (s *Shelf) Split(location string) (file, pointer string) {
	address, fragment, _ := strings.Cut(location, "#")
	return strings.TrimPrefix(address, s.base), jsonpointer.Unescape(fragment)
}
