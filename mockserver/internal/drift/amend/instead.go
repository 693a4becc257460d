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
func (b *Bench) instead(f Fault) (tried [][]step) {
	path := tokens(f.Pointer)
	root := b.library.Schema(f.Schema)
	found, there := at(f.Value, path)
	if root != nil && f.Keyword == "required" && len(path) > 0 && !b.has(f, path[:len(path)-1], path[len(path)-1]) {
		return b.gone(root, path)
	}
	if root == nil || !there {
		return nil
	}
	text, isText := found.(string)
	for _, node := range nodes(root, path) {
		file, pointer := placeOf(node)
		keywords := schemas.KeywordsOf(node)
		switch {
		case found == nil && keywords.Source != "" && f.Keyword == "type":
			tried = append(tried, []step{{Change{file, pointer, "null alone"}, func(text []byte) ([]byte, error) {
				return set(text, pointer, `{"description": "Seen at the service.", "const": null}`)
			}}})
		case f.Keyword == "type" && node.Ref != nil && found != nil:
			tried = append(tried, b.replaced(file, pointer, keywords, fmt.Sprintf(`"type": %s`, quote(typeOf(found)))))
		case f.Keyword == "type" && len(node.Types) == 1 && len(node.Enum) == 0 && found != nil:
			tried = append(tried, []step{{Change{file, pointer + "/type", quote(typeOf(found)) + " alone"}, func(text []byte) ([]byte, error) {
				return set(text, pointer+"/type", quote(typeOf(found)))
			}}})
		case isText && (f.Keyword == "pattern" || f.Keyword == "format") && node.Ref != nil &&
			strings.Contains(node.Ref.Location, "common/dates.json"):
			if form := formOfDate(text); form != "" {
				tried = append(tried, b.replaced(file, pointer, keywords, form))
			}
		case f.Keyword == "enum" && isText && slices.Equal(node.Enum, []any{"true", "false"}):
			for _, pair := range [][2]string{{"1", "0"}, {"yes", "no"}, {"True", "False"}, {"TRUE", "FALSE"}, {"Y", "N"}, {"t", "f"}} {
				if pair[0] == text || pair[1] == text {
					tried = append(tried, []step{{Change{file, pointer + "/enum", list(pair[:])}, func(text []byte) ([]byte, error) {
						return set(text, pointer+"/enum", list(pair[:]))
					}}})
				}
			}
		case f.Keyword == "enum" && isText && len(node.Enum) > 0:
			if old := b.renamedValue(f, node, path, text); old != "" {
				tried = append(tried, b.wireName(root, file, path, old, text)...)
			}
		}
	}
	return tried
}

// gone takes a member out that no value of the service has.
func (b *Bench) gone(root *jsonschema.Schema, path []string) (tried [][]step) {
	name := path[len(path)-1]
	for _, node := range nodes(root, path[:len(path)-1]) {
		if node.Properties[name] == nil || !slices.Contains(node.Required, name) {
			continue
		}
		file, pointer := placeOf(node)
		rest := slices.DeleteFunc(slices.Clone(node.Required), func(each string) bool { return each == name })
		steps := []step{{Change{file, pointer + "/properties/" + Escape(name), "leave it out"}, func(text []byte) ([]byte, error) {
			changed, err := drop(text, pointer+"/properties/"+Escape(name))
			if err != nil {
				return nil, err
			}
			return set(changed, pointer+"/required", list(rest))
		}}}
		if its := schemas.KeywordsOf(node).CSV; its != nil && slices.Contains(its.Columns, name) {
			columns := slices.DeleteFunc(slices.Clone(its.Columns), func(each string) bool { return each == name })
			steps = append(steps, step{Change{file, pointer + "/x-csv/columns", "without " + name}, func(text []byte) ([]byte, error) {
				return set(text, pointer+"/x-csv/columns", list(columns))
			}})
		}
		tried = append(tried, steps)
	}
	return tried
}

// replaced puts members in the place of a reference, without the form of dates that stood beside it.
func (b *Bench) replaced(file, pointer string, keywords schemas.Keywords, members string) []step {
	steps := []step{{Change{file, pointer, members + " alone"}, func(text []byte) ([]byte, error) {
		return rename(text, pointer+"/$ref", members)
	}}}
	if keywords.DateFormat != "" {
		steps = append(steps, step{Change{file, pointer + "/x-date-format", "leave it out"},
			func(text []byte) ([]byte, error) { return drop(text, pointer+"/x-date-format") }})
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
	switch seconds := number().MatchString(text); {
	case seconds && len(text) == 10:
		return `"type": "string", "pattern": "^[0-9]{10}$"`
	case seconds && len(text) == 13:
		return `"type": "string", "pattern": "^[0-9]{13}$"`
	}
	return ""
}

// renamedValue is the value of an enum in whose place the service has another: none of its values has the old one.
func (b *Bench) renamedValue(f Fault, node *jsonschema.Schema, path []string, now string) string {
	const enough = 20
	if len(f.Others) < enough {
		return ""
	}
	seen := map[any]bool{}
	for _, value := range f.Others {
		for _, found := range all(value, path) {
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

// all are the values at a path, with every item of an array in the place of a number.
func all(value any, path []string) []any {
	if len(path) == 0 {
		return []any{value}
	}
	switch of := value.(type) {
	case map[string]any:
		if member, there := of[path[0]]; there {
			return all(member, path[1:])
		}
	case []any:
		var found []any
		for _, item := range of {
			found = append(found, all(item, path[1:])...)
		}
		return found
	}
	return nil
}

// wireName lets a value have another name in files: the world has the old one.
func (b *Bench) wireName(root *jsonschema.Schema, file string, path []string, old, now string) (tried [][]step) {
	for _, of := range [][]string{path, path[:len(path)-1]} { // a list has its names beside its items
		for _, node := range nodes(root, of) {
			in, pointer := placeOf(node)
			keywords := schemas.KeywordsOf(node)
			if keywords.Source == "" || in != file || len(keywords.Journey) > 0 {
				continue
			}
			names := map[string]string{}
			for name, wire := range keywords.WireNames {
				names[name] = wire
				if wire == old {
					names[name] = now
				}
			}
			if !bytes.Contains([]byte(fmt.Sprint(names)), []byte(":"+now)) {
				names[old] = now
			}
			written, _ := json.Marshal(names)
			tried = append(tried, []step{
				{Change{file, pointer, "call " + quote(old) + " " + quote(now)}, func(text []byte) ([]byte, error) {
					return bytes.ReplaceAll(text, []byte(quote(old)), []byte(quote(now))), nil
				}},
				{Change{file, pointer + "/x-wire-names", string(written)}, func(text []byte) ([]byte, error) {
					return put(text, pointer, "x-wire-names", string(written))
				}},
			})
		}
	}
	return tried
}
