package amend

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Fault is one fault of a value: the first that the schema file finds.
type Fault struct {
	Schema string // the file
	Value  any    // the whole value
	// Others are values of the service that the files allow, and shall allow afterwards.
	Others []any
	schemas.Problem
}

// Fix changes the schema files so that the fault of a value is none.
func (b *Bench) Fix(f Fault) ([]Change, error) {
	var allowed []any
	for _, other := range f.Others {
		if len(Problems(b.library, f.Schema, other)) == 0 {
			allowed = append(allowed, other)
		}
	}
	helps := func(library *schemas.Library) bool {
		refused := func(other any) bool { return len(Problems(library, f.Schema, other)) > 0 }
		if library.Schema(f.Schema) == nil || slices.ContainsFunc(allowed, refused) {
			return false
		}
		for _, problem := range Problems(library, f.Schema, f.Value) {
			if problem.Pointer == f.Pointer && problem.Keyword == f.Keyword {
				return false
			}
		}
		return true
	}
	last := errUseless
	for _, each := range append(b.instead(f), b.candidates(f)...) {
		changes, err := b.attempt(helps, each...)
		if err == nil {
			return changes, nil
		}
		last = err
	}
	return nil, last
}

// Problems are the faults of a value against a schema file.
func Problems(library *schemas.Library, schema string, value any) []schemas.Problem {
	var invalid *schemas.InvalidError
	err := library.Validate(schema, value)
	if err == nil {
		return nil
	}
	if asInvalid(err, &invalid) {
		return invalid.Problems
	}
	return []schemas.Problem{{Keyword: "type", Message: err.Error()}}
}

// candidates are changes that may help, the smallest first.
func (b *Bench) candidates(f Fault) (tried [][]step) {
	path := tokens(f.Pointer)
	root := b.library.Schema(f.Schema)
	if root == nil {
		return nil
	}
	last := ""
	if len(path) > 0 {
		last = path[len(path)-1]
	}
	switch f.Keyword {
	case "additionalProperties", "false", "unevaluatedProperties":
		found, _ := at(f.Value, path)
		for _, node := range nodes(root, path[:max(len(path)-1, 0)]) {
			file, pointer := placeOf(node)
			if node.AdditionalProperties != nil && len(node.Properties) > 0 {
				tried = append(tried, b.member(file, pointer, last, b.schemaOf(found), nil))
			}
			if node.Properties[last] != nil && node.Properties[last].Always != nil && !*node.Properties[last].Always {
				tried = append(tried, []step{{Change{file, pointer + "/properties/" + Escape(last), "allow it: true"},
					func(text []byte) ([]byte, error) {
						return set(text, pointer+"/properties/"+Escape(last), "true")
					}}})
			}
		}
	case "required":
		for _, node := range nodes(root, path[:max(len(path)-1, 0)]) {
			if slices.Contains(node.Required, last) {
				file, pointer := placeOf(node)
				rest := slices.DeleteFunc(slices.Clone(node.Required), func(name string) bool { return name == last })
				tried = append(tried, []step{{Change{file, pointer + "/required", last + " is not required"}, func(text []byte) ([]byte, error) {
					return set(text, pointer+"/required", list(rest))
				}}})
			}
		}
	case "enum", "const":
		found, _ := at(f.Value, path)
		value, _ := json.Marshal(found)
		for _, node := range nodes(root, path) {
			if len(node.Enum) > 0 && !schemas.KeywordsOf(node).States {
				file, pointer := placeOf(node)
				steps := []step{{Change{file, pointer + "/enum", "add " + string(value)}, func(text []byte) ([]byte, error) {
					return add(text, pointer+"/enum", string(value))
				}}}
				if len(schemas.KeywordsOf(node).Journey) > 0 { // nobody has asked for it
					steps = append(steps, step{Change{file, pointer + "/x-unasked", "add " + string(value)}, func(text []byte) ([]byte, error) {
						if added, err := add(text, pointer+"/x-unasked", string(value)); err == nil {
							return added, nil
						}
						return put(text, pointer, "x-unasked", "["+string(value)+"]")
					}})
				}
				tried = append(tried, steps)
			}
		}
		for i := range tried { // where a condition narrows the list, two have to agree
			for j := range i {
				tried = append(tried, slices.Concat(tried[j], tried[i]))
			}
		}
		if found == nil {
			tried = append(tried, b.types(root, path, nil)...)
		}
	case "type":
		found, _ := at(f.Value, path)
		tried = b.types(root, path, found)
	case "pattern", "format", "minLength":
		found, _ := at(f.Value, path)
		if found == "" {
			tried = b.wrapped(root, path, `""`, `{"const": ""}`)
		}
		tried = append(tried, b.dates(root, path)...)
	}
	return tried
}

// member are the steps that let an object have one member more.
func (b *Bench) member(file, pointer, name, schema string, further []step) []step {
	if strings.HasSuffix(file, ".request.json") { // nothing here reads it
		schema = strings.Replace(schema, "{", `{"x-role": "ignored", `, 1)
	}
	return append([]step{{Change{file, pointer + "/properties/" + Escape(name), "add " + quote(name) + ": " + schema},
		func(text []byte) ([]byte, error) {
			return add(text, pointer+"/properties", quote(name)+": "+schema)
		}}}, further...)
}

