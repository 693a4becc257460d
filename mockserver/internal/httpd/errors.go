package httpd

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/answers"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// ErrorTable is what one error schema says about each name of an error.
type ErrorTable map[string]Error

// Error is one error of an interface.
type Error struct {
	schemas.ErrorBranch
	writer func() (*answers.Writer, error)
}

// Body writes a refusal as the schema of the error says. See docs/explanation/specification.md#what-does-an-error-look-like
func (e Error) Body(refused *exports.Refusal) []byte {
	writer, err := e.writer()
	if err != nil { // overlays have passed the start, and the embedded files a test
		panic(fmt.Sprintf("writing the error %s: %v", e.Name, err))
	}
	return writer.Write(e.known(refused))
}

// known returns the facts of a refusal for an answer.
func (e Error) known(refused *exports.Refusal) answers.Values {
	known := answers.Values{vocabulary.ErrorCode: int64(cmp.Or(e.Code, e.Status)), vocabulary.ErrorName: e.Name,
		vocabulary.ErrorStatus: int64(e.Status), vocabulary.ErrorMessage: refused.Message}
	var problems []answers.Values
	for _, problem := range refused.Problems {
		of := answers.Values{vocabulary.ProblemPointer: problem.Pointer, vocabulary.ProblemKeyword: problem.Keyword,
			vocabulary.ProblemMessage: problem.Message}
		if problem.Line > 0 {
			of[vocabulary.ProblemLine], of[vocabulary.ProblemColumn] = int64(problem.Line), int64(problem.Column)
		}
		problems = append(problems, of)
	}
	if problems != nil {
		known[vocabulary.ErrorProblems] = problems
	}
	return known
}

// writerOf is the writer of one error of a schema, which the servers of a library share.
func writerOf(library *schemas.Library, file string, number int, e Error) (*answers.Writer, error) {
	type key struct {
		file   string
		number int
	}
	return schemas.Derived(library, key{file, number}, func() func() (*answers.Writer, error) {
		return sync.OnceValues(func() (*answers.Writer, error) {
			var branch *jsonschema.Schema // nil: all errors have one shape
			if branches := library.Schema(file).OneOf; branches != nil {
				branch = branches[number]
			}
			problems := []schemas.Problem{{Pointer: "/ids", Keyword: "required", Message: "ids is missing", Line: 1, Column: 1},
				{Keyword: "type", Message: answers.LongMessage()}}
			var examples []answers.Values
			for _, message := range []string{"why", cmp.Or(e.Description, "why"), answers.LongMessage()} {
				refused := exports.Refusal{Message: message}
				examples = append(examples, e.known(&refused))
				refused.Problems = problems
				examples = append(examples, e.known(&refused))
			}
			return answers.Compile(library, file, branch, examples)
		})
	})()
}

// ErrorTables are the error tables of the interfaces, by interface.
type ErrorTables map[string]ErrorTable

// ReadErrorTables reads the error schemas of the interfaces and checks that
// every name the server uses is there, and that every member of an overlay can be written.
func ReadErrorTables(library *schemas.Library) (ErrorTables, error) {
	tables := ErrorTables{}
	embedded, err := schemas.Embedded()
	if err != nil {
		return nil, err
	}
	for _, each := range exports.DialectOf(library) {
		table := ErrorTable{}
		for i, branch := range library.ErrorBranches(each.Errors.Schema) {
			made := Error{ErrorBranch: branch}
			made.writer = sync.OnceValues(func() (*answers.Writer, error) { return writerOf(library, each.Errors.Schema, i, made) })
			if table[branch.Name] = made; library != embedded {
				if _, err := made.writer(); err != nil {
					return nil, err
				}
			}
		}
		for _, needed := range exports.RefusalNames() {
			if _, ok := table[needed]; !ok {
				return nil, fmt.Errorf("schema %s lacks the error %s, which the server needs", each.Errors.Schema, needed)
			}
		}
		tables[each.Name] = table
	}
	return tables, nil
}

// Of is the table of an interface.
func (t ErrorTables) Of(iface exports.Interface) ErrorTable { return t[iface.Name] }

// CheckScenario refuses a scenario that forces an error which is not in the table. place says where the scenario stands.
func (t ErrorTable) CheckScenario(place string, scenario exports.Scenario) error {
	for _, name := range scenario.Errors() {
		if _, known := t[name]; !known {
			return exports.Refuse(exports.MalformedParameter, "%s: error %q is not known; allowed: %s", place, exports.Shorten(name),
				strings.Join(slices.Sorted(maps.Keys(t)), ", "))
		}
	}
	return nil
}

// refusalWithHeaders is a refusal that is answered with further headers.
type refusalWithHeaders struct {
	*exports.Refusal
	headers map[string]string
	xml     bool
}

// Unwrap gives errors.As the refusal.
func (r *refusalWithHeaders) Unwrap() error { return r.Refusal }

// WithHeader adds a header to the answer of a refusal.
func WithHeader(refusal *exports.Refusal, name, value string) error {
	return &refusalWithHeaders{Refusal: refusal, headers: map[string]string{name: value}}
}

// AsXML lets a refusal be answered in XML, as object stores do. Any other error stays.
func AsXML(err error) error {
	var refusal *exports.Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	return &refusalWithHeaders{Refusal: refusal, xml: true}
}
