package amend

import (
	"encoding/json"
	"errors"
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
func (b *Bench) Fix(f Fault) []Change {
	refusedBy := func(library *schemas.Library) func(any) bool {
		return func(other any) bool { return len(Problems(library, f.Schema, other)) > 0 }
	}
	allowed := slices.DeleteFunc(slices.Clone(f.Others), refusedBy(b.library))
	helps := func(library *schemas.Library) bool {
		return library.Schema(f.Schema) != nil && !slices.ContainsFunc(allowed, refusedBy(library)) &&
			!slices.ContainsFunc(Problems(library, f.Schema, f.Value), func(problem schemas.Problem) bool {
				return problem.Pointer == f.Pointer && problem.Keyword == f.Keyword
			})
	}
	for _, each := range append(b.instead(f), b.candidates(f)...) {
		if changes := b.attempt(helps, each...); changes != nil {
			return changes
		}
	}
	return nil
}

// Problems are the faults of a value against a schema file.
func Problems(library *schemas.Library, schema string, value any) []schemas.Problem {
	var invalid *schemas.InvalidError
	switch err := library.Validate(schema, value); {
	case err == nil:
		return nil
	case errors.As(err, &invalid):
		return invalid.Problems
	default:
		return []schemas.Problem{{Keyword: "type", Message: err.Error()}}
	}
}

// candidates are changes that may help, the smallest first.
func (b *Bench) candidates(f Fault) (tried [][]Step) {
	path := tokens(f.Pointer)
	root := b.library.Schema(f.Schema)
	if root == nil {
		return nil
	}
	parent, last := path, ""
	if len(path) > 0 {
		parent, last = path[:len(path)-1], path[len(path)-1]
	}
	found, _ := At(f.Value, f.Pointer)
	switch f.Keyword {
	case "additionalProperties", "false", "unevaluatedProperties":
		for _, node := range nodes(root, parent) {
			file, pointer := placeOf(node)
			if node.AdditionalProperties != nil && len(node.Properties) > 0 {
				tried = append(tried, []Step{member(file, pointer, last, schemaOf(found))})
			}
			if its := node.Properties[last]; its != nil && its.Always != nil && !*its.Always {
				tried = append(tried, []Step{become(file, pointer+"/properties/"+Escape(last), "true", "allow it: true")})
			}
		}
	case "required":
		for _, node := range nodes(root, parent) {
			if slices.Contains(node.Required, last) {
				file, pointer := placeOf(node)
				tried = append(tried, []Step{become(file, pointer+"/required", without(node.Required, last), last+" is not required")})
			}
		}
	case "enum", "const":
		value, _ := json.Marshal(found)
		for _, node := range nodes(root, path) {
			if len(node.Enum) > 0 && !schemas.KeywordsOf(node).States {
				file, pointer := placeOf(node)
				steps := []Step{Add(file, pointer+"/enum", string(value))}
				if len(schemas.KeywordsOf(node).Journey) > 0 { // nobody has asked for it
					steps = append(steps, step(file, pointer+"/x-unasked", "add "+string(value), func(text []byte) ([]byte, error) {
						if added, err := add(text, pointer+"/x-unasked", string(value)); err == nil {
							return added, nil
						}
						return put(text, pointer, "x-unasked", "["+string(value)+"]")
					}))
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
			tried = append(tried, types(root, path, nil)...)
		}
	case "type":
		tried = types(root, path, found)
	case "pattern", "format", "minLength":
		if found == "" {
			tried = wrapped(root, path, `""`, `{"const": ""}`)
		}
		tried = append(tried, dates(root, path)...)
	}
	return tried
}

// member lets an object have one member more.
func member(file, pointer, name, schema string) Step {
	if strings.HasSuffix(file, ".request.json") { // nothing here reads it
		schema = strings.Replace(schema, "{", `{"x-role": "ignored", `, 1)
	}
	made := Add(file, pointer+"/properties", quote(name)+": "+schema)
	made.Pointer += "/" + Escape(name)
	return made
}

// types are changes that let a value have one type more.
func types(root *jsonschema.Schema, path []string, found any) (tried [][]Step) {
	name := typeOf(found)
	tried = wrapped(root, path, name, fmt.Sprintf(`{"type": %q}`, name))
	for _, node := range nodes(root, path) {
		if len(node.Types) == 0 {
			continue
		}
		file, pointer := placeOf(node)
		types := list(append(slices.Clone(node.Types), name))
		steps := []Step{become(file, pointer+"/type", types, types)}
		if len(node.Enum) > 0 && found == nil {
			steps = append(steps, Add(file, pointer+"/enum", "null"))
		}
		if schemas.KeywordsOf(node).Source != "" && found == nil {
			tried = append(tried, append(slices.Clone(steps), Put(file, pointer, "x-null-share", "0.1")))
		}
		tried = append(tried, steps)
	}
	return tried
}

// wrapped are changes that let a value that another place describes be something else as well.
func wrapped(root *jsonschema.Schema, path []string, name, schema string) (tried [][]Step) {
	for _, node := range nodes(root, path) {
		if node.Ref == nil {
			continue
		}
		file, pointer := placeOf(node)
		tried = append(tried, []Step{step(file, pointer, "allow "+name, func(text []byte) ([]byte, error) {
			at, err := find(text, pointer+"/$ref")
			return splice(text, at.name, at.to, fmt.Sprintf(`"anyOf": [{"$ref": %s}, %s]`, text[at.from:at.to], schema)), err
		})})
	}
	return tried
}

// dates are the other shapes of dates that a text may have.
func dates(root *jsonschema.Schema, path []string) (tried [][]Step) {
	for _, shape := range []string{"legacyDateTime", "utcDateTime", "timestamp", "dataDateTime"} {
		for _, node := range nodes(root, path) {
			if !isDate(node) {
				continue
			}
			file, pointer := placeOf(node)
			steps := []Step{become(file, pointer+"/$ref", quote("../common/dates.json#/$defs/"+shape),
				"a date as "+shape+" in common/dates.json")}
			switch its, local := schemas.KeywordsOf(node).DateFormat, shape == "legacyDateTime"; {
			case its != "" && !local:
				steps = append(steps, leave(file, pointer+"/x-date-format"))
			case its == "" && local:
				steps = append(steps, Put(file, pointer, "x-date-format", `"local-date-time"`))
			}
			tried = append(tried, steps)
		}
	}
	return tried
}

// nodes are the schemas that have a word about the value at a path, the nearest to the root of each first; those of conditions have none.
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
	switch keyword {
	case "additionalProperties", "false", "unevaluatedProperties":
		return "no such member"
	case "required":
		return "the member is required"
	}
	for _, node := range nodes(b.library.Schema(schema), tokens(pointer)) {
		switch {
		case keyword == "enum" && len(node.Enum) > 0:
			text, _ := json.Marshal(node.Enum)
			return "one of " + string(text)
		case keyword == "type" && len(node.Types) > 0:
			return strings.Join(node.Types, " or ")
		case keyword == "pattern" && node.Pattern != nil && node.Title != "":
			return node.Title
		case keyword == "pattern" && node.Pattern != nil:
			const most = 80
			if text := node.Pattern.String(); len(text) > most {
				return text[:most] + "..."
			}
			return node.Pattern.String()
		case keyword == "format" && node.Format != "":
			return node.Format
		}
	}
	return keyword
}
