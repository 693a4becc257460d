package amend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// instead are changes that put another form in the place of the one that the files have, so that a mock writes it: they count only
// if no other value of the service has the old form.
func (b *Bench) instead(f Fault) (tried [][]Step) {
	path := tokens(f.Pointer)
	root := b.library.Schema(f.Schema)
	if root != nil && f.Keyword == "required" && len(path) > 0 && !f.others(path) {
		return gone(root, path)
	}
	found, there := At(f.Value, f.Pointer)
	if root == nil || !there {
		return nil
	}
	text, isText := found.(string)
	for _, node := range nodes(root, path) {
		file, pointer := placeOf(node)
		keywords, its := schemas.KeywordsOf(node), typeOf(found)
		switch {
		case f.Keyword == "type" && found == nil:
			if keywords.Source != "" {
				tried = append(tried, []Step{become(file, pointer, `{"description": "Seen at the service.", "const": null}`, "null alone")})
			}
		case f.Keyword == "type" && node.Ref != nil:
			tried = append(tried, replaced(file, pointer, keywords, fmt.Sprintf(`"type": %q`, its)))
		case f.Keyword == "type" && len(node.Types) == 1 && len(node.Enum) == 0:
			tried = append(tried, []Step{become(file, pointer+"/type", quote(its), quote(its)+" alone")})
		case isText && (f.Keyword == "pattern" || f.Keyword == "format") && isDate(node):
			if form := formOfDate(text); form != "" {
				tried = append(tried, replaced(file, pointer, keywords, form))
			}
		case f.Keyword == "enum" && isText && slices.Equal(node.Enum, []any{"true", "false"}):
			for _, pair := range [][]string{{"1", "0"}, {"yes", "no"}, {"True", "False"}, {"TRUE", "FALSE"}, {"Y", "N"}, {"t", "f"}} {
				if slices.Contains(pair, text) {
					tried = append(tried, []Step{become(file, pointer+"/enum", list(pair), list(pair))})
				}
			}
		case f.Keyword == "enum" && isText && len(node.Enum) > 0:
			if old := renamedValue(f, node, path, text); old != "" {
				tried = append(tried, wireName(root, file, path, old, text)...)
			}
		}
	}
	return tried
}

// isDate reports whether a schema refers to a form of dates.
func isDate(node *jsonschema.Schema) bool {
	return node.Ref != nil && strings.Contains(node.Ref.Location, "common/dates.json")
}

// others reports whether another value of the service has a member.
func (f Fault) others(path []string) bool {
	return slices.ContainsFunc(f.Others, func(other any) bool { return len(at(other, path, true)) > 0 })
}

// without are names but for one.
func without(names []string, name string) string {
	return list(slices.DeleteFunc(slices.Clone(names), func(each string) bool { return each == name }))
}

// gone takes a member out that no value of the service has.
func gone(root *jsonschema.Schema, path []string) (tried [][]Step) {
	name := path[len(path)-1]
	for _, node := range nodes(root, path[:len(path)-1]) {
		if node.Properties[name] == nil || !slices.Contains(node.Required, name) {
			continue
		}
		file, pointer := placeOf(node)
		steps := []Step{leave(file, pointer+"/properties/"+Escape(name)),
			become(file, pointer+"/required", without(node.Required, name), "without "+name)}
		if its := schemas.KeywordsOf(node).CSV; its != nil && slices.Contains(its.Columns, name) {
			steps = append(steps, become(file, pointer+"/x-csv/columns", without(its.Columns, name), "without "+name))
		}
		tried = append(tried, steps)
	}
	return tried
}

// replaced puts members in the place of a reference, without the form of dates that stood beside it.
func replaced(file, pointer string, keywords schemas.Keywords, members string) []Step {
	steps := []Step{step(file, pointer, members+" alone", func(text []byte) ([]byte, error) {
		return rename(text, pointer+"/$ref", members)
	})}
	if keywords.DateFormat != "" {
		steps = append(steps, leave(file, pointer+"/x-date-format"))
	}
	return steps
}

// formOfDate is the schema of dates written like one that no definition of common/dates.json has; "" for no date.
func formOfDate(text string) string {
	const day = `[0-9]{4}-[0-9]{2}-[0-9]{2}`
	for layout, pattern := range map[string]string{
		time.DateTime: day + " [0-9]{2}:[0-9]{2}:[0-9]{2}", time.DateOnly: day,
		"2006-01-02T15:04:05-07:00": day + "T[0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}:[0-9]{2}",
	} {
		if _, err := time.Parse(layout, text); err == nil {
			return `"type": "string", "pattern": ` + quote("^"+pattern+"$")
		}
	}
	if number().MatchString(text) && (len(text) == 10 || len(text) == 13) { // seconds, or thousandths
		return fmt.Sprintf(`"type": "string", "pattern": "^[0-9]{%d}$"`, len(text))
	}
	return ""
}

// renamedValue is the value of an enum in whose place the service has another: none of its values has the old one.
func renamedValue(f Fault, node *jsonschema.Schema, path []string, now string) string {
	const enough = 20
	if len(f.Others) < enough {
		return ""
	}
	seen := map[any]bool{}
	for _, value := range f.Others {
		for _, found := range at(value, path, true) {
			seen[found] = true
		}
	}
	var gone []string
	for _, value := range node.Enum {
		if name, is := value.(string); is && !seen[value] {
			gone = append(gone, name)
		}
	}
	if likely := schemas.Likely(now, gone); likely != "" || len(gone) != 1 {
		return likely
	}
	return gone[0]
}

// wireName lets a value have another name in files: the world has the old one.
func wireName(root *jsonschema.Schema, file string, path []string, old, now string) (tried [][]Step) {
	for _, of := range [][]string{path, path[:len(path)-1]} { // a list has its names beside its items
		for _, node := range nodes(root, of) {
			in, pointer := placeOf(node)
			keywords := schemas.KeywordsOf(node)
			if keywords.Source == "" || in != file || len(keywords.Journey) > 0 {
				continue
			}
			names, known := map[string]string{}, false
			for name, wire := range keywords.WireNames {
				if names[name] = wire; wire == old {
					names[name], known = now, true
				}
			}
			if !known {
				names[old] = now
			}
			written, _ := json.Marshal(names)
			tried = append(tried, []Step{step(file, pointer, "call "+quote(old)+" "+quote(now), func(text []byte) ([]byte, error) {
				return bytes.ReplaceAll(text, []byte(quote(old)), []byte(quote(now))), nil
			}), Put(file, pointer, "x-wire-names", string(written))})
		}
	}
	return tried
}
