// Package answers writes the answers of the export API as their schemas say. A member has a source (x-source), a constant, or a value
// that the schema allows; there is no other description.
package answers

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/encode"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Values are the facts of an answer by the names of sources; a source without a value is absent. A value is a string,
// an int64, a bool, a time.Time, a json.RawMessage, or []Values for a list.
type Values map[string]any

// identity returns a hash of the subject of an answer, for values without a source.
func (v Values) identity() uint64 {
	hash := fnv.New64a()
	for _, source := range []string{vocabulary.RecordID, vocabulary.FileID, vocabulary.ErrorName} {
		text, _ := v[source].(string)
		hash.Write([]byte(text))
	}
	return hash.Sum64()
}

// Writer writes the answers of one schema. It is safe for concurrent use.
type Writer struct {
	root    value
	sources map[string]merged.Schema // by source, the schema of the member that prints it
}

// Compile makes the writer of the answers of a schema file, or of one branch of it. The examples have every source once at least. They
// decide on the form of values, and an overlay by which one of them would not fit is refused with a [*schemas.FileError].
func Compile(library *schemas.Library, file string, branch *jsonschema.Schema, examples []Values) (*Writer, error) {
	embedded, err := schemas.Embedded()
	if err != nil {
		return nil, err
	}
	w := &Writer{sources: map[string]merged.Schema{}}
	c := compiler{library, w.sources}
	root := []*jsonschema.Schema{library.Schema(file)}
	if branch != nil {
		root = append(root, branch)
	}
	was := merged.Of([]*jsonschema.Schema{embedded.Schema(file)}, nil)
	if w.root, err = c.value(root, was, examples, ""); err != nil || library == embedded {
		return w, err
	}
	for _, example := range examples {
		written, err := schemas.Decode(w.Write(example))
		if err != nil {
			return nil, err
		}
		var invalid *schemas.InvalidError
		if err := library.Validate(file, written); errors.As(err, &invalid) {
			return nil, unfitting(merged.Of(root, nil), file, invalid.Problems[0])
		} else if err != nil {
			return nil, err
		}
	}
	return w, nil
}

// unfitting is the fault of a schema that refuses the answers written by it.
func unfitting(root merged.Schema, file string, problem schemas.Problem) error {
	pointer, advice := "", "give the member another x-source or a const, or allow the answer"
	if problem.Pointer != "" {
		name, _, _ := strings.Cut(problem.Pointer[1:], "/")
		pointer = "/properties/" + name
		if problem.Keyword == "required" && len(root.Property(name)) == 0 {
			pointer, advice = "/required", "describe the member under properties, or take it off required"
		}
	}
	return &schemas.FileError{File: file, Pointer: pointer, Message: "answers that are written by this schema do not fit it: " +
		problem.Message +
		"; " + advice}
}

// Write writes an answer.
func (w *Writer) Write(known Values) []byte {
	text, _ := w.root(make([]byte, 0, 512), known)
	return append(text, '\n')
}

// Allows tells whether the member that prints a source may have a value; true if there is none.
func (w *Writer) Allows(source, value string) bool { return w.sources[source].Accepts(value) }

// value writes one value; without one, dst stays as it was.
type value func(dst []byte, known Values) (text []byte, there bool)

func literal(text []byte) value {
	return func(dst []byte, _ Values) ([]byte, bool) { return append(dst, text...), true }
}

type compiler struct {
	library *schemas.Library
	sources map[string]merged.Schema
}

// value compiles a value of schemas that all apply to it. was is the schema of the embedded file in the same place.
func (c *compiler) value(allowed, was merged.Schema, examples []Values, place string) (value, error) {
	all := merged.Of(allowed, nil)
	if fixed, is := all.Constant(); is {
		return literal(encode.JSON(fixed)), nil
	}
	keywords := printed(all, was)
	switch {
	case keywords.Source != "":
		c.sources[keywords.Source] = allowed
		return c.sourced(allowed, was, keywords, examples, place)
	case len(all.Names(c.library)) > 0:
		return c.object(allowed, was, examples, place)
	}
	drawn, err := rows.Drawn(c.library, all, allowed, place)
	return func(dst []byte, known Values) ([]byte, bool) { return drawn(dst, known.identity()) }, err
}

// printed are the keywords of a value. An overlay that describes a member anew, and gives no source, means the same member.
func printed(all, was merged.Schema) schemas.Keywords {
	keywords := all.Keywords()
	if keywords.Source == "" {
		keywords.Source, keywords.WireNames = was.Keywords().Source, was.Keywords().WireNames
	}
	return keywords
}

// sourced compiles a value that a source gives.
func (c *compiler) sourced(allowed, was merged.Schema, keywords schemas.Keywords, examples []Values, place string) (value, error) {
	source := keywords.Source
	var given []any
	var items []Values
	known := map[string]bool{}
	for _, example := range examples {
		for name := range example {
			known[name] = true
		}
		switch value := example[source].(type) {
		case nil:
		case []Values:
			given, items = append(given, value), append(items, value...)
		default:
			given = append(given, value)
		}
	}
	if len(given) == 0 {
		return nil, fmt.Errorf("x-source %q: this answer has no such value: it has %s", source,
			strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	}
	if _, list := given[0].([]Values); !list {
		return c.scalar(allowed, keywords, given)
	}
	each := merged.Of(allowed, nil).Items()
	if each == nil {
		return nil, fmt.Errorf("x-source %q is a list: it needs an array with items", source)
	}
	item, err := c.value(each, merged.Of(was.Items(), nil), items, place+"/0")
	if err != nil {
		return nil, inPlace(each, err)
	}
	return func(dst []byte, known Values) ([]byte, bool) {
		list, there := known[source].([]Values)
		if !there {
			return dst, false
		}
		dst = append(dst, '[')
		for _, of := range list {
			dst, _ = item(dst, of)
			dst = append(dst, ',')
		}
		return closed(dst, ']'), true
	}, nil
}

// closed puts a bracket in the place of the last comma.
func closed(dst []byte, bracket byte) []byte {
	if dst[len(dst)-1] == ',' {
		dst[len(dst)-1] = bracket
		return dst
	}
	return append(dst, bracket)
}

// inPlace adds to a fault where it stands, unless it is said already.
func inPlace(of []*jsonschema.Schema, err error) error {
	if errors.As(err, new(*schemas.FileError)) {
		return err
	}
	return schemas.FaultOf(of[0], err.Error())
}
