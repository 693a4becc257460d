package schemas

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// ErrorBranch is one error that an error schema allows (export API section 7).
type ErrorBranch struct {
	// Name is the name of the error, such as MISSING_PARAMETER.
	Name string
	// Code is its number on the legacy interface; 0 on the other.
	Code int
	// Status is the HTTP status.
	Status int
	// Description says when it comes.
	Description string
}

// Exports returns every kind of export in the order of the specification. The caller owns the slice.
func (l *Library) Exports() []Export { return append([]Export(nil), l.exports...) }

// Endpoints returns the endpoints that do not create exports, sorted by interface and name. The caller owns the slice.
func (l *Library) Endpoints() []Endpoint { return append([]Endpoint(nil), l.endpoints...) }

// ErrorBranches returns the errors that an error schema allows, in the order of the file; nil if there is no such schema.
func (l *Library) ErrorBranches(errorSchema string) []ErrorBranch {
	if branches, known := l.refusals[errorSchema]; known {
		return slices.Clone(branches)
	}
	return l.readErrorBranches(errorSchema)
}

// specifiedErrors is the schema file with the errors of an interface whose own file has no branches.
const specifiedErrors = "legacy/error.json"

func (l *Library) readErrorBranches(errorSchema string) []ErrorBranch {
	root := l.Schema(errorSchema)
	if root == nil {
		return nil
	}
	var branches []ErrorBranch
	if root.OneOf == nil && l.builtIn != nil {
		return l.builtIn.ErrorBranches(specifiedErrors)
	}
	for _, s := range root.OneOf {
		branch := ErrorBranch{Name: s.Title, Status: KeywordsOf(s).Status, Description: s.Description}
		if name := s.Properties[l.MemberOf(errorSchema, "error.name")]; name != nil && len(name.Constant) > 0 {
			branch.Name, _ = name.Constant[0].(string)
		}
		if code := s.Properties[l.MemberOf(errorSchema, "error.code")]; code != nil && len(code.Constant) > 0 {
			number, _ := code.Constant[0].(json.Number)
			branch.Code, _ = strconv.Atoi(number.String())
		}
		branches = append(branches, branch)
	}
	return branches
}

// Choose picks the export that a payload asks for among those that share an endpoint, by the members that their request schemas fix with
// const (export_type, export API section 2.5). A payload that fits none of them gives an [*InvalidError].
func (l *Library) Choose(candidates []Export, value any) (Export, error) {
	if len(candidates) == 1 {
		return candidates[0], nil
	}
	object, ok := value.(map[string]any)
	if !ok {
		problem := Problem{Keyword: "type", Message: "the value must be an object, found " + describeKind(value)}
		return Export{}, &InvalidError{Schema: l.commonName(candidates), Problems: []Problem{problem}}
	}
	allowed := map[string][]any{}
	for _, candidate := range candidates {
		fits := true
		for name, want := range l.fixedMembers(candidate.Request) {
			allowed[name] = append(allowed[name], want)
			if found, _ := object[name].(string); found != want {
				fits = false
			}
		}
		if fits {
			return candidate, nil
		}
	}
	return Export{}, &InvalidError{Schema: l.commonName(candidates), Problems: choiceProblems(allowed, object)}
}

// fixedMembers returns the members that a schema fixes to one string.
func (l *Library) fixedMembers(name string) map[string]string {
	fixed := map[string]string{}
	if root := l.Schema(name); root != nil {
		for member, property := range root.Properties {
			if len(property.Constant) == 0 {
				continue
			}
			if text, ok := property.Constant[0].(string); ok {
				fixed[member] = text
			}
		}
	}
	return fixed
}

func choiceProblems(allowed map[string][]any, object map[string]any) []Problem {
	var problems []Problem
	for name, values := range allowed {
		pointer := "/" + jsonpointer.Escape(name)
		found, there := object[name]
		if !there {
			problems = append(problems, Problem{Pointer: pointer, Keyword: "required", Message: name + " is missing: it must be " +
				listValues(values)})
			continue
		}
		message := name + " must be " + listValues(values) + "; found " + describe(found) + hint(found, values)
		problems = append(problems, Problem{Pointer: pointer, Keyword: "enum", Message: message})
	}
	return sortProblems(problems)
}

// commonName names the payload of an endpoint that several exports share.
func (l *Library) commonName(candidates []Export) string {
	if len(candidates) == 0 {
		return "request"
	}
	return candidates[0].Interface + "/request"
}
