package schemas

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// The validator reports a tree: every branch of every anyOf that failed, wrappers for references and conditions, and in an order that
// varies from run to run. Here the tree becomes the few faults that a person would name.

// finding is one fault on its way to a [Problem].
type finding struct {
	pointer, keyword string
	// subject names the field; want says what it must be; found says what it is.
	subject, want, found string
	// allowed holds the values to choose from, if that is the rule.
	allowed []any
	// condition says when the rule holds; "" for always.
	condition string
	// hint is a closing remark.
	hint string
	// weak tells that the rule may not be meant at all, since its condition could not be looked at.
	weak bool
	// further counts faults of the same kind beside this one that are not worded.
	further int
}

func (f finding) problem() Problem {
	want := f.want
	if len(f.allowed) > 0 {
		want = listValues(f.allowed)
	}
	verb := " must be "
	switch f.keyword {
	case "required", "dependentRequired":
		verb = " is missing: "
	case "additionalProperties", "unevaluatedProperties":
		verb = " is not known here: "
	}
	message := f.subject + verb + want + f.condition
	if f.found != "" {
		message += "; found " + f.found
	}
	return Problem{Pointer: f.pointer, Keyword: f.keyword, Message: message + f.hint, further: f.further}
}

// explainer knows the value that was refused.
type explainer struct {
	library *Library
	value   any
}

// flatten turns the validator's tree into sorted problems.
func (l *Library) flatten(err *jsonschema.ValidationError, value any) []Problem {
	e := explainer{l, value}
	findings := tidy(e.collect(err, condition{}))
	problems := make([]Problem, 0, len(findings))
	for _, f := range findings {
		problems = append(problems, f.problem())
	}
	return sortProblems(problems)
}

// collect gathers the findings below one node of the tree.
func (e explainer) collect(err *jsonschema.ValidationError, when condition) []finding {
	if parent, branch, ok := e.conditional(err); ok {
		at := jsonpointer.Unescape(err.InstanceLocation)
		if branch == "then" {
			return e.collectAll(err.Causes, e.holds(parent.If, at))
		}
		return e.collectAll(err.Causes, e.fails(parent.If, at))
	}
	s, keyword := e.locate(err.AbsoluteKeywordLocation)
	switch name, _, _ := strings.Cut(keyword, "/"); {
	case s == nil || err.Message == "" || keyword == "" && len(err.Causes) > 0:
		return e.collectAll(err.Causes, when)
	case name == "$ref":
		return e.collectAll(err.Causes, condition{})
	case name == "allOf":
		return e.collectAll(err.Causes, when)
	case (name == "anyOf" || name == "oneOf") && len(err.Causes) > 0:
		branches := make([][]finding, 0, len(err.Causes))
		for _, cause := range err.Causes {
			branches = append(branches, tidy(e.collect(cause, when)))
		}
		return e.alternatives(name, jsonpointer.Unescape(err.InstanceLocation), branches)
	}
	findings := e.leaf(s, keyword, err)
	for i := range findings {
		findings[i].condition, findings[i].weak = when.text, when.weak
	}
	return findings
}

func (e explainer) collectAll(causes []*jsonschema.ValidationError, when condition) []finding {
	var all []finding
	for _, cause := range causes {
		all = append(all, e.collect(cause, when)...)
	}
	return all
}

// locate finds the schema object that a keyword location is in, and the keyword's path below it.
func (e explainer) locate(location string) (s *jsonschema.Schema, keyword string) {
	file, pointer := fileAndPointer(location)
	for at := pointer; ; at = at[:strings.LastIndexByte(at, '/')] {
		if s := e.library.shelf.At(file, at); s != nil {
			return s, strings.TrimPrefix(pointer[len(at):], "/")
		}
		if at == "" {
			return nil, ""
		}
	}
}

