package compare_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/drifttest"
)

// counting counts the creations that a service takes, and all requests for the API.
type counting struct{ creations, requests atomic.Int64 }

func (c *counting) over(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/_mock/") {
			c.requests.Add(1)
			if r.Method == http.MethodPost {
				c.creations.Add(1)
			}
		}
		inner.ServeHTTP(w, r)
	})
}

// TestBudget: a budget is never overdrawn, and what it leaves out is undecided.
func TestBudget(t *testing.T) {
	t.Parallel()
	var a, b counting
	its, others := service(t, "a", settings{seed: 1, profiles: 300, at: began, change: a.over}), service(t, "b", settings{seed: 2, profiles: 300, at: began, change: b.over})
	its.Budget, others.Budget = &compare.Budget{Exports: 5, Requests: -1}, &compare.Budget{Exports: 2, Requests: -1}
	made := compared(t, its, others)
	undecided, once := 0, 0
	for _, had := range made.Had {
		if had.Undecided != "" {
			undecided++
		}
		if had.Once != "" {
			once++
		}
	}
	if undecided == 0 || undecided == len(made.Had) || len(made.Differences) > 0 {
		t.Errorf("%d of %d undecided, %d asked once, differences %s", undecided, len(made.Had), once, describe(made.Differences))
	}
	for _, each := range []*compare.Service{its, others} {
		if each.Budget.Exports < 0 {
			t.Errorf("%s: %d exports are left", each.Name, each.Budget.Exports)
		}
	}
	for about, limit := range map[string]struct {
		budget    compare.Budget
		creations int64
		requests  int64
	}{
		"no export at all":  {compare.Budget{Exports: 0, Requests: -1}, 0, 1000},
		"twenty requests":   {compare.Budget{Exports: -1, Requests: 20}, 20, 20},
		"five, of 11 asked": {compare.Budget{Exports: 5, Requests: -1}, 1000, 1000},
	} {
		t.Run(about, func(t *testing.T) {
			var counted counting
			accepting := func(inner http.Handler) http.Handler {
				return counted.over(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodPost && !strings.HasPrefix(r.URL.Path, "/_mock/") {
						w.WriteHeader(http.StatusAccepted) // whatever was asked
						return
					}
					inner.ServeHTTP(w, r)
				}))
			}
			its, budget := service(t, "a", settings{seed: 1, profiles: 300, at: began, change: accepting}), limit.budget
			its.Budget = &budget
			compared(t, its, service(t, "b", settings{seed: 1, profiles: 300, at: began}))
			most := limit.creations
			if limit.budget.Exports >= 0 {
				most = int64(limit.budget.Exports)
			}
			if counted.creations.Load() > most || counted.requests.Load() > limit.requests {
				t.Errorf("%d creations, %d requests", counted.creations.Load(), counted.requests.Load())
			}
		})
	}
}

// TestKeep: what was kept is compared again without asking, unless the service or the conversation is another; and nothing that was said is in it.
func TestKeep(t *testing.T) {
	t.Parallel()
	var counted counting
	a, b := service(t, "a", settings{seed: 1, profiles: 300, at: began, change: counted.over}), service(t, "b", settings{seed: 2, profiles: 300, at: began})
	keep := &compare.Keep{Directory: filepath.Join(t.TempDir(), "kept")}
	run := func(b *compare.Service) *compare.Result {
		t.Helper()
		made, err := compare.Compare(context.Background(), compare.Options{Library: library(t), Conversations: defaults(t), A: a, B: b, Patience: time.Minute, Keep: keep})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	run(b)
	first := counted.creations.Swap(0)
	kept := 0
	for _, had := range run(b).Had {
		if had.Kept {
			kept++
		}
	}
	if first < 20 || kept < 15 {
		t.Errorf("%d creations first; then %d conversations were kept", first, kept)
	}
	before := counted.requests.Load()
	if made := run(service(t, "b", settings{seed: 3, profiles: 300, at: began})); len(made.Differences) > 0 {
		t.Error(describe(made.Differences))
	}
	if asked := counted.requests.Load() - before; asked > 150 {
		t.Errorf("a was asked %d times although it was kept", asked)
	}
	entries, err := os.ReadDir(keep.Directory)
	if err != nil || len(entries) < 45 {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(keep.Directory, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{demo.CompanyKey, demo.Token, "@", "mock:"} {
			if strings.Contains(string(text), secret) {
				t.Errorf("%s has %q", entry.Name(), secret)
			}
		}
	}
}

// TestNoise: values that a changes itself are no difference, however b says them, and what is not there is one all the same.
func TestNoise(t *testing.T) {
	t.Parallel()
	turn := 0
	restless := func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			turn++
			w.Header().Set("X-Server", "node_"+strings.Map(func(digit rune) rune { return digit - '0' + 'a' }, strconv.Itoa(turn)))
			w.Header().Set("X-Region", "north")
			if turn%3 > 0 { // sometimes
				w.Header().Set("X-Cache", "hit")
			}
			inner.ServeHTTP(w, r)
		})
	}
	other := func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Server", "omega")
			inner.ServeHTTP(w, r)
		})
	}
	made := compared(t, service(t, "a", settings{seed: 1, profiles: 300, at: began, change: restless}), service(t, "b", settings{seed: 1, profiles: 300, at: began, change: other}))
	text := describe(made.Differences)
	if !strings.Contains(text, "header X-Region: a has a token north; b has none") {
		t.Errorf("a header that is gone is not told:%.2000s", text)
	}
	for _, each := range made.Differences {
		if each.About != "header X-Region" && each.About != "header X-Cache" {
			t.Errorf("invented: %s", each)
		}
	}
}

// TestNoRows: of a file without rows only that is told: it has no order and no quotes.
func TestNoRows(t *testing.T) {
	t.Parallel()
	headers := drifttest.Service{Hand: func(r *http.Request, a *httptest.ResponseRecorder) {
		if header, _, is := strings.Cut(a.Body.String(), "\n"); is && strings.HasPrefix(r.URL.Path, "/files/") && strings.Contains(header, ";") {
			a.Body = bytes.NewBufferString(header + "\n")
			a.Header().Set("Content-Length", strconv.Itoa(a.Body.Len()))
		}
	}}
	only := slices.DeleteFunc(defaults(t), func(c *conversation.Conversation) bool { return c.Name != "userbase" && c.Name != "campaign-events" })
	full, empty := settings{seed: 1, profiles: 600, at: began}, settings{seed: 1, profiles: 600, at: began, change: headers.Handler}
	for _, pair := range [][2]settings{{full, empty}, {empty, full}} {
		made, err := compare.Compare(context.Background(), compare.Options{Library: library(t), Conversations: only, A: service(t, "a", pair[0]), B: service(t, "b", pair[1]), Patience: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		for _, each := range made.Differences {
			if each.Kind != "rows" {
				t.Errorf("invented: %s", each)
			}
		}
		if len(made.Differences) != len(only) {
			t.Errorf("%d differences, and %d files have no rows:%s", len(made.Differences), len(only), describe(made.Differences))
		}
	}
}
