package schemas

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/formats"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// A schema compiler ignores keywords that it does not know, so a slip of the pen in a schema file would go
// unseen. The checks here refuse it, naming the file and the place.

// checker looks at one file. documents holds all files, decoded.
type checker struct {
	file       string
	documents  map[string]any
	vocabulary *jsonschema.Schema
	explain    func(*jsonschema.Schema, any) []Problem
}

func (c *checker) fail(pointer, format string, arguments ...any) error {
	return &FileError{c.file, pointer, fmt.Sprintf(format, arguments...)}
}

// root checks a whole file.
func (c *checker) root() error {
	object, ok := c.documents[c.file].(map[string]any)
	if !ok {
		return c.fail("", "a schema file must hold an object")
	}
	if id, there := object["$id"]; there && id != Base+c.file {
		return c.fail("/$id", "must be %s%s, the address of this file; found %s", Base, c.file, describe(id))
	}
	const draft = "https://json-schema.org/draft/2020-12/schema"
	if found, there := object["$schema"]; there && found != draft {
		return c.fail("/$schema", "must be %s; found %s", draft, describe(found))
	}
	return c.schema("", object)
}

// schema checks a schema and everything below it.
func (c *checker) schema(pointer string, value any) error {
	object, ok := value.(map[string]any)
	if !ok {
		if _, boolean := value.(bool); boolean {
			return nil
		}
		return c.fail(pointer, "a schema must be an object, true or false; found %s", describeKind(value))
	}
	if err := c.vocabularyKeywords(pointer, object); err != nil {
		return err
	}
	for _, keyword := range slices.Sorted(maps.Keys(object)) {
		if err := c.keyword(pointer+"/"+jsonpointer.Escape(keyword), keyword, object[keyword]); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) keyword(pointer, keyword string, value any) error {
	switch {
	case keyword == "x-attribute-types":
		return c.attributeTypes(pointer, value)
	case strings.HasPrefix(keyword, "x-"):
		return nil
	case slices.Contains(keywordsOfSchemas, keyword):
		return c.schema(pointer, value)
	case slices.Contains(keywordsOfLists, keyword):
		list, ok := value.([]any)
		if !ok {
			return c.fail(pointer, "must be an array of schemas; found %s", describeKind(value))
		}
		for i, item := range list {
			if err := c.schema(pointer+"/"+strconv.Itoa(i), item); err != nil {
				return err
			}
		}
		return nil
	case slices.Contains(keywordsOfMaps, keyword):
		return c.schemaMap(pointer, keyword, value)
	case keyword == "type":
		return c.types(pointer, value)
	case keyword == "pattern":
		return c.pattern(pointer, value)
	case keyword == "format":
		return c.format(pointer, value)
	case keyword == "$ref":
		return c.reference(pointer, value)
	case keyword == "enum":
		if list, _ := value.([]any); len(list) > mostValues {
			return c.fail(pointer, "has %d values; at most %d are allowed", len(list), mostValues)
		}
		return nil
	case slices.Contains(allKeywords, keyword):
		return nil
	default:
		return c.fail(pointer, "%s is not a keyword of JSON Schema%s; a property belongs under properties", keyword, DidYouMean(keyword,
			allKeywords))
	}
}

// attributeTypes checks the schemas in x-attribute-types, which has the shape that the vocabulary asks for.
func (c *checker) attributeTypes(pointer string, value any) error {
	list, _ := value.([]any)
	for i, item := range list {
		attribute, _ := item.(map[string]any)
		at := pointer + "/" + strconv.Itoa(i)
		if err := c.pattern(at+"/name", attribute["name"]); err != nil {
			return err
		}
		if err := c.schema(at+"/schema", attribute["schema"]); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) schemaMap(pointer, keyword string, value any) error {
	members, ok := value.(map[string]any)
	if !ok {
		return c.fail(pointer, "must be an object of schemas; found %s", describeKind(value))
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		at := pointer + "/" + jsonpointer.Escape(name)
		if keyword == "patternProperties" {
			if err := c.pattern(at, name); err != nil {
				return err
			}
		}
		if err := c.schema(at, members[name]); err != nil {
			return err
		}
	}
	return nil
}

// types checks the type of a schema, or the list of its types.
func (c *checker) types(pointer string, value any) error {
	list, is := value.([]any)
	if !is {
		list = []any{value}
	}
	for _, each := range list {
		if name, _ := each.(string); !slices.Contains(valueTypes, name) {
			return c.fail(pointer, "%s is no type: write %s, or an array of them%s", describe(each), strings.Join(valueTypes, ", "), DidYouMean(name,
				valueTypes))
		}
	}
	return nil
}

func (c *checker) pattern(pointer string, value any) error {
	text, ok := value.(string)
	if !ok {
		return c.fail(pointer, "a pattern must be a string; found %s", describeKind(value))
	}
	if _, err := regexp.Compile(text); err != nil {
		return c.fail(pointer,
			"the pattern cannot be used: %v; a pattern works in RE2: it has neither look-ahead nor look-behind nor back-references", err)
	}
	return nil
}

func (c *checker) format(pointer string, value any) error {
	name, _ := value.(string)
	known := formats.Names()
	if slices.Contains(known, name) {
		return nil
	}
	return c.fail(pointer, "there is no format %s%s", describe(value), DidYouMean(name, known))
}

// reference checks that a $ref leads to something in these files.
func (c *checker) reference(pointer string, value any) error {
	text, ok := value.(string)
	if !ok {
		return c.fail(pointer, "a $ref must be a string; found %s", describeKind(value))
	}
	name, fragment, local, err := targetOf(c.file, text)
	if err != nil {
		return c.fail(pointer, "the reference %s is not a URI", describe(text))
	}
	document, there := c.documents[name]
	if !local || !there {
		if file, _, _ := strings.Cut(text, "#"); c.documents[file] != nil {
			return c.fail(pointer, "there is no schema file %s: references are relative to the file; write %s%s", name, strings.Repeat("../",
				strings.Count(c.file, "/")), text)
		}
		return c.fail(pointer, "there is no schema file %s%s", name, DidYouMean(name, slices.Sorted(maps.Keys(c.documents))))
	}
	if fragment != "" && !strings.HasPrefix(fragment, "/") {
		return c.fail(pointer, "a reference must lead to a file or to a place in it, such as common/dates.json#/$defs/legacyDateTime")
	}
	if _, there := jsonpointer.Value(document, fragment); !there {
		parent, last := path.Split(fragment)
		siblings, _ := jsonpointer.Value(document, strings.TrimSuffix(parent, "/"))
		members, _ := siblings.(map[string]any)
		return c.fail(pointer, "there is nothing at %s in %s%s", fragment, name, DidYouMean(jsonpointer.Unescape(last),
			slices.Sorted(maps.Keys(members))))
	}
	return nil
}

// targetOf returns the file and the place that a reference in a file leads to; not local: it leads elsewhere.
func targetOf(file, reference string) (name, fragment string, local bool, err error) {
	base, _ := url.Parse(Base + file)
	target, err := base.Parse(reference)
	if err != nil {
		return "", "", false, err
	}
	fragment = target.Fragment
	target.Fragment, target.RawFragment = "", ""
	name, local = strings.CutPrefix(target.String(), Base)
	return name, fragment, local, nil
}

// vocabularyKeywords checks the x- keywords of one schema object against vocabulary.json.
func (c *checker) vocabularyKeywords(pointer string, object map[string]any) error {
	keywords := map[string]any{}
	for name, value := range object {
		if strings.HasPrefix(name, "x-") {
			keywords[name] = value
		}
	}
	if len(keywords) == 0 || c.vocabulary == nil {
		return nil
	}
	problems := c.explain(c.vocabulary, keywords)
	if len(problems) == 0 {
		return nil
	}
	return &FileError{c.file, pointer + problems[0].Pointer, problems[0].Message}
}
