package schemas

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/fingerprint"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/shelf"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/strays"
)

const vocabularyFile = "vocabulary.json"

// Open reads, checks and compiles the schema files. A file of the overlay replaces the embedded file of
// the same path, or adds one; nil stands for no overlay. Only files that end in .json are looked at, none
// whose name begins with a dot. An error about a file is a [*FileError]. Overlays of the same files give the
// same library.
// See docs/explanation/why-schemas.md#what-does---schemas-dir-do
func Open(overlay fs.FS) (*Library, error) {
	builtIn, err := Embedded()
	if overlay == nil || err != nil {
		return builtIn, err
	}
	overlaid := map[string][]byte{}
	if err := ReadFiles(overlay, overlaid); err != nil {
		return nil, fmt.Errorf("cannot read the schema overlay: %w", err)
	}
	if name, message := strays.Find(slices.Sorted(maps.Keys(overlaid)), builtIn.names); message != "" {
		return nil, &FileError{File: name, Message: message}
	}
	return builtIn.overlays.Get(fingerprint.Of(overlaid), mostOverlays, func() (*Library, error) {
		sources := maps.Clone(builtIn.sources)
		maps.Copy(sources, overlaid)
		return build(sources, builtIn)
	})
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

// build makes a library of files and checks all of it; builtIn is the embedded one, nil for that itself.
func build(sources map[string][]byte, builtIn *Library) (*Library, error) {
	l := newLibrary(sources)
	l.builtIn = builtIn
	l.digest, l.refusals = fingerprint.Of(sources), map[string][]ErrorBranch{}
	documents := map[string]any{}
	for _, name := range l.names {
		document, err := Decode(sources[name])
		if err != nil {
			return nil, &FileError{name, "", err.Error()}
		}
		documents[name] = document
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

// newLibrary has the files, and no facts yet.
func newLibrary(sources map[string][]byte) *Library {
	return &Library{
		names: slices.Sorted(maps.Keys(sources)), sources: sources,
		shelf: shelf.New(Base, sources, shelf.Vocabulary{Name: extensionName, Compiler: keywordCompiler{}, Below: attributeSchemas}),
	}
}

// attributeSchemas are the schemas in the keywords of a schema.
func attributeSchemas(s *jsonschema.Schema) []*jsonschema.Schema {
	var found []*jsonschema.Schema
	for _, attribute := range KeywordsOf(s).Values.AttributeTypes {
		found = append(found, attribute.Schema)
	}
	return found
}

// compile checks every file and compiles it, the vocabulary first: the others are checked against it.
func (l *Library) compile(documents map[string]any) error {
	var vocabulary *jsonschema.Schema
	for _, name := range compileOrder(l.names) {
		check := checker{file: name, documents: documents, vocabulary: vocabulary, explain: l.problems}
		if err := check.root(); err != nil {
			return err
		}
		if name != vocabularyFile {
			continue
		}
		var fault *shelf.Fault
		if vocabulary, fault = l.shelf.Schema(name); fault != nil {
			return &FileError{fault.File, fault.Pointer, fault.Message}
		}
	}
	for _, name := range l.names {
		if _, fault := l.shelf.Schema(name); fault != nil {
			return &FileError{fault.File, fault.Pointer, fault.Message}
		}
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
