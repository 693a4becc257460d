package dialect

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// What an interface says of itself holds in all schema files. They are written as the specification speaks; where an overlay speaks
// otherwise, its words take the place of those before anything is compiled, so that whoever reads a schema reads the same. See
// docs/how-to/overlays.md#how-does-a-dialect-reach-the-other-files

// Words are what an overlay calls otherwise than the specification does.
type Words struct {
	specified, spoken []Interface
	paths             *strings.Replacer // versions and variables of paths; nil: they are the same
	actions           *strings.Replacer // likewise
}

// NewWords compares how interfaces speak in the specification with how they do otherwise; both are as [Read]
// gives them. An interface that the specification does not have speaks as it says.
func NewWords(builtIn, spoken []Interface) Words {
	specified := slices.Clone(spoken)
	for i, its := range spoken {
		if at := slices.IndexFunc(builtIn, func(was Interface) bool { return was.Name == its.Name }); at >= 0 {
			specified[i] = builtIn[at]
		}
	}
	return Words{specified, spoken, pathsInstead(specified, spoken), actionsInstead(prefixOf(specified), prefixOf(spoken))}
}

// In puts them in the place of those of the specification in the text of the schema file of a name.
func (w Words) In(name string, text []byte) []byte {
	if w.paths != nil {
		text = []byte(w.paths.Replace(string(text)))
	}
	if w.actions != nil && strings.HasPrefix(name, "actions/") {
		text = []byte(w.actions.Replace(string(text)))
	}
	for i, is := range w.spoken {
		if was := w.specified[i].KeyVariable; name == pathVariables && is.KeyVariable != "" && is.KeyVariable != was {
			text = bytes.ReplaceAll(text, []byte(`"`+was+`":`), []byte(`"`+is.KeyVariable+`":`))
		}
		if was := w.specified[i].Headers.RetryAfter; is.Errors.Schema == name && is.Headers.RetryAfter != was {
			text = bytes.ReplaceAll(text, []byte(was), []byte(is.Headers.RetryAfter))
		}
	}
	for i, is := range w.spoken {
		if path.Dir(name) == is.Name {
			was := w.specified[i].Files
			text = []byte(strings.NewReplacer(was.LinkLifetime.String(), is.Files.LinkLifetime.String(),
				was.Lifetime.String(), is.Files.Lifetime.String()).Replace(string(text)))
		}
	}
	return withMarked(text, w.specified, w.spoken)
}

// pathsInstead puts the versions of interfaces where those of the specification stand, in paths and in patterns of
// paths, and the variable that names the application; nil if they are the same.
func pathsInstead(specified, spoken []Interface) *strings.Replacer {
	var pairs []string
	for _, was := range specified {
		for _, is := range spoken {
			if is.Name != was.Name {
				continue
			}
			if was.KeyVariable != is.KeyVariable && is.KeyVariable != "" {
				pairs = append(pairs, "{"+was.KeyVariable+"}", "{"+is.KeyVariable+"}")
			}
			if is.Version == was.Version {
				continue
			}
			escaped := func(version string) string { return "/" + strings.ReplaceAll(version, ".", "[.]") + "/" }
			pairs = append(pairs, "/"+was.Version+"/", "/"+is.Version+"/", escaped(was.Version), escaped(is.Version))
		}
	}
	if pairs == nil {
		return nil
	}
	return strings.NewReplacer(pairs...)
}

// actionsInstead puts a prefix of built-in actions where another stands in the schemas of actions: in identifiers, and in patterns of
// them, letter by letter in those of any letter case. Names of schema files keep theirs. It is nil if the prefixes are the same.
func actionsInstead(was, is string) *strings.Replacer {
	if was == is {
		return nil
	}
	pairs := []string{}
	for _, name := range []string{`"$ref": "` + was, `"$ref":"` + was} {
		pairs = append(pairs, name, name)
	}
	for _, written := range []func(prefix string) string{
		func(prefix string) string { return `"` + quoted(prefix) },
		func(prefix string) string { return `"^` + quoted(regexp.QuoteMeta(prefix)) },
		func(prefix string) string { return "begin with " + quoted(prefix) },
		anyCase,
	} {
		pairs = append(pairs, written(was), written(is))
	}
	return strings.NewReplacer(pairs...)
}

// anyCase is a pattern of a prefix in any letter case, as it stands in the text of a schema of actions.
func anyCase(prefix string) string {
	var pattern strings.Builder
	for _, char := range prefix {
		switch lower := unicode.ToLower(char); {
		case !unicode.IsLetter(char):
			pattern.WriteString(quoted(regexp.QuoteMeta(string(char))))
		case lower == 'i': // so is the capital I with a dot
			pattern.WriteString(`[iI\u0130]`)
		case lower == 'k': // so is the Kelvin sign
			pattern.WriteString(`[kK\u212a]`)
		default:
			pattern.WriteString("[" + string(lower) + string(unicode.ToUpper(char)) + "]")
		}
	}
	return pattern.String()
}

// quoted is a text as it stands within a JSON string.
func quoted(text string) string {
	made, err := json.Marshal(text)
	if err != nil {
		return text
	}
	return string(made[1 : len(made)-1])
}

