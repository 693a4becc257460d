package compare_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/drifttest"
)

// TestReadyAtOnce: that one service is ready before its states can be seen is told once, of either side, and what does
// not follow from it is told beside it.
func TestReadyAtOnce(t *testing.T) {
	t.Parallel()
	headed := drifttest.Service{Hand: func(r *http.Request, a *httptest.ResponseRecorder) {
		if r.URL.Path == "/2.7/exports/view" {
			a.Header().Set("X-Quota-Left", "17")
		}
	}}
	renamed := drifttest.Service{Hand: func(r *http.Request, a *httptest.ResponseRecorder) {
		if !strings.HasPrefix(r.URL.Path, "/_mock/") {
			a.Body = bytes.NewBufferString(strings.ReplaceAll(a.Body.String(), `"SUCCESS"`, `"COMPLETED"`))
			a.Header().Set("Content-Length", strconv.Itoa(a.Body.Len()))
		}
	}}
	some := []string{"userbase", "campaign-events", "failed-export", "profiles-attributes", "profiles-events", "profiles-list"}
	only := slices.DeleteFunc(defaults(t), func(c *conversation.Conversation) bool { return !slices.Contains(some, c.Name) })
	for name, each := range map[string]struct {
		a, b   string // how exports go on
		change func(http.Handler) http.Handler
		says   string
		follow int
		beside []string
	}{
		"a, at once":           {"now", "time:40s", nil, "a is ready at the first lookups, and b shows CREATED, PENDING before", 10, nil},
		"b, at once":           {"time:40s", "now", nil, "b is ready at the first lookups, and a shows CREATED, PENDING before", 8, nil},
		"after one lookup":     {"time:2s", "time:40s", nil, "a is ready at the first lookups, and b shows PENDING before", 2, nil},
		"another drift":        {"now", "time:40s", headed.Handler, "a is ready at the first lookups, and b shows CREATED, PENDING before", 10, []string{"GET /2.7/exports/view: header X-Quota-Left: a has none"}},
		"both are quick":       {"now", "time:2s", nil, "a is ready at the first lookups, and b shows CREATED before", 6, nil},
		"both at once":         {"now", "now", nil, "", 0, nil},
		"both slow enough":     {"time:40s", "time:600s", nil, "", 0, []string{`ready after: a takes 4\d s; b takes 60\d s`, `ready after: a takes 4\d s; b takes 60\d s`}},
		"ready in other words": {"now", "time:40s", renamed.Handler, "", 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made, err := compare.Compare(t.Context(), compare.Options{
				Library: library(t), Conversations: only, Patience: time.Minute,
				A: service(t, "a", settings{seed: 1, at: began, profiles: 300, progress: each.a}),
				B: service(t, "b", settings{seed: 2, at: began, profiles: 300, progress: each.b, change: each.change}),
			})
			if err != nil {
				t.Fatal(err)
			}
			first, follow := told(made)
			causes := slices.DeleteFunc(slices.Clone(first), func(d compare.Difference) bool { return d.Kind != "cause" })
			if each.says == "" {
				if len(causes) > 0 {
					t.Errorf("a cause is invented:%s", describe(causes))
				}
			} else if len(causes) != 1 || causes[0].Relation.Says != each.says || causes[0].Severity != drift.High || causes[0].Relation.Advice == "" || follow != each.follow {
				t.Fatalf("%d follow:%s", follow, describe(made.Differences))
			}
			for _, d := range made.Differences {
				if d.Relation.Follows != "" && (len(causes) == 0 || d.Relation.Follows != causes[0].ID) {
					t.Errorf("it follows from %s: %s", d.Relation.Follows, d)
				}
			}
			if name == "ready in other words" {
				return // the last state tells them apart
			}
			others := slices.DeleteFunc(first, func(d compare.Difference) bool { return d.Kind == "cause" })
			if len(others) != len(each.beside) {
				t.Fatalf("beside it:%s", describe(others))
			}
			for i, part := range each.beside {
				if !regexp.MustCompile(part).MatchString(others[i].String()) { // a busy machine takes seconds of its own
					t.Errorf("beside it: %s, not %s", others[i], part)
				}
			}
		})
	}
}
