package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

const vocabularyFile = "vocabulary.json"

// Open reads, checks and compiles the schema files. A file of the overlay replaces the embedded file of the same path, or adds one; nil
// stands for no overlay. Only files that end in .json are looked at, none whose name begins with a dot. An error about a file is a
// [*FileError]. Overlays of the same files give the same library. See docs/how-to/overlays.md#what-does---schemas-dir-do
func Open(overlay fs.FS) (*Library, error) {
	builtIn, err := Embedded()
	if overlay == nil || err != nil {
		return builtIn, err
	}
	overlaid := map[string][]byte{}
	if err := ReadFiles(overlay, overlaid); err != nil {
		return nil, fmt.Errorf("cannot read the schema overlay: %w", err)
	}
	if name, message := findStray(slices.Sorted(maps.Keys(overlaid)), builtIn.names); message != "" {
		return nil, &FileError{File: name, Message: message}
	}
	for _, name := range slices.Sorted(maps.Keys(overlaid)) {
		if own := builtIn.sources[name]; strings.HasPrefix(name, "mock/") && own != nil && !bytes.Equal(own, overlaid[name]) {
			return nil,
				&FileError{File: name, Message: "describes what this program itself takes and answers, which no overlay changes: take the file out"}
		}
	}
	return builtIn.overlays.get(fingerprint(overlaid), func() (*Library, error) {
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
		data, err := fs.ReadFile(system, name)
		if err != nil {
			return err
		}
		sources[name], err = filetype.Text(data, mostSource)
		var refused *filetype.Error
		if errors.As(err, &refused) {
			return &FileError{name, "", refused.Error()}
		}
		return err
	})
}

// mostSource is how many bytes a schema file may have, unpacked.
const mostSource = 16 << 20

// build makes a library of files and checks all of it; builtIn is the embedded one, nil for that itself.
func build(sources map[string][]byte, builtIn *Library) (*Library, error) {
	l := newLibrary(sources)
	l.builtIn = builtIn
	l.digest, l.refusals = fingerprint(sources), map[string][]ErrorBranch{}
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
	return &Library{names: slices.Sorted(maps.Keys(sources)), sources: sources, shelf: newShelf(sources)}
}

// compile checks every file and compiles it, the vocabulary first: the others are checked against it.
func (l *Library) compile(documents map[string]any) error {
	var vocabulary *jsonschema.Schema
	for _, name := range append([]string{vocabularyFile}, l.names...) {
		if name == vocabularyFile && vocabulary != nil {
			continue
		}
		check := checker{file: name, documents: documents, vocabulary: vocabulary, explain: l.problems}
		if err := check.root(); err != nil {
			return err
		}
		if name == vocabularyFile {
			var err error
			if vocabulary, err = l.shelf.Schema(name); err != nil {
				return err
			}
		}
	}
	scale := scale{documents: documents, known: map[string]int{}}
	for _, name := range l.names {
		if err := scale.check(name); err != nil {
			return err
		}
		if _, err := l.shelf.Schema(name); err != nil {
			return err
		}
	}
	return nil
}

// findStray returns the first file, by its path, that was most likely meant to replace one of the known files, and
// says so; "" for none. A file with a name of its own may lie anywhere.
func findStray(files, known []string) (stray, message string) {
	for _, file := range files {
		if slices.Contains(known, file) {
			continue
		}
		for _, other := range known {
			folder := path.Dir(other)
			misspelt := path.Base(file) == path.Base(other) && Likely(path.Dir(file), []string{folder}) != ""
			// userbase.row.json at the root, or mine/legacy/userbase.row.json
			if misspelt || file == path.Base(other) && folder != "." || strings.HasSuffix(file, "/"+other) {
				return file, "replaces no file: did you mean " + other + "? Paths are those of `mockserver schemas list`"
			}
		}
	}
	return "", ""
}
