package openapi

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// componentPrefix begins the reference to a schema of the document.
const componentPrefix = "#/components/schemas/"

// bundle gathers the schemas that the document refers to, as components. A
// schema file becomes one component, and so does every definition in it that
// something refers to: tools then resolve everything inside the document.
type bundle struct {
	library *schemas.Library
	files   map[string]object // parsed, by name
	names   map[string]string // of the component, by file and pointer
	places  map[string]string // by the name of the component
	made    object
}

func newBundle(library *schemas.Library) *bundle {
	return &bundle{library: library, files: map[string]object{}, names: map[string]string{}, places: map[string]string{}}
}

// refer is a reference to a schema file.
func (b *bundle) refer(file string) (object, error) {
	name, err := b.component(file, "")
	if err != nil {
		return nil, err
	}
	return object{{"$ref", componentPrefix + name}}, nil
}

// component is the name of the component of a schema, which it makes unless
// there is one.
func (b *bundle) component(file, pointer string) (string, error) {
	place := file + "#" + pointer
	if name, known := b.names[place]; known {
		return name, nil
	}
	name := componentName(file, pointer)
	if other, taken := b.places[name]; taken {
		return "", fmt.Errorf("the schemas %s and %s would both be called %s in the API document; rename one of the files", other, place, name)
	}
	b.names[place], b.places[name] = name, place
	source, err := b.at(file, pointer)
	if err != nil {
		return "", err
	}
	at := len(b.made)
	b.made = append(b.made, member{name, nil})
	converted, err := b.convert(source, file)
	if err != nil {
		return "", err
	}
	b.made[at].value = converted
	return name, nil
}

// at is the schema at a pointer of a file.
func (b *bundle) at(file, pointer string) (any, error) {
	root, known := b.files[file]
	if !known {
		source := b.library.Source(file)
		if source == nil {
			return nil, fmt.Errorf("there is no schema file %s", file)
		}
		value, err := parse(source)
		if err != nil {
			return nil, fmt.Errorf("reading schema file %s: %w", file, err)
		}
		root, _ = value.(object)
		b.files[file] = root
	}
	var value any = root
	for _, token := range strings.Split(pointer, "/")[1:] {
		inner, is := value.(object)
		if !is {
			return nil, fmt.Errorf("schema file %s has nothing at %s", file, pointer)
		}
		value = inner.get(strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
	}
	if value == nil {
		return nil, fmt.Errorf("schema file %s has nothing at %s", file, pointer)
	}
	return value, nil
}

// inward are keywords that mean something to the server alone: where a value
// comes from, and what the routes are, which the document says in its own way.
// The others describe the file a definition stands in.
var inward = map[string]bool{
	"$schema": true, "$id": true, "$defs": true, "$comment": true,
	"x-export": true, "x-endpoints": true, "x-source": true, "x-journey": true, "x-weights": true,
}

// verbatim are keywords whose values are no schemas, whatever they look like.
var verbatim = map[string]bool{"const": true, "enum": true, "examples": true, "default": true}

// named are keywords whose members are schemas by a name that means nothing.
var named = map[string]bool{"properties": true, "patternProperties": true, "dependentSchemas": true}

// convert rewrites a schema for the document.
func (b *bundle) convert(value any, file string) (any, error) {
	switch value := value.(type) {
	case object:
		made := object{}
		for _, m := range value {
			var err error
			switch {
			case inward[m.name]:
				continue
			case m.name == "$ref":
				text, _ := m.value.(string)
				m.value, err = b.reference(text, file)
			case verbatim[m.name]:
			case named[m.name]:
				members, _ := m.value.(object)
				inner := make(object, len(members))
				for i, property := range members {
					inner[i].name = property.name
					if inner[i].value, err = b.convert(property.value, file); err != nil {
						return nil, err
					}
				}
				m.value = inner
			default:
				m.value, err = b.convert(m.value, file)
			}
			if err != nil {
				return nil, err
			}
			made = append(made, m)
		}
		return made, nil
	case []any:
		made := make([]any, len(value))
		for i, item := range value {
			var err error
			if made[i], err = b.convert(item, file); err != nil {
				return nil, err
			}
		}
		return made, nil
	}
	return value, nil
}

// reference turns the reference of a file into one of the document.
func (b *bundle) reference(reference, file string) (string, error) {
	target, pointer, _ := strings.Cut(reference, "#")
	switch {
	case target == "":
		target = file
	case strings.HasPrefix(target, schemas.Base):
		target = strings.TrimPrefix(target, schemas.Base)
	default:
		target = path.Join(path.Dir(file), target)
	}
	name, err := b.component(target, pointer)
	if err != nil {
		return "", fmt.Errorf("schema file %s refers to %s: %w", file, reference, err)
	}
	return componentPrefix + name, nil
}

// componentName is the name of a schema as that of a type: the words of its
// path, as in LegacyCampaignRequest.
func componentName(file, pointer string) string {
	words := strings.FieldsFunc(strings.TrimSuffix(file, ".json")+strings.ReplaceAll(pointer, "$defs", ""), func(char rune) bool {
		return char > unicode.MaxASCII || !unicode.IsLetter(char) && !unicode.IsDigit(char)
	})
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
