package openapi

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// componentPrefix begins the reference to a schema of the document.
const componentPrefix = "#/components/schemas/"

// bundle gathers the schemas that the document refers to, as components. A schema file becomes one component, and so does every
// definition in it that something refers to: tools then resolve everything inside the document.
type bundle struct {
	library *schemas.Library
	files   map[string]object // parsed, by name
	known   map[string]object // how a schema is referred to, by file and pointer
	places  map[string]string // by the name of the component
	made    object
}

func newBundle(library *schemas.Library) *bundle {
	return &bundle{library: library, files: map[string]object{}, known: map[string]object{}, places: map[string]string{}}
}

// refer is a reference to a schema file.
func (b *bundle) refer(file string) (object, error) { return b.schema(file, "") }

// schema is a reference to the component of a schema, which it makes unless there is one; or the schema itself, where that is a plain
// value: a type of its own would be a name for a string.
func (b *bundle) schema(file, pointer string) (object, error) {
	place := file + "#" + pointer
	if known, is := b.known[place]; is {
		return known, nil
	}
	name := componentName(file, pointer)
	if err := b.take(name, place); err != nil {
		return nil, err
	}
	b.known[place] = object{{"$ref", componentPrefix + name}}
	source, err := b.at(file, pointer)
	if err != nil {
		return nil, err
	}
	b.made.set(name, object{})
	converted, err := b.flatten(source, origin{file, name})
	if err != nil {
		return nil, err
	}
	if isPlain(converted) {
		b.made = without(b.made, name)
		b.known[place] = converted
		return converted, nil
	}
	if pointer == "" {
		converted.set("externalDocs", object{{"description", "The schema with all its conditions."}, {"url", pages.DocumentBase + "/schemas/" +
			file}})
	}
	b.made.set(name, converted)
	return b.known[place], nil
}

// isPlain tells whether a schema is of strings, numbers or flags, of which none is listed.
func isPlain(schema object) bool {
	return schema.get("enum") == nil && schema.get("const") == nil && slices.Contains([]string{"string", "integer", "number", "boolean"},
		typeOf(schema))
}

// take reserves the name of a component.
func (b *bundle) take(name, place string) error {
	if other, taken := b.places[name]; taken {
		return fmt.Errorf("the schemas %s and %s would both be called %s in the API document; rename one of the files", other, place, name)
	}
	b.places[name] = place
	return nil
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

// reference turns the reference of a file into one of the document.
func (b *bundle) reference(reference, file string) (object, error) {
	target, pointer, _ := strings.Cut(reference, "#")
	switch {
	case target == "":
		target = file
	case strings.HasPrefix(target, schemas.Base):
		target = strings.TrimPrefix(target, schemas.Base)
	default:
		target = path.Join(path.Dir(file), target)
	}
	schema, err := b.schema(target, pointer)
	if err != nil {
		return nil, fmt.Errorf("schema file %s refers to %s: %w", file, reference, err)
	}
	return schema, nil
}

// componentName is the name of a schema as that of a type: the words of its path, as in LegacyCampaignRequest.
func componentName(file, pointer string) string {
	words := strings.FieldsFunc(strings.TrimSuffix(file, ".json")+strings.ReplaceAll(pointer, "$defs", ""), func(char rune) bool {
		return char > unicode.MaxASCII || !unicode.IsLetter(char) && !unicode.IsDigit(char)
	})
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
