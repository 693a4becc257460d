package schemas

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// Problem is one fault of a value.
type Problem struct {
	// Pointer is the JSON Pointer (RFC 6901) to the value at fault, or to the member that is missing.
	Pointer string `json:"pointer"`
	// Keyword is the JSON Schema keyword that refuses the value; "false" where the member may not be there at all.
	Keyword string `json:"keyword"`
	// Message names the field, what was found and what is allowed.
	Message string `json:"message"`
	// Line and Column are the place in the text that held the value, both from 1, the column in bytes; 0 where only the value is known.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`

	further int // faults of the same kind beside this one that are not listed
}

// InvalidError says that a value does not fit its schema.
type InvalidError struct {
	// Schema is the name of the schema file.
	Schema string
	// Problems holds the faults, sorted by pointer, keyword and message; never empty. Of more than a hundred
	// it holds the first hundred, and among those every missing member that it can.
	Problems []Problem
	// More counts the faults beyond those. It is a lower bound: of an array of thousands of items only the first are explained.
	More int
}

// mostProblems is how many faults of one value are listed.
const mostProblems = 100

// Invalid makes the error of a value that breaks rules, at least one, with no more of what was sent than a person
// reads: it sorts the problems, drops repeats, and keeps the first hundred. It is for rules that stand in no schema.
func Invalid(schema string, problems []Problem) *InvalidError {
	problems = sortProblems(problems)
	e := &InvalidError{Schema: schema, Problems: problems}
	if len(problems) > mostProblems {
		e.More = len(problems) - mostProblems
		slices.SortStableFunc(problems, func(a, b Problem) int {
			return cmp.Compare(boolNumber(b.Keyword == "required"), boolNumber(a.Keyword == "required"))
		})
		e.Problems = sortProblems(problems[:mostProblems])
	}
	for _, problem := range problems {
		e.More += problem.further
	}
	for i := range e.Problems {
		e.Problems[i].Pointer = jsonpointer.Short(e.Problems[i].Pointer)
	}
	return e
}

// Error gives the faults in one line, the first five of them.
func (e *InvalidError) Error() string {
	const shown = 5
	var text strings.Builder
	text.WriteString("not a valid " + strings.TrimSuffix(e.Schema, ".json") + ": ")
	for i, problem := range e.Problems {
		if i == shown {
			text.WriteString("; and more")
			break
		}
		if i > 0 {
			text.WriteString("; ")
		}
		text.WriteString(problem.Message)
	}
	return text.String()
}

// sortProblems puts problems in their one order and drops repeats.
func sortProblems(problems []Problem) []Problem {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(
			jsonpointer.Compare(a.Pointer, b.Pointer),
			cmp.Compare(a.Keyword, b.Keyword),
			cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(problems)
}

func boolNumber(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Offset is where in a JSON text a problem of its value is, in bytes from 0: at the member name for a member that may not be there, at
// the object for a member that is missing, else at the value. It is 0 where the text is not the one the problem is about.
func (p Problem) Offset(text []byte) int64 {
	pointer := p.Pointer
	if pointer == "" {
		return 0
	}
	if p.Keyword == "required" || p.Keyword == "dependentRequired" {
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
	atName := p.Keyword == "additionalProperties" || p.Keyword == "false"
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		before := decoder.InputOffset()
		token, err := decoder.ReadToken()
		if err != nil {
			return 0
		}
		if string(decoder.StackPointer()) != pointer {
			continue
		}
		kind, length := decoder.StackIndex(decoder.StackDepth())
		isName := kind == '{' && length%2 == 1 && token.Kind() == '"'
		if isName != atName && isName {
			continue
		}
		for strings.IndexByte(" \t\r\n,:", text[before]) >= 0 {
			before++
		}
		return before
	}
}
