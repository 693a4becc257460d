package conversation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/conversation"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Places where errors come: what makes an export, what looks it up, and what a lookup leads to.
const (
	creation = "creation"
	lookup   = "status"
	link     = "link"
)

// applies is where each error comes: as the specification says for those that it lists, as we answer it for the others.
var applies = map[string][]string{
	"AUTHENTICATION_INVALID":  {creation, lookup},
	"API_MISUSE":              {creation},
	"ROUTE_NOT_FOUND":         {creation, lookup},
	"MISSING_PARAMETER":       {creation, lookup},
	"MALFORMED_PARAMETER":     {creation, lookup},
	"MALFORMED_JSON_BODY":     {creation},
	"SERVER_ERROR":            {creation, lookup},
	"MAINTENANCE_ERROR":       {creation, lookup},
	"CONFLICT":                {creation},
	"TOO_MANY_REQUESTS":       {creation},
	"LINK_INVALID":            {link},
	"LINK_EXPIRED":            {link},
	"FILE_EXPIRED":            {link},
	"AUTHORIZATION_FORWARDED": {link},
	"PRECONDITION_FAILED":     {link},
	"RANGE_NOT_SATISFIABLE":   {link},
}

// Rules of links, for each interface.
const (
	leads     = "a link leads to its file"
	holds     = "a link holds until shortly before its end"
	ends      = "a link is refused shortly after its end"
	another   = "what is asked again gives another link"
	leadsToo  = "the other link leads to the file"
	altered   = "an altered link is refused"
	month     = "after four weeks a link leads to the file"
	monthOver = "after a month there is no file"
)

// wanted is all that the library has: exports and other endpoints, errors by their place, and the rules of links.
func wanted(t *testing.T, library *schemas.Library) (all []string) {
	t.Helper()
	refusals := map[string]string{}
	for _, each := range library.Exports() {
		all = append(all, "export "+each.Kind, "file of "+each.Kind)
		refusals[each.Interface] = each.Error
	}
	for _, each := range library.Endpoints() {
		all = append(all, "endpoint "+each.Name)
	}
	for _, its := range library.Interfaces() {
		branches := library.ErrorBranches(refusals[its.Name])
		if len(branches) == 0 {
			t.Fatalf("no errors of %s", its.Name)
		}
		for _, branch := range branches {
			if len(applies[branch.Name]) == 0 {
				t.Errorf("nothing says where %s comes", branch.Name)
			}
			for _, place := range applies[branch.Name] {
				all = append(all, row(its.Name, branch.Name, branch.Status, place))
			}
		}
		for _, rule := range []string{leads, holds, ends, another, leadsToo, altered, month, monthOver} {
			all = append(all, its.Name+": "+rule)
		}
	}
	return all
}

func row(its, name string, status int, place string) string {
	return fmt.Sprintf("%s: %d %s, %s", its, status, name, place)
}

// shower finds what a conversation shows.
type shower struct {
	library *schemas.Library
	shown   map[string]bool

	speaks  string   // the interface of the last request for a path
	creates []string // kinds that were created and taken
	now     time.Duration
	issued  map[string]time.Duration // when a value was captured from an answer
	again   map[string]bool          // values that had to be other than an earlier one
}

// matches tells whether a path of a conversation, with names in the place of values, is one of an endpoint.
func matches(written, path string) bool {
	written, _, _ = strings.Cut(written, "?")
	its, others := strings.Split(written, "/"), strings.Split(path, "/")
	return slices.EqualFunc(its, others, func(a, b string) bool { return a == b || strings.HasPrefix(b, "{") && a != "" })
}

func (s *shower) step(step *conversation.Step) {
	s.now += time.Duration(step.Wait)
	if step.Request == nil {
		return
	}
	if step.Request.Path != "" {
		s.path(step)
	} else {
		s.link(step)
	}
	for name := range step.Capture {
		s.issued[name] = s.now
	}
}

// expects tells whether a step expects a status and no other.
func expects(step *conversation.Step, status int) bool {
	return slices.Equal(step.Expect.Status, []int{status})
}

// path is a request for an endpoint.
func (s *shower) path(step *conversation.Step) {
	var candidates []schemas.Export
	for _, each := range s.library.Exports() {
		if each.Method == step.Request.Verb() && matches(step.Request.Path, each.Path) {
			candidates = append(candidates, each)
		}
	}
	for _, each := range candidates {
		s.speaks = each.Interface
		s.refusal(step, each.Error, creation)
		if chosen, err := s.library.Choose(candidates, step.Request.JSON); err == nil && chosen.Kind == each.Kind && expects(step, 202) {
			s.shown["export "+each.Kind] = true
			s.creates = append(s.creates, each.Kind)
		}
	}
	for _, each := range s.library.Endpoints() {
		if each.Method != step.Request.Verb() || !matches(step.Request.Path, each.Path) {
			continue
		}
		s.speaks = each.Interface
		if strings.HasSuffix(each.Name, ".status") || strings.HasSuffix(each.Name, ".view") {
			s.refusal(step, each.Error, lookup)
		}
		if expects(step, each.Status) {
			s.shown["endpoint "+each.Name] = true
		}
	}
	for _, name := range step.Capture {
		if want := step.Expect.Members[name]; want.Not != "" {
			s.anew(step)
		}
	}
	if missing := step.Expect.Members["/file_url"].There; missing != nil && !*missing && s.now > 31*24*time.Hour {
		s.shown[s.speaks+": "+monthOver] = true
	}
}

