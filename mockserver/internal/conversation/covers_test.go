package conversation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// matches reports whether a path of a conversation, with names in the place of values, is one of an endpoint.
func matches(written, path string) bool {
	written, _, _ = strings.Cut(written, "?")
	return slices.EqualFunc(strings.Split(written, "/"), strings.Split(path, "/"), func(a, b string) bool {
		return a == b || strings.HasPrefix(b, "{") && a != ""
	})
}

// shownBy returns what conversations show, without one of them: files that fit, endpoints that answer, and refusals of an interface.
func shownBy(t *testing.T, library *schemas.Library, without string) map[string]bool {
	t.Helper()
	talks := must.Get(conversation.Default(library))(t)
	shown := map[string]bool{}
	for _, each := range talks {
		speaks := "" // the interface of the last request for a path: an answer's links belong to it
		for _, step := range each.Steps {
			if step.Request == nil || each.Name == without {
				continue
			}
			answers := func(status int) bool { return slices.Equal(step.Expect.Status, []int{status}) }
			for _, export := range library.Exports() {
				if export.Method == step.Request.Verb() && matches(step.Request.Path, export.Path) {
					speaks = export.Interface
				}
				if step.File == export.Output && answers(200) && step.Expect.File.Fits {
					shown["file of "+export.Kind] = true
				}
			}
			for _, endpoint := range library.Endpoints() {
				here := endpoint.Method == step.Request.Verb() && matches(step.Request.Path, endpoint.Path)
				if here {
					speaks = endpoint.Interface
				}
				linked := step.Request.Path == "" && endpoint.Interface == speaks && endpoint.Status >= 300
				if (here || linked) && answers(endpoint.Status) {
					shown["endpoint "+endpoint.Name] = true
				}
			}
			shown[speaks+": "+step.Expect.Error] = true
		}
	}
	return shown
}

// TestEverythingIsShown: each export, each other endpoint and each error has a conversation that expects it. Which step shows which
// sentence of the specification is in the table that TestReference makes; that our server does so is what TestServerDoesAsExpected shows.
func TestEverythingIsShown(t *testing.T) {
	t.Parallel()
	its := library(t)
	shown, less := shownBy(t, its, ""), shownBy(t, its, "profiles-list")
	var wanted []string
	refusals := map[string]string{}
	for _, each := range its.Exports() {
		wanted = append(wanted, "file of "+each.Kind)
		refusals[each.Interface] = each.Error
	}
	for _, each := range its.Endpoints() {
		wanted = append(wanted, "endpoint "+each.Name)
	}
	for name, errors := range refusals {
		for _, branch := range its.ErrorBranches(errors) {
			wanted = append(wanted, name+": "+branch.Name)
		}
	}
	for _, each := range wanted {
		must.Hold(t, shown[each], "no conversation shows: %s", each)
	}
	if list := "endpoint profiles.list"; !slices.Contains(wanted, list) || less[list] {
		t.Errorf("%s is not asked for, or shown by a conversation that is left out", list)
	}
}
