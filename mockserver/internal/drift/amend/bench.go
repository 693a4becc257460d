package amend

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Bench holds schema files with changes.
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
	b := &Bench{embedded: embedded, library: embedded, given: map[string][]byte{}}
	if overlay != nil {
		if b.library, err = schemas.Open(overlay); err != nil {
			return nil, err
		}
		if err := schemas.ReadFiles(overlay, b.given); err != nil {
			return nil, err
		}
	}
	b.changed = maps.Clone(b.given)
	return b, nil
}

// Library is what the files say with all changes so far.
func (b *Bench) Library() *schemas.Library { return b.library }

// All are the given and the changed files, whole: the overlay that says everything.
func (b *Bench) All() map[string][]byte { return maps.Clone(b.changed) }

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
	made := map[string][]byte{}
	for name, text := range b.changed {
		if !bytes.Equal(text, b.given[name]) {
			made[name] = text
		}
	}
	return made
}

// source is a file as it is now.
func (b *Bench) source(file string) []byte {
	if text, changed := b.changed[file]; changed {
		return text
	}
	return b.embedded.Source(file)
}

// step is one change that may be tried.
type step struct {
	Change
	edit func(text []byte) ([]byte, error)
}

// errUseless says that a change does not help.
var errUseless = errors.New("the value is refused all the same")

// attempt applies steps together, and keeps them if the files are in order and helps is content.
func (b *Bench) attempt(helps func(*schemas.Library) bool, steps ...step) ([]Change, error) {
	tried := maps.Clone(b.changed)
	var notes []Change
	for _, each := range steps {
		text, known := tried[each.File]
		if !known {
			text = b.embedded.Source(each.File)
		}
		if text == nil {
			return nil, fmt.Errorf("there is no schema file %s", each.File)
		}
		edited, err := each.edit(text)
		if err != nil {
			return nil, err
		}
		tried[each.File] = edited
		notes = append(notes, each.Change)
	}
	if helps != nil { // before all files are compiled
		drafted := map[string][]byte{}
		for _, each := range steps {
			drafted[each.File] = tried[each.File]
		}
		if !helps(b.library.Draft(drafted)) {
			return nil, errUseless
		}
	}
	library, err := open(tried)
	if err != nil {
		return nil, err
	}
	b.library, b.changed = library, tried
	return notes, nil
}

// open compiles the embedded files with an overlay in memory.
func open(files map[string][]byte) (*schemas.Library, error) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	overlay, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		return nil, err
	}
	return schemas.Open(overlay)
}

// Put sets a member of a schema file to a JSON text, such as one of x-interface.
func (b *Bench) Put(file, pointer, name, value string) ([]Change, error) {
	return b.PutAll([]Member{{file, pointer, name, value}})
}

// Member is a member of an object in a schema file and the JSON text that it becomes.
type Member struct{ File, Pointer, Name, Value string }

// PutAll sets several members, all or none.
func (b *Bench) PutAll(members []Member) ([]Change, error) {
	var steps []step
	for _, m := range members {
		steps = append(steps, step{Change{m.File, m.Pointer + "/" + Escape(m.Name), m.Name + ": " + m.Value}, func(text []byte) ([]byte, error) {
			return put(text, m.Pointer, m.Name, m.Value)
		}})
	}
	return b.attempt(nil, steps...)
}

// Add puts an item, a JSON text, at the end of an array of a schema file.
func (b *Bench) Add(file, pointer, item string) ([]Change, error) {
	return b.attempt(nil, step{Change{file, pointer, "add " + item}, func(text []byte) ([]byte, error) { return add(text, pointer, item) }})
}

// State adds a state of exports, running, to an interface.
func (b *Bench) State(file, name, role string) ([]Change, error) {
	item := fmt.Sprintf(`{"name": %s, "role": %s}`, quote(name), quote(role))
	const pointer = "/x-interface/states"
	return b.attempt(nil, step{Change{file, pointer, "add " + item}, func(text []byte) ([]byte, error) {
		at, err := find(text, pointer)
		if err != nil {
			return nil, err
		}
		for i := 0; ; i++ { // states stand in the order of their roles: before the first that ends
			state, err := find(text, fmt.Sprintf("%s/%d", pointer, i))
			if err != nil {
				return nil, err
			}
			if state.to > at.to {
				return nil, fs.ErrNotExist
			}
			its := string(text[state.from:state.to])
			if strings.Contains(its, `"done"`) || strings.Contains(its, `"failed"`) {
				return splice(text, state.from, state.from, item+", "), nil
			}
		}
	}})
}

// RenameState lets a state that there is once have another name.
func (b *Bench) RenameState(file, role, name string) ([]Change, error) {
	for i := range 16 {
		pointer := fmt.Sprintf("/x-interface/states/%d", i)
		at, err := find(b.source(file), pointer)
		if err != nil {
			return nil, err
		}
		if strings.Contains(string(b.source(file)[at.from:at.to]), quote(role)) {
			return b.Put(file, pointer, "name", quote(name))
		}
	}
	return nil, fs.ErrNotExist
}
