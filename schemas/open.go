package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

const vocabularyFile = "vocabulary.json"

// Open reads, checks and compiles the schema files. A file of the overlay replaces the embedded file of
// the same path, or adds one; nil stands for no overlay. Only files that end in .json are looked at, none
// whose name begins with a dot. An error about a file is a [*FileError].
// See docs/explanation/why-schemas.md#what-does---schemas-dir-do
func Open(overlay fs.FS) (*Library, error) {
	if overlay == nil {
		return openEmbedded()
	}
	sources := map[string][]byte{}
	if err := ReadFiles(files, sources); err != nil {
		return nil, err
	}
	if err := ReadFiles(overlay, sources); err != nil {
		return nil, fmt.Errorf("cannot read the schema overlay: %w", err)
	}
	return build(sources, Embedded)
}

func openEmbedded() (*Library, error) {
	sources := map[string][]byte{}
	if err := ReadFiles(files, sources); err != nil {
		return nil, err
	}
	return build(sources, nil)
}

// ReadFiles adds the schema files of a file system to sources, as [Open] finds them, unchecked.
func ReadFiles(system fs.FS, sources map[string][]byte) error {
	return fs.WalkDir(system, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := path.Base(name); name != "." && strings.HasPrefix(base, ".") {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.IsDir() || path.Ext(name) != ".json" {
			return nil
		}
		sources[name], err = fs.ReadFile(system, name)
		return err
	})
}

// build makes a library of files; builtIn gives the embedded one, nil for that itself.
func build(sources map[string][]byte, builtIn func() (*Library, error)) (*Library, error) {
	l := &Library{
		names:    slices.Sorted(maps.Keys(sources)),
		sources:  sources,
		builtIn:  builtIn,
		compiled: map[string]*jsonschema.Schema{},
		places:   map[string]*jsonschema.Schema{},
		orders:   map[string]map[string][]string{},
		digest:   digest(sources),
	}
	documents := map[string]any{}
	for _, name := range l.names {
		document, err := Decode(sources[name])
		if err != nil {
			return nil, &FileError{name, "", err.Error()}
		}
		documents[name] = document
		l.orders[name] = memberOrders(sources[name])
	}
	if builtIn != nil {
		if err := l.speak(documents); err != nil {
			return nil, err
		}
	}
	if err := l.compile(documents); err != nil {
		return nil, err
	}
	if err := l.collect(documents); err != nil {
		return nil, err
	}
	return l, nil
}

// compile checks every file and compiles it, the vocabulary first: the others are checked against it.
func (l *Library) compile(documents map[string]any) error {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	compiler.ExtractAnnotations = true
	compiler.LoadURL = func(address string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("there is no schema file %s", strings.TrimPrefix(address, Base))
	}
	compiler.RegisterExtension(extensionName, nil, keywordCompiler{})
	for _, name := range l.names {
		if err := compiler.AddResource(Base+name, bytes.NewReader(l.sources[name])); err != nil {
			return &FileError{name, "", err.Error()}
		}
	}
	var vocabulary *jsonschema.Schema
	for _, name := range compileOrder(l.names) {
		check := checker{file: name, documents: documents, vocabulary: vocabulary, explain: l.problems}
		if err := check.root(); err != nil {
			return err
		}
		if name != vocabularyFile {
			continue
		}
		var err error
		if vocabulary, err = compileFile(compiler, name); err != nil {
			return err
		}
		l.index(vocabulary)
	}
	for _, name := range l.names {
		compiled, err := compileFile(compiler, name)
		if err != nil {
			return err
		}
		l.compiled[name] = compiled
		l.index(compiled)
	}
	return nil
}

// compileOrder puts the vocabulary first.
func compileOrder(names []string) []string {
	ordered := []string{vocabularyFile}
	for _, name := range names {
		if name != vocabularyFile {
			ordered = append(ordered, name)
		}
	}
	return ordered
}

func compileFile(compiler *jsonschema.Compiler, name string) (*jsonschema.Schema, error) {
	compiled, err := compiler.Compile(Base + name)
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
