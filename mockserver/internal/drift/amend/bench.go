package amend

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Bench holds schema files with changes. A method that changes them returns the changes; none: the files do not compile with
// them, or they help nobody.
type Bench struct {
	embedded *schemas.Library
	library  *schemas.Library
	given    map[string][]byte // the overlay that it began with
	changed  map[string][]byte // that overlay with all changes
}

// Change is one change of one schema file.
type Change struct {
	File string `json:"file"`
	// Pointer is where the file is changed, Text says how.
	Pointer string `json:"pointer"`
	Text    string `json:"change"`
}

// String gives the place and the change.
func (c Change) String() string { return c.File + "#" + c.Pointer + ": " + c.Text }

// New begins with the embedded schema files and an overlay, which may be nil.
func New(overlay fs.FS) (*Bench, error) {
	embedded, err := schemas.Embedded()
	if err != nil {
		return nil, err
	}
	b := &Bench{embedded: embedded, given: map[string][]byte{}}
	if b.library, err = schemas.Open(overlay); err == nil && overlay != nil {
		err = schemas.ReadFiles(overlay, b.given)
	}
	b.changed = maps.Clone(b.given)
	return b, err
}

// Library is what the files say with all changes so far.
func (b *Bench) Library() *schemas.Library { return b.library }

// Overlay has the given and the changed files, whole: it says everything.
func (b *Bench) Overlay() fs.FS { return overlay(b.changed) }

func overlay(files map[string][]byte) fs.FS {
	made := fstest.MapFS{}
	for name, text := range files {
		made[name] = &fstest.MapFile{Data: text}
	}
	return made
}

// Source is the x-source of a value, or of the list that holds it.
func (b *Bench) Source(schema, pointer string) string {
	path := tokens(pointer)
	for of := path; len(of) > 0 && len(of)+1 >= len(path); of = of[:len(of)-1] {
		for _, node := range nodes(b.library.Schema(schema), of) {
			if source := schemas.KeywordsOf(node).Source; source != "" {
				return source
			}
		}
	}
	return ""
}

// Files are the changed files, whole: an overlay.
func (b *Bench) Files() map[string][]byte {
	made := maps.Clone(b.changed)
	maps.DeleteFunc(made, func(name string, text []byte) bool { return bytes.Equal(text, b.given[name]) })
	return made
}

// Step is one change that may be tried.
type Step struct {
	Change
	edit func(text []byte) ([]byte, error)
}

func step(file, pointer, says string, edit func(text []byte) ([]byte, error)) Step {
	return Step{Change{file, pointer, says}, edit}
}

// Put sets a member of an object to a JSON text, or adds it.
func Put(file, pointer, name, value string) Step {
	return step(file, pointer+"/"+Escape(name), name+": "+value, func(text []byte) ([]byte, error) { return put(text, pointer, name, value) })
}

// Add puts an item, a JSON text, at the end of an array.
func Add(file, pointer, item string) Step {
	return step(file, pointer, "add "+item, func(text []byte) ([]byte, error) { return add(text, pointer, item) })
}

// Insert puts an item of an array before the one at a pointer.
func Insert(file, pointer, item string) Step {
	return step(file, pointer, "before it "+item, func(text []byte) ([]byte, error) {
		at, err := find(text, pointer)
		return splice(text, at.from, at.from, item+", "), err
	})
}

// become sets a value that is there.
func become(file, pointer, value, says string) Step {
	return step(file, pointer, says, func(text []byte) ([]byte, error) { return set(text, pointer, value) })
}

// leave takes a member out.
func leave(file, pointer string) Step {
	return step(file, pointer, "leave it out", func(text []byte) ([]byte, error) { return drop(text, pointer) })
}

// Apply makes changes, all or none.
func (b *Bench) Apply(steps ...Step) []Change { return b.attempt(nil, steps...) }

// attempt applies steps together, and keeps them if the files are in order and helps is content.
func (b *Bench) attempt(helps func(*schemas.Library) bool, steps ...Step) (made []Change) {
	tried, drafted := maps.Clone(b.changed), map[string][]byte{}
	for _, each := range steps {
		text, known := tried[each.File]
		if !known {
			text = b.embedded.Source(each.File)
		}
		edited, err := each.edit(text)
		if text == nil || err != nil {
			return nil
		}
		tried[each.File], drafted[each.File] = edited, edited
		made = append(made, each.Change)
	}
	if len(steps) == 0 || helps != nil && !helps(b.library.Draft(drafted)) { // before all files are compiled
		return nil
	}
	library, err := schemas.Open(overlay(tried))
	if err != nil {
		return nil
	}
	b.library, b.changed = library, tried
	return made
}

// Status lets the creations of an interface be answered with a status.
func (b *Bench) Status(name string, status int) []Change {
	var steps []Step
	for _, export := range b.library.Exports() {
		if export.Interface == name {
			steps = append(steps, Put(export.Output, "/x-export", "status", fmt.Sprint(status)))
		}
	}
	return b.Apply(steps...)
}