// alternatives reduces the failed branches of anyOf or oneOf to what the value most likely meant.
func (e explainer) alternatives(keyword, pointer string, branches [][]finding) []finding {
	if f, ok := atLeastOne(pointer, branches); ok {
		return f
	}
	// A branch for another type of value says nothing, unless all are.
	sameType := slices.DeleteFunc(slices.Clone(branches), func(branch []finding) bool {
		return slices.ContainsFunc(branch, func(f finding) bool { return f.keyword == "type" && f.pointer == pointer })
	})
	if len(sameType) > 0 {
		branches = sameType
	}
	fewest := len(slices.MinFunc(branches, func(a, b []finding) int { return len(a) - len(b) }))
	branches = slices.DeleteFunc(slices.Clone(branches), func(branch []finding) bool { return len(branch) > fewest })
	if merged, ok := mergeAllowed(branches); ok {
		return merged
	}
	if simple := slices.IndexFunc(branches, func(branch []finding) bool {
		return len(branch) != 1 || branch[0].pointer != pointer || branch[0].keyword == "required"
	}) < 0; simple {
		return []finding{either(keyword, branches)}
	}
	return branches[0]
}

// atLeastOne recognises branches that only ask for different members: one of them is missing.
func atLeastOne(pointer string, branches [][]finding) ([]finding, bool) {
	var names []string
	for _, branch := range branches {
		var members []string
		for _, f := range branch {
			if f.keyword != "required" || f.pointer[:strings.LastIndexByte(f.pointer, '/')] != pointer {
				return nil, false
			}
			members = append(members, f.subject)
		}
		names = append(names, strings.Join(members, " and "))
	}
	slices.Sort(names)
	distinct := slices.Compact(slices.Clone(names))
	if len(distinct) == 1 {
		return branches[0], true
	}
	first := branches[0][0]
	first.subject = strings.Join(distinct[:len(distinct)-1], ", ") + " or " + distinct[len(distinct)-1]
	first.want = "at least one of them is required"
	return []finding{first}, true
}

// mergeAllowed joins branches that refuse the same places by lists of allowed values.
func mergeAllowed(branches [][]finding) ([]finding, bool) {
	merged := slices.Clone(branches[0])
	for _, branch := range branches {
		if len(branch) != len(merged) {
			return nil, false
		}
		for i, f := range branch {
			if f.pointer != merged[i].pointer || f.keyword != merged[i].keyword || len(f.allowed) == 0 {
				return nil, false
			}
		}
	}
	for i := range merged {
		merged[i].allowed = nil
		for _, branch := range branches {
			for _, value := range branch[i].allowed {
				if !slices.ContainsFunc(merged[i].allowed, func(have any) bool { return plain(have) == plain(value) }) {
					merged[i].allowed = append(merged[i].allowed, value)
				}
			}
		}
	}
	return merged, true
}

// either joins branches that each have one thing to say about the value itself.
func either(keyword string, branches [][]finding) finding {
	joined := branches[0][0]
	var wants []string
	for _, branch := range branches {
		want := branch[0].want
		if len(branch[0].allowed) > 0 {
			want = listValues(branch[0].allowed)
		}
		wants = append(wants, want)
		if joined.hint == "" {
			joined.hint = branch[0].hint
		}
	}
	joined.keyword, joined.allowed, joined.want = keyword, nil, strings.Join(wants, ", or ")
	return joined
}

// tidy drops what other findings already say, and sorts.
func tidy(findings []finding) []finding {
	typed := map[string]bool{}
	patterned := map[string]bool{}
	strong := false
	for _, f := range findings {
		typed[f.pointer] = typed[f.pointer] || f.keyword == "type"
		patterned[f.pointer] = patterned[f.pointer] || f.keyword == "pattern"
		strong = strong || !f.weak
	}
	kept := map[string]finding{}
	for _, f := range findings {
		switch {
		case typed[f.pointer] && f.keyword != "type",
			patterned[f.pointer] && f.keyword == "format",
			strong && f.weak:
			continue
		}
		// One fault of one kind at one place: the rule with the fewest choices is the one that bites.
		key := f.pointer + "#" + f.keyword
		if other, there := kept[key]; !there || lessFinding(f, other) {
			kept[key] = f
		}
	}
	tidied := make([]finding, 0, len(kept))
	for _, f := range kept {
		tidied = append(tidied, f)
	}
	slices.SortFunc(tidied, func(a, b finding) int {
		return strings.Compare(a.pointer+"#"+a.keyword, b.pointer+"#"+b.keyword)
	})
	return tidied
}

func lessFinding(a, b finding) bool {
	if len(a.allowed) != len(b.allowed) {
		return len(a.allowed) < len(b.allowed)
	}
	textA, textB := a.problem().Message, b.problem().Message
	if len(textA) != len(textB) {
		return len(textA) < len(textB)
	}
	return textA < textB
}
