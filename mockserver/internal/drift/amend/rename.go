package amend

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Renamed lets the member of a value that no schema lists take the place of one that the value has not.
func (b *Bench) Renamed(f Fault) (from string, changes []Change) {
	path := tokens(f.Pointer)
	root := b.library.Schema(f.Schema)
	if root == nil || len(path) == 0 {
		return "", nil
	}
	parent, to := path[:len(path)-1], path[len(path)-1]
	within := f.Pointer[:strings.LastIndexByte(f.Pointer, '/')]
	object, _ := At(f.Value, within)
	members, is := object.(map[string]any)
	if !is {
		return "", nil
	}
	var missing, unknown []string // by the faults of the object itself
	for _, fault := range Problems(b.library, f.Schema, f.Value) {
		if at := tokens(fault.Pointer); len(at) == len(path) && strings.HasPrefix(fault.Pointer, within+"/") {
			switch name := at[len(at)-1]; fault.Keyword {
			case "required":
				missing = append(missing, name)
			case f.Keyword:
				unknown = append(unknown, name)
			}
		}
	}
	for _, node := range nodes(root, parent) {
		var gone, optional []string
		for name, property := range node.Properties {
			_, there := members[name]
			switch {
			case there || property.Always != nil || !canBe(property, members[to]) || f.others(append(slices.Clone(parent), name)):
			case slices.Contains(missing, name):
				gone = append(gone, name)
			default:
				optional = append(optional, name)
			}
		}
		if from = alike(to, gone, node); from == "" && len(gone) == 1 && len(unknown) == 1 {
			from = gone[0]
		}
		if from == "" {
			from = alike(to, optional, node)
		}
		if from == "" {
			continue
		}
		file, pointer := placeOf(node)
		compiles := func(library *schemas.Library) bool { return library.Schema(f.Schema) != nil }
		if changes := b.attempt(compiles, renaming(file, pointer, from, to)); changes != nil {
			return from, changes
		}
	}
	return "", nil
}

// canBe reports whether a value may be one of a property: a number is a date only if it counts seconds, or thousandths.
func canBe(property *jsonschema.Schema, value any) bool {
	source := schemas.KeywordsOf(property).Source
	if count, is := value.(json.Number); is && (strings.HasSuffix(source, "_at") || strings.HasSuffix(source, "date")) &&
		formOfDate(count.String()) == "" {
		return false
	}
	return property.Validate(value) == nil
}

// alike is the property that a name is most like: by its letters, by the source of its values, or by a word that no other
// property of the schema has; "" for none.
func alike(name string, among []string, of *jsonschema.Schema) string {
	slices.Sort(among)
	if likely := schemas.Likely(name, among); likely != "" {
		return likely
	}
	words := func(name string) []string {
		return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("_-.", r) })
	}
	count := map[string]int{}
	for property := range of.Properties {
		for _, word := range words(property) {
			count[word]++
		}
	}
	for _, each := range among {
		if strings.HasSuffix(schemas.KeywordsOf(of.Properties[each]).Source, "."+name) {
			return each
		}
	}
	for _, each := range among {
		if slices.ContainsFunc(words(each), func(word string) bool { return count[word] == 1 && slices.Contains(words(name), word) }) {
			return each
		}
	}
	return ""
}

// RenameColumn lets a column have another name, also where a request asks for it.
func (b *Bench) RenameColumn(export schemas.Export, from, to string) []Change {
	root := b.library.Schema(export.Output)
	columns := slices.Clone(schemas.KeywordsOf(root).CSV.Columns)
	steps := []Step{renaming(export.Output, "", from, to)}
	if at := slices.Index(columns, from); at >= 0 {
		columns[at] = to
		steps = append(steps, become(export.Output, "/x-csv/columns", list(columns), "call "+from+" "+to))
	}
	if path := export.Roles["ids"]; len(path) == 1 && !slices.Contains(root.Required, from) {
		names := quote(from) + ": " + quote(to)
		pointer := "/properties/" + Escape(path[0])
		steps = append(steps, step(export.Request, pointer+"/items", "x-wire-names: "+names, func(text []byte) ([]byte, error) {
			if changed, err := put(text, pointer+"/items/x-wire-names", from, quote(to)); err == nil {
				return changed, nil
			}
			return put(text, pointer, "items", `{"x-wire-names": {`+names+`}}`)
		}))
	}
	return b.Apply(steps...)
}

// combined are pointers from a schema to others that apply to the same value.
var combined = pattern.Of(`^(?:/(?:allOf|anyOf|oneOf)/[0-9]+|/then|/else|/if)*$`)

// renaming renames a property of a schema, and of the schemas beside it.
func renaming(file, pointer, from, to string) Step {
	return step(file, pointer+"/properties/"+Escape(from), "call it "+to, func(text []byte) ([]byte, error) {
		var document any
		err := json.Unmarshal(text, &document)
		for _, other := range objects(document, "") {
			if below, within := strings.CutPrefix(other, pointer); err == nil && within && combined().MatchString(below) {
				text, err = renameIn(text, other, from, to)
			}
		}
		return text, err
	})
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
		text = splice(text, at.name, at.to, quote(to)+": "+string(text[at.from:at.to]))
	}
	required, err := find(text, pointer+"/required")
	if err != nil {
		return text, nil
	}
	var names []string
	err = json.Unmarshal(text[required.from:required.to], &names)
	if at := slices.Index(names, from); at >= 0 {
		names[at] = to
		return set(text, pointer+"/required", list(names))
	}
	return text, err
}
