package amend

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Rename lets a member of a schema file have another name.
func (b *Bench) Rename(schema, from, to string) ([]Change, error) {
	return b.attempt(nil, renaming(schema, "", from, to))
}

// Renamed lets the member of a value that no schema lists take the place of one that the value has not.
func (b *Bench) Renamed(f Fault) (from string, changes []Change) {
	path := tokens(f.Pointer)
	root := b.library.Schema(f.Schema)
	if root == nil || len(path) == 0 {
		return "", nil
	}
	parent, to := path[:len(path)-1], path[len(path)-1]
	object, _ := at(f.Value, parent)
	members, is := object.(map[string]any)
	if !is {
		return "", nil
	}
	for _, node := range nodes(root, parent) {
		var fit []string
		for name, property := range node.Properties {
			if _, there := members[name]; there || property.Always != nil || property.Validate(members[to]) != nil || b.has(f, parent, name) {
				continue
			}
			fit = append(fit, name)
		}
		slices.Sort(fit)
		if from = alike(to, fit); from == "" {
			continue
		}
		file, pointer := placeOf(node)
		compiles := func(library *schemas.Library) bool { return library.Schema(f.Schema) != nil }
		if changes, err := b.attempt(compiles, renaming(file, pointer, from, to)); err == nil {
			return from, changes
		}
	}
	return "", nil
}

// has reports whether another value of the service has a member.
func (b *Bench) has(f Fault, parent []string, name string) bool {
	return slices.ContainsFunc(f.Others, func(other any) bool { return len(all(other, append(slices.Clone(parent), name))) > 0 })
}

// alike is the name that another one is most like; "" for none.
func alike(name string, among []string) string {
	if likely := schemas.Likely(name, among); likely != "" {
		return likely
	}
	words := func(name string) []string {
		return strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	}
	for _, each := range among {
		if slices.ContainsFunc(words(name), func(word string) bool { return slices.Contains(words(each), word) }) {
			return each
		}
	}
	return ""
}

// RenameColumn lets a column have another name, also where a request asks for it.
func (b *Bench) RenameColumn(export schemas.Export, from, to string) ([]Change, error) {
	root := b.library.Schema(export.Output)
	columns := slices.Clone(schemas.KeywordsOf(root).CSV.Columns)
	if at := slices.Index(columns, from); at >= 0 {
		columns[at] = to
	}
	steps := []step{renaming(export.Output, "", from, to), {Change{export.Output, "/x-csv/columns", "call " + from + " " + to},
		func(text []byte) ([]byte, error) {
			if len(columns) == 0 {
				return text, nil
			}
			return set(text, "/x-csv/columns", list(columns))
		}}}
	if path := export.Roles["ids"]; len(path) == 1 && !slices.Contains(root.Required, from) {
		names := quote(from) + ": " + quote(to)
		pointer := "/properties/" + Escape(path[0])
		steps = append(steps, step{Change{export.Request, pointer + "/items", "x-wire-names: " + names}, func(text []byte) ([]byte, error) {
			if changed, err := put(text, pointer+"/items/x-wire-names", from, quote(to)); err == nil {
				return changed, nil
			}
			return put(text, pointer, "items", `{"x-wire-names": {`+names+`}}`)
		}})
	}
	return b.attempt(nil, steps...)
}

// combined are pointers from a schema to others that apply to the same value.
var combined = pattern.Of(`^(?:/(?:allOf|anyOf|oneOf)/[0-9]+|/then|/else|/if)*$`)

// renaming renames a property of a schema, and of the schemas beside it.
func renaming(file, pointer, from, to string) step {
	return step{Change{file, pointer + "/properties/" + Escape(from), "call it " + to}, func(text []byte) ([]byte, error) {
		var document any
		if err := json.Unmarshal(text, &document); err != nil {
			return nil, err
		}
		changed, err := renameIn(text, pointer, from, to)
		if err != nil {
			return nil, err
		}
		for _, other := range objects(document, "") {
			below, within := strings.CutPrefix(other, pointer)
			if !within || below == "" || !combined().MatchString(below) {
				continue
			}
			if changed, err = renameIn(changed, other, from, to); err != nil {
				return nil, err
			}
		}
		return changed, nil
	}}
}

// objects are the pointers to all objects in a document.
func objects(value any, pointer string) (all []string) {
	switch of := value.(type) {
	case map[string]any:
		all = append(all, pointer)
		for name, member := range of {
			all = append(all, objects(member, pointer+"/"+Escape(name))...)
		}
	case []any:
		for i, item := range of {
			all = append(all, objects(item, pointer+"/"+strconv.Itoa(i))...)
		}
	}
	return all
}

// renameIn renames a property of one schema, and where it is required.
func renameIn(text []byte, pointer, from, to string) ([]byte, error) {
	property := pointer + "/properties/" + Escape(from)
	if at, err := find(text, property); err == nil {
		if text, err = rename(text, property, quote(to)+": "+string(text[at.from:at.to])); err != nil {
			return nil, err
		}
	}
	required, err := find(text, pointer+"/required")
	if err != nil {
		return text, nil
	}
	var names []string
	if err := json.Unmarshal(text[required.from:required.to], &names); err != nil {
		return nil, err
	}
	if at := slices.Index(names, from); at >= 0 {
		names[at] = to
		return set(text, pointer+"/required", list(names))
	}
	return text, nil
}