// pathVariables is the schema file of the variables of paths, by their names.
const pathVariables = "common/parameters.json"

// action is the member of rows that holds the identifier of an action. The files of the legacy interface have it, and data for them.
const action = "cta"

func prefixOf(interfaces []Interface) string {
	for _, each := range interfaces {
		if each.Name == "legacy" {
			return each.ActionPrefix
		}
	}
	return specifiedPrefix
}

// withMarked writes the states of interfaces into the enums that x-states marks, and the shapes of identifiers into the definitions that
// x-identifier marks, links into the examples that x-link marks, and how built-in actions begin into examples of them, unless they are
// those of the specification.
func withMarked(text []byte, specified, spoken []Interface) []byte {
	marks := []string{`"x-states"`, `"x-identifier"`, `"x-link"`, `"` + action + `"`}
	if !slices.ContainsFunc(marks, func(mark string) bool { return bytes.Contains(text, []byte(mark)) }) {
		return text
	}
	instead := map[string]any{} // by the pointer of what gives way
	eachMemberValue(text, func(pointer jsontext.Pointer, value jsontext.Value, _ int64) {
		var states States
		var identifier Identifier
		var link Link
		if pointer.LastToken() == "x-states" && json.Unmarshal(value, &states) == nil && !slices.Equal(states.of(specified), states.of(spoken)) {
			instead[string(pointer.Parent())+"/enum"] = states.of(spoken)
		} else if prefix := prefixOf(spoken); pointer.LastToken() == action && prefix != prefixOf(specified) {
			instead[string(pointer)] = json.RawMessage(bytes.ReplaceAll(value, []byte(`"`+specifiedPrefix), []byte(`"`+prefix)))
		} else if json.Unmarshal(value, &identifier) == nil && identifier.begins(specified) != identifier.begins(spoken) {
			instead[string(pointer)] = identifier.spoken(spoken)
		} else if json.Unmarshal(value, &link) == nil && link.in(specified) != link.in(spoken) {
			instead[string(pointer)+"/examples"] = []string{link.in(spoken)}
		}
	})
	var made []byte
	end := int64(0)
	eachMemberValue(text, func(pointer jsontext.Pointer, value jsontext.Value, at int64) {
		other, is := instead[string(pointer)]
		if !is {
			return
		}
		spoken, err := json.Marshal(other)
		if err != nil {
			return
		}
		made = append(append(made, text[end:at]...), spoken...)
		end = at + int64(len(value))
	})
	return append(made, text[end:]...)
}

// States is what x-states says: which states of which interfaces.
type States struct{ Interfaces, Roles []string }

// of lists the states that are meant, each once.
func (c States) of(interfaces []Interface) []string {
	names := []string{}
	for _, each := range interfaces {
		for _, state := range each.States {
			if slices.Contains(c.Interfaces, each.Name) && (c.Roles == nil || slices.Contains(c.Roles, state.Role)) && !slices.Contains(names,
				state.Name) {
				names = append(names, state.Name)
			}
		}
	}
	return names
}

// eachMemberValue calls visit with the values of members of objects in a JSON text that are arrays or objects,
// the outer before the inner, and with where each begins.
func eachMemberValue(text []byte, visit func(pointer jsontext.Pointer, value jsontext.Value, at int64)) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return
		}
		kind, length := decoder.StackIndex(decoder.StackDepth())
		isName := kind == '{' && length%2 == 1 && token.Kind() == '"'
		if next := decoder.PeekKind(); !isName || next != '[' && next != '{' {
			continue
		}
		pointer, rest := decoder.StackPointer(), text[decoder.InputOffset():]
		inner := jsontext.NewDecoder(bytes.NewReader(rest[bytes.IndexAny(rest, "[{"):]))
		value, err := inner.ReadValue()
		if err != nil {
			return
		}
		visit(pointer, value, decoder.InputOffset()+int64(bytes.IndexAny(rest, "[{")))
	}
}

// PathFault says what is wrong with a path of an interface: it does not begin with the version, or lacks the
// variable of the application; "" for nothing.
func (i *Interface) PathFault(path string) string {
	if first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); first != i.Version {
		if strings.Trim(first, "0123456789.") != "" { // it is no other version
			rest = strings.TrimPrefix(path, "/")
		}
		return "the path " + path + " does not begin with the version of the interface " + i.Name + ": write /" + i.Version + "/" + rest +
			", or give " + i.File + " another version"
	}
	if i.KeyVariable != "" && !strings.Contains(path, "/{"+i.KeyVariable+"}") {
		return "the path " + path + " does not name the application: write {" + i.KeyVariable + "}, the keyVariable of " + i.File
	}
	return ""
}

// Otherwise is what the bytes of a file in a format depend on beside its schemas, where that is not as the
// specification has it; "" where it is.
func (i *Interface) Otherwise(format string) string {
	text := ""
	if format == "json" && i.Files.Lines() {
		text = "lines"
	}
	text += i.Files.Container
	if i.ActionPrefix != specifiedPrefix {
		text += " " + i.ActionPrefix
	}
	return text
}

// specifiedPrefix begins identifiers of built-in actions (actions module).
const specifiedPrefix = "service."