// types are changes that let a value have one type more.
func (b *Bench) types(root *jsonschema.Schema, path []string, found any) (tried [][]step) {
	name := typeOf(found)
	tried = b.wrapped(root, path, name, fmt.Sprintf(`{"type": %s}`, quote(name)))
	for _, node := range nodes(root, path) {
		file, pointer := placeOf(node)
		if len(node.Types) == 0 {
			continue
		}
		types := append(slices.Clone(node.Types), name)
		share := schemas.KeywordsOf(node).Source != "" && found == nil
		steps := []step{{Change{file, pointer + "/type", list(types)}, func(text []byte) ([]byte, error) {
			return set(text, pointer+"/type", list(types))
		}}}
		if len(node.Enum) > 0 && found == nil {
			steps = append(steps, step{Change{file, pointer + "/enum", "add null"},
				func(text []byte) ([]byte, error) { return add(text, pointer+"/enum", "null") }})
		}
		if share {
			const tenth = "0.1"
			often := step{Change{file, pointer + "/x-null-share", tenth}, func(text []byte) ([]byte, error) {
				return put(text, pointer, "x-null-share", tenth)
			}}
			tried = append(tried, append(slices.Clone(steps), often))
		}
		tried = append(tried, steps)
	}
	return tried
}

// wrapped are changes that let a value that another place describes be something else as well.
func (b *Bench) wrapped(root *jsonschema.Schema, path []string, name, schema string) (tried [][]step) {
	for _, node := range nodes(root, path) {
		if node.Ref == nil {
			continue
		}
		file, pointer := placeOf(node)
		tried = append(tried, []step{{Change{file, pointer, "allow " + name}, func(text []byte) ([]byte, error) {
			at, err := find(text, pointer+"/$ref")
			if err != nil {
				return nil, err
			}
			return rename(text, pointer+"/$ref", fmt.Sprintf(`"anyOf": [{"$ref": %s}, %s]`, text[at.from:at.to], schema))
		}}})
	}
	return tried
}

// dates are the other shapes of dates that a text may have.
func (b *Bench) dates(root *jsonschema.Schema, path []string) (tried [][]step) {
	for _, shape := range []string{"legacyDateTime", "utcDateTime", "timestamp", "dataDateTime"} {
		for _, node := range nodes(root, path) {
			if node.Ref == nil || !strings.Contains(node.Ref.Location, "common/dates.json") {
				continue
			}
			file, pointer := placeOf(node)
			steps := []step{{Change{file, pointer + "/$ref", "a date as " + shape + " in common/dates.json"}, func(text []byte) ([]byte, error) {
				return set(text, pointer+"/$ref", quote("../common/dates.json#/$defs/"+shape))
			}}}
			if schemas.KeywordsOf(node).DateFormat != "" && shape != "legacyDateTime" {
				steps = append(steps, step{Change{file, pointer + "/x-date-format", "leave it out"},
					func(text []byte) ([]byte, error) { return drop(text, pointer+"/x-date-format") }})
			} else if schemas.KeywordsOf(node).DateFormat == "" && shape == "legacyDateTime" {
				steps = append(steps, step{Change{file, pointer + "/x-date-format", "local-date-time"}, func(text []byte) ([]byte, error) {
					return put(text, pointer, "x-date-format", `"local-date-time"`)
				}})
			}
			tried = append(tried, steps)
		}
	}
	return tried
}

// nodes are the schemas that have a word about the value at a path, the nearest to the root of each first;
// those of conditions have none.
func nodes(root *jsonschema.Schema, path []string) []*jsonschema.Schema {
	level := expand(nil, root)
	for _, token := range path {
		var below []*jsonschema.Schema
		for _, node := range level {
			if property := node.Properties[token]; property != nil {
				below = expand(below, property)
			} else if inside, is := node.AdditionalProperties.(*jsonschema.Schema); is {
				below = expand(below, inside)
			}
			below = expand(below, node.Items2020)
		}
		level = below
	}
	return level
}

func expand(into []*jsonschema.Schema, s *jsonschema.Schema) []*jsonschema.Schema {
	if s == nil || slices.Contains(into, s) {
		return into
	}
	into = append(into, s)
	for _, part := range slices.Concat([]*jsonschema.Schema{s.Ref, s.Then, s.Else}, s.AllOf, s.AnyOf, s.OneOf) {
		into = expand(into, part)
	}
	return into
}

// placeOf is the file of a schema, and the pointer to it.
func placeOf(s *jsonschema.Schema) (file, pointer string) {
	address, fragment, _ := strings.Cut(s.Location, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	return strings.TrimPrefix(address, schemas.Base), fragment
}

// Allowed says in short what the schema file allows at a pointer.
func (b *Bench) Allowed(schema, pointer, keyword string) string {
	path := tokens(pointer)
	root := b.library.Schema(schema)
	if root == nil {
		return ""
	}
	switch keyword {
	case "additionalProperties", "false", "unevaluatedProperties":
		return "no such member"
	case "required":
		return "the member is required"
	}
	for _, node := range nodes(root, path) {
		switch {
		case keyword == "enum" && len(node.Enum) > 0:
			text, _ := json.Marshal(node.Enum)
			return "one of " + string(text)
		case keyword == "type" && len(node.Types) > 0:
			return strings.Join(node.Types, " or ")
		case keyword == "pattern" && node.Pattern != nil:
			if node.Title != "" {
				return node.Title
			}
			return short(node.Pattern.String())
		case keyword == "format" && node.Format != "":
			return node.Format
		}
	}
	return keyword
}

func short(text string) string {
	const most = 80
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
