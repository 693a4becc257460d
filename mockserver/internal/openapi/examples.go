package openapi

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// The examples are recorded from a server, so that they are what it answers.
//
//go:generate go run ./recorder examples.json

//go:embed examples.json
var recorded []byte

// Example is an answer of a server: a JSON value, or a string of any other
// media type.
type Example struct {
	Name    string          `json:"name"`
	Summary string          `json:"summary,omitempty"`
	Value   json.RawMessage `json:"value"`
}

// Place names an answer in the file of examples: an operation, or a component
// that operations share, with a status and a media type.
func Place(name, status, media string) string {
	return name + " " + status + " " + plainMedia(media)
}

// examples are the recorded examples, by their place.
type examples map[string][]Example

func readExamples(library *schemas.Library) (examples, error) {
	made := examples{}
	if err := json.Unmarshal(spoken(recorded, library), &made); err != nil {
		return nil, fmt.Errorf("reading examples.json: %w; write {} into it and run make generate", err)
	}
	foreign, err := foreignLinks(library)
	if err != nil {
		return nil, err
	}
	for place, of := range made {
		made[place] = slices.DeleteFunc(of, func(e Example) bool { return foreign != nil && foreign.Match(e.Value) })
	}
	return made, nil
}

// spoken is a text with the words of the interfaces in the place of those of the
// specification, with which it was recorded.
func spoken(text []byte, library *schemas.Library) []byte {
	var pairs []string
	for _, was := range exports.Specified() {
		is, _ := exports.DialectOf(library).Named(was.Name)
		for _, pair := range [][2]string{
			{"/" + was.Version + "/", "/" + is.Version + "/"}, {was.Headers.Credential, is.Headers.Credential}, {was.Headers.Project, is.Headers.Project},
			{was.Headers.RetryAfter, is.Headers.RetryAfter}, {carried(was), carried(is)}, {unknown(was), unknown(is)},
		} {
			// The control token has the header Authorization, whatever interfaces have.
			if pair[0] != pair[1] && pair[0] != "" && pair[1] != "" && pair[0] != "Authorization" {
				pairs = append(pairs, pair[0], pair[1])
			}
			if pair[0] == "Authorization" {
				pairs = append(pairs, "the header Authorization is missing; it carries "+carried(was), "the header "+pair[1]+" is missing; it carries "+carried(is))
			}
		}
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(text)))
}

// carried is what a refusal says that the header of the credential carries.
func carried(its exports.Interface) string {
	what, example := "the company REST API key", "KEY"
	if its.KeyVariable == "" {
		what, example = its.Headers.Token(), "token"
	}
	if its.Headers.Scheme == "" {
		return what
	}
	return what + " (" + its.Headers.Value("<"+example+">") + ")"
}

// unknown is the identifier of no export in a recorded refusal.
func unknown(its exports.Interface) string {
	if its.Identifiers.Export == "" {
		return `"00000000-0000-4000-8000-000000000000\"`
	}
	return `"` + its.Identifiers.Export + `unknown\"`
}

// foreignLinks finds the links of interfaces that link to files otherwise than
// those from which examples were recorded; nil without any.
func foreignLinks(library *schemas.Library) (*regexp.Regexp, error) {
	specified, err := schemas.Embedded()
	if err != nil {
		return nil, err
	}
	var links []string
	for i, is := range library.Interfaces() {
		if was := specified.Interfaces()[i]; was.Files == is.Files && was.Identifiers == is.Identifiers {
			continue
		}
		links = append(links, map[string]string{"legacy": "/files/[^\"]*[.]csv[?]", "profiles": "/files/[^\"]*[.]json[?]|/exports/download[?]"}[is.Name])
	}
	if links == nil {
		return nil, nil
	}
	return regexp.Compile(strings.Join(links, "|"))
}

// at gives the examples of a place that fit the schemas of this server: with
// other schemas than the built-in ones, some may not.
func (e examples) at(place string, fits func(name string, value any) bool) (object, error) {
	made := object{}
	for _, example := range e[place] {
		value, err := parse(example.Value)
		if err != nil {
			return nil, fmt.Errorf("example %s of %s: %w", example.Name, place, err)
		}
		if fits(example.Name, value) {
			made.set(example.Name, exampleOf(example.Summary, value))
		}
	}
	return made, nil
}

func exampleOf(summary string, value any) object {
	if summary == "" {
		return object{{"value", value}}
	}
	return object{{"summary", summary}, {"value", value}}
}

// requestExamples are bodies that a route takes: the sample of the route, or one
// of each schema.
func (d *builder) requestExamples(route *httpd.Route) (object, error) {
	if route.Sample != "" {
		var value any = route.Sample
		if mediaOf(route) == mediaJSON || route.Request != "" {
			var err error
			if value, err = parse([]byte(route.Sample)); err != nil {
				return nil, fmt.Errorf("its sample: %w", err)
			}
		}
		return object{{"example", exampleOf("", value)}}, nil
	}
	made := object{}
	for _, export := range route.Exports {
		schema, err := d.bundle.refer(export.Request)
		if err != nil {
			return nil, err
		}
		value, _ := d.sample(schema).(object)
		if value.get("from") != nil && value.get("to") != nil {
			value.set("to", "now") // whatever the clock shows
		}
		made.set(ExampleName(export.Kind), exampleOf("", value))
	}
	if route.Request != "" {
		schema, err := d.bundle.refer(route.Request)
		if err != nil {
			return nil, err
		}
		made.set("example", exampleOf("", d.sample(schema)))
	}
	return made, nil
}

// fits tells whether a value is one of a schema.
func (d *builder) fits(schema string, value any) bool {
	return d.library.Validate(schema, value) == nil
}

// fitsFile tells whether the beginning of a file could be that of a kind.
func (d *builder) fitsFile(export schemas.Export, value any) bool {
	text, is := value.(string)
	if !is {
		return d.fits(export.Output, value)
	}
	faulty := false
	_, err := d.library.CheckCSV(export.Output, strings.NewReader(text), func(schemas.Fault) bool { faulty = true; return false })
	return err == nil && !faulty
}

// ExampleName is the name of an example of a kind of export, of letters and digits.
func ExampleName(kind string) string {
	words := strings.FieldsFunc(kind, func(char rune) bool { return char == '.' || char == '-' || char == '_' })
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// plainMedia is a media type without its parameters.
func plainMedia(media string) string {
	plain, _, _ := strings.Cut(media, ";")
	return strings.TrimSpace(plain)
}
