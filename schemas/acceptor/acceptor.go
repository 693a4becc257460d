package acceptor

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/formats"
)

// Acceptor checks documents against one schema. It is immutable and safe for concurrent use.
type Acceptor struct{ check check }

// check says whether the value at an index of a document conforms. It is exact: the validator would say the same.
type check func(d *Document, at int) bool

// Compile makes the acceptor of a compiled schema. For a schema with a keyword that it does not know it returns an acceptor that accepts
// nothing, and an error that names the keyword and where it stands.
func Compile(schema *jsonschema.Schema) (*Acceptor, error) {
	made, err := (&compiler{map[*jsonschema.Schema]bool{}, map[string]*matcher{}}).check(schema)
	if err != nil {
		return nothing(), err
	}
	return &Acceptor{check: made}, nil
}

func nothing() *Acceptor { return &Acceptor{check: func(*Document, int) bool { return false }} }

// Accept says whether text is a JSON document that conforms to the schema, and if so leaves it in the document. When it says no, nothing
// is known of the text. The document keeps a reference to the text.
func (a *Acceptor) Accept(text []byte, into *Document) bool {
	return into.parse(text) && a.check(into, 0)
}

func all(checks []check) check {
	if len(checks) == 1 {
		return checks[0]
	}
	return func(d *Document, at int) bool {
		for _, check := range checks {
			if !check(d, at) {
				return false
			}
		}
		return true
	}
}

// values are the checks of types, and of const and enum.
func values(s *jsonschema.Schema) (checks []check, err error) {
	if len(s.Types) > 0 {
		var allowed [kindObject + 1]bool
		for _, name := range s.Types {
			for _, k := range kindsNamed[name] {
				allowed[k] = true
			}
		}
		checks = append(checks, func(d *Document, at int) bool { return allowed[d.tokens[at].kind] })
	}
	for _, list := range [][]any{s.Constant, s.Enum} {
		if len(list) == 0 {
			continue
		}
		made, err := oneOf(list)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Location, err)
		}
		checks = append(checks, made)
	}
	return checks, nil
}

var kindsNamed = map[string][]kind{
	"null": {kindNull}, "boolean": {kindTrue, kindFalse}, "integer": {kindInteger}, "number": {kindInteger},
	"string": {kindString}, "array": {kindArray}, "object": {kindObject},
}

// oneOf checks for one of some plain values.
func oneOf(values []any) (check, error) {
	var texts []string
	var numbers []int64
	var kinds []kind
	for _, value := range values {
		switch value := value.(type) {
		case string:
			texts = append(texts, value)
		case nil:
			kinds = append(kinds, kindNull)
		case bool:
			kinds = append(kinds, map[bool]kind{true: kindTrue, false: kindFalse}[value])
		default:
			number, exact := wholeNumber(value)
			if !exact {
				return nil, fmt.Errorf("the value %v of a const or enum is not known to the acceptor", value)
			}
			numbers = append(numbers, number)
		}
	}
	return func(d *Document, at int) bool {
		switch t := &d.tokens[at]; t.kind {
		case kindString:
			for _, text := range texts {
				if string(d.bytes(at)) == text {
					return true
				}
			}
			return false
		case kindInteger:
			return slices.Contains(numbers, t.number)
		default:
			return slices.Contains(kinds, t.kind)
		}
	}, nil
}

func wholeNumber(value any) (int64, bool) {
	switch value := value.(type) {
	case json.Number:
		number, err := strconv.ParseInt(value.String(), 10, 64)
		return number, err == nil
	case float64:
		return int64(value), value == float64(int64(value))
	case int:
		return int64(value), true
	}
	return 0, false
}

// texts are the checks of the length, the pattern and the format. A format that the validator does not know says nothing.
func (c *compiler) texts(s *jsonschema.Schema) (checks []check, err error) {
	ofText := func(holds func(text []byte, ascii bool) bool) {
		checks = append(checks, func(d *Document, at int) bool {
			return d.tokens[at].kind != kindString || holds(d.bytes(at), d.tokens[at].ascii)
		})
	}
	if least, most := s.MinLength, s.MaxLength; least > 0 || most >= 0 {
		ofText(func(text []byte, ascii bool) bool {
			length := len(text)
			if !ascii {
				length = utf8.RuneCount(text)
			}
			return length >= least && (most < 0 || length <= most)
		})
	}
	if s.Pattern != nil {
		ofText(c.matcher(s.Pattern).match)
	}
	patterns := formats.Patterns(s.Format)
	for _, pattern := range patterns {
		ofText(c.matcher(pattern).match)
	}
	if holds := jsonschema.Formats[s.Format]; holds != nil && patterns == nil {
		ofText(func(text []byte, _ bool) bool { return holds(string(text)) })
	}
	return checks, nil
}

// numbers are the checks of the bounds of numbers.
func numbers(s *jsonschema.Schema) (checks []check, err error) {
	lower, upper, err := bounds(s)
	for _, least := range lower {
		checks = append(checks, func(d *Document, at int) bool {
			return d.tokens[at].kind != kindInteger || d.tokens[at].number >= least
		})
	}
	for _, most := range upper {
		checks = append(checks, func(d *Document, at int) bool {
			return d.tokens[at].kind != kindInteger || d.tokens[at].number <= most
		})
	}
	return checks, err
}