// refusal notes the error that a step expects, with its status and, where it has one, its number.
func (s *shower) refusal(step *conversation.Step, errors, place string) {
	for _, branch := range s.library.ErrorBranches(errors) {
		numbered := branch.Code == 0 || branch.Code == branch.Status || step.Expect.Code != nil && *step.Expect.Code == branch.Code
		if step.Expect.Error == branch.Name && expects(step, branch.Status) && numbered {
			s.shown[row(s.speaks, branch.Name, branch.Status, place)] = true
		}
	}
}

// anew notes captured values that have to be others than before.
func (s *shower) anew(step *conversation.Step) {
	s.shown[s.speaks+": "+another] = true
	for name := range step.Capture {
		s.again[name] = true
	}
}

// link is a request for an address that an answer gave.
func (s *shower) link(step *conversation.Step) {
	name := strings.Trim(step.Request.URL, "{}")
	since, captured := s.issued[name]
	age := s.now - since
	for _, each := range s.library.Exports() {
		if each.Interface != s.speaks {
			continue
		}
		s.refusal(step, each.Error, link)
		if step.File == each.Output && expects(step, 200) && captured {
			if slices.Contains(s.creates, each.Kind) && step.Expect.File.Fits {
				s.shown["file of "+each.Kind] = true
			}
			s.file(name, age)
		}
	}
	for _, each := range s.library.Endpoints() { // an endpoint to which an answer leads
		if each.Interface == s.speaks && each.Status >= 300 && expects(step, each.Status) && captured {
			s.shown["endpoint "+each.Name] = true
		}
	}
	switch {
	case step.Expect.Error == "LINK_EXPIRED" && age > 20*time.Minute && age < 25*time.Minute:
		s.shown[s.speaks+": "+ends] = true
	case step.Expect.Error == "LINK_INVALID" && !captured:
		s.shown[s.speaks+": "+altered] = true
	case step.Expect.Error == "FILE_EXPIRED" && s.now > 31*24*time.Hour:
		s.shown[s.speaks+": "+monthOver] = true
	}
	if step.Expect.Headers["Location"].Not != "" {
		s.anew(step)
	}
}

// file notes what a link that leads to a file shows.
func (s *shower) file(name string, age time.Duration) {
	rule := leads
	switch {
	case s.again[name]:
		rule = leadsToo
	case age >= 18*time.Minute && age < 20*time.Minute:
		rule = holds
	case s.now > 27*24*time.Hour && s.now < 28*24*time.Hour:
		rule = month
	}
	s.shown[s.speaks+": "+rule] = true
}

// shownBy is what conversations show, without one of them.
func shownBy(t *testing.T, library *schemas.Library, without string) map[string]bool {
	t.Helper()
	talks, err := conversation.Default(library)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, each := range talks {
		s := &shower{library: library, shown: shown, issued: map[string]time.Duration{}, again: map[string]bool{}}
		for i := range each.Steps {
			if each.Name != without {
				s.step(&each.Steps[i])
			}
		}
	}
	return shown
}

// TestEverythingIsShown: each export, each other endpoint, each error at each place where it comes and each rule of links has a
// conversation that expects it. That our server does as they expect is what TestServerDoesAsExpected shows.
func TestEverythingIsShown(t *testing.T) {
	t.Parallel()
	its := library(t)
	shown := shownBy(t, its, "")
	for _, each := range wanted(t, its) {
		if !shown[each] {
			t.Errorf("no conversation shows: %s", each)
		}
	}
}

// TestShownByOneOnly: without the conversation that alone shows something, that is missing.
func TestShownByOneOnly(t *testing.T) {
	t.Parallel()
	its := library(t)
	all := wanted(t, its)
	for without, missing := range map[string]string{
		"userbase":               "file of userbase",
		"profiles-list":          "endpoint profiles.list",
		"profiles-forced-errors": "profiles: 409 CONFLICT, creation",
		"profiles-links":         "profiles: " + ends,
		"legacy-links":           "legacy: " + another,
		"legacy-file-lifetime":   "legacy: " + month,
	} {
		if !slices.Contains(all, missing) || shownBy(t, its, without)[missing] {
			t.Errorf("without %s: %s is not asked for, or shown still", without, missing)
		}
	}
}
