package compare_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/drifttest"
)

// asked changes requests for the API before they reach the service.
func asked(change func(*http.Request)) func(http.Handler) http.Handler {
	return func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/_mock/") {
				change(r)
			}
			inner.ServeHTTP(w, r)
		})
	}
}

// instead answers requests for the API itself, if it does.
func instead(answers func(http.ResponseWriter, *http.Request) bool) func(http.Handler) http.Handler {
	return func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/_mock/") || strings.HasPrefix(r.URL.Path, "/files/") || !answers(w, r) {
				inner.ServeHTTP(w, r)
			}
		})
	}
}

// wrong changes a header that a request has.
func wrong(name string) func(*http.Request) {
	return func(r *http.Request) {
		if r.Header.Get(name) != "" {
			r.Header.Set(name, "Bearer wrong")
		}
	}
}

// told are the differences that follow from no other one, and how many do.
func told(made *compare.Result) (first []compare.Difference, follow int) {
	for _, each := range made.Differences {
		if each.Relation.Follows == "" {
			first = append(first, each)
		} else {
			follow++
		}
	}
	return first, follow
}

// TestCauses: what one cause explains is told once, with the conversations that it keeps from being compared; all that
// follows from it says so, and what does not follow is told beside it.
func TestCauses(t *testing.T) {
	t.Parallel()
	var turn atomic.Int64
	keep := &compare.Keep{Directory: t.TempDir()}
	a := service(t, "a", settings{seed: 1, at: began, profiles: 300})
	for name, each := range map[string]struct {
		change  func(http.Handler) http.Handler
		says    string
		beside  []string // what is told beside the cause, each by a part
		follow  int      // at least so many
		hinders []string // some of them
		compare []string // conversations that are not among them
	}{
		"another version": {
			asked(func(r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/2.7/") {
					r.URL.Path = "/2.8" + strings.TrimPrefix(r.URL.Path, "/2.7")
				}
			}),
			"b answers 404 20 ROUTE_NOT_FOUND to every request under /2.7", nil, 25,
			[]string{"profiles-events", "profiles-links", "profiles-refusals", "filtered-rate"}, []string{"userbase", "legacy-refusals", "unknown-routes"},
		},
		"another base path": {
			asked(func(r *http.Request) { r.URL.Path = "/base" + r.URL.Path }),
			"b answers 404 20 ROUTE_NOT_FOUND to every request", nil, 60, []string{"profiles-events", "userbase", "unknown-routes"}, nil,
		},
		"a wrong key of one interface": {
			asked(wrong("X-Authorization")),
			"b answers 401 10 AUTHENTICATION_INVALID to what a takes under /1.0", nil, 40,
			[]string{"userbase", "campaign-events", "legacy-refusals"}, []string{"profiles-events", "lookup-authentication", "creation-authentication"},
		},
		"wrong keys": {
			asked(func(r *http.Request) { wrong("X-Authorization")(r); wrong("Authorization")(r) }),
			"b answers 401 10 AUTHENTICATION_INVALID, AUTHENTICATION_INVALID to what a takes", nil, 60,
			[]string{"userbase", "profiles-events"}, []string{"lookup-authentication"},
		},
		"an endpoint of which nothing works": {
			asked(func(r *http.Request) {
				if strings.Contains(r.URL.Path, "/export/campaign/") {
					r.URL.Path += "/gone"
				}
			}),
			"b answers 404 20 ROUTE_NOT_FOUND to every request under /1.0/{api_key}/export/campaign/{campaign}", nil, 4,
			[]string{"campaign-events", "campaign-ids"}, []string{"userbase", "transactional-ids"},
		},
		"a page in front of it": {
			instead(func(w http.ResponseWriter, _ *http.Request) bool {
				_, _ = w.Write([]byte("<p>Welcome</p>"))
				return true
			}),
			"b answers 200 to every request", nil, 40, []string{"userbase", "profiles-events"}, nil,
		},
		"another address": {
			instead(func(w http.ResponseWriter, r *http.Request) bool {
				w.Header().Set("Location", "https://api.example.com"+r.URL.Path)
				w.WriteHeader(http.StatusMovedPermanently)
				return true
			}),
			"b answers 301 to every request", nil, 40, []string{"userbase", "profiles-events"}, nil,
		},
		"out of order": {
			instead(func(w http.ResponseWriter, _ *http.Request) bool {
				w.WriteHeader(http.StatusBadGateway)
				return true
			}),
			"b answers 502 to every request", nil, 40, []string{"userbase", "profiles-events"}, nil,
		},
		"a limit of all requests": {
			instead(func(w http.ResponseWriter, r *http.Request) bool {
				if strings.HasPrefix(r.URL.Path, "/1.0/live_demo/export/") && r.Method == http.MethodPost && r.Header.Get("X-Mock-Scenario") == "" && turn.Add(1) > 25 {
					w.Header().Set("Retry-After", "100")
					w.WriteHeader(http.StatusTooManyRequests)
					return true
				}
				return false
			}),
			"b answers 429 to what a takes under /1.0/{api_key}/export", nil, 3, []string{"userbase", "transactional-ids"}, []string{"legacy-refusals", "profiles-events"},
		},
		"a wrong key, and another drift": {
			func(inner http.Handler) http.Handler {
				return asked(wrong("X-Authorization"))(drifttest.Service{Hand: func(r *http.Request, a *httptest.ResponseRecorder) {
					if r.URL.Path == "/2.7/exports/view" {
						a.Header().Set("X-Quota-Left", "17")
					}
				}}.Handler(inner))
			},
			"b answers 401 10 AUTHENTICATION_INVALID to what a takes under /1.0",
			[]string{"GET /2.7/exports/view: header X-Quota-Left: a has none"}, 40, []string{"userbase"}, []string{"profiles-events"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(func() { forget(t, keep) })
			b := service(t, "b", settings{seed: 1, at: began, profiles: 300, change: each.change})
			made, err := compare.Compare(context.Background(), compare.Options{Library: library(t), Conversations: defaults(t), A: a, B: b, Patience: time.Minute, Keep: keep})
			if err != nil {
				t.Fatal(err)
			}
			first, follow := told(made)
			if len(first) != 1+len(each.beside) || follow < each.follow {
				t.Fatalf("%d differences, and %d follow:%s", len(first), follow, describe(first))
			}
			cause := first[0]
			if cause.Kind != "cause" || cause.Relation.Says != each.says || cause.Severity != drift.High || cause.Relation.Advice == "" || cause.Count < each.follow/2 {
				t.Errorf("%s %s %+v", cause, cause.Relation.Advice, cause)
			}
			for i, part := range each.beside {
				if !strings.Contains(first[1+i].String(), part) {
					t.Errorf("beside it: %s, not %s", first[1+i], part)
				}
			}
			for _, had := range made.Had {
				hindered := slices.Contains(cause.Relation.Hinders, had.Name)
				if hindered != (had.Hindered == cause.ID) || hindered && !slices.Contains(had.Differs, cause.ID) {
					t.Errorf("%s: hindered %v, and it says %q, %v", had.Name, hindered, had.Hindered, had.Differs)
				}
				if slices.Contains(each.hinders, had.Name) && !hindered || slices.Contains(each.compare, had.Name) && hindered {
					t.Errorf("%s: hindered %v", had.Name, hindered)
				}
			}
			for _, other := range made.Differences {
				if other.Relation.Follows != "" && other.Relation.Follows != cause.ID {
					t.Errorf("it follows from %s: %s", other.Relation.Follows, other)
				}
			}
		})
	}
}

// TestCauseOfEither: it is told of a as well, with the same identifier whatever else is asked, and nothing of it when both do so.
func TestCauseOfEither(t *testing.T) {
	t.Parallel()
	bad := settings{seed: 1, at: began, profiles: 300, change: asked(wrong("X-Authorization"))}
	a, b := service(t, "a", bad), service(t, "b", settings{seed: 2, at: began, profiles: 300})
	first, _ := told(compared(t, a, b))
	if len(first) != 1 || first[0].Relation.Says != "a answers 401 10 AUTHENTICATION_INVALID to what b takes under /1.0" || !strings.Contains(first[0].Relation.Advice, "--a-values") {
		t.Errorf("%s", describe(first))
	}
	other := bad
	other.seed = 3
	if made := compared(t, service(t, "a", bad), service(t, "b", other)); len(made.Differences) > 0 {
		t.Errorf("both: %s", describe(made.Differences))
	}
}

// TestEverywhere: what is the same at many endpoints is told once, with the endpoints; what is so at two is told at each.
func TestEverywhere(t *testing.T) {
	t.Parallel()
	headed := drifttest.Service{Hand: func(r *http.Request, a *httptest.ResponseRecorder) {
		if !strings.HasPrefix(r.URL.Path, "/_mock/") {
			a.Header().Set("X-Region", "north")
		}
	}}
	made := compared(t, service(t, "a", settings{seed: 1, at: began, profiles: 300}), service(t, "b", settings{seed: 1, at: began, profiles: 300, change: headed.Handler}))
	first, follow := told(made)
	if len(first) != 1 || follow < 15 || len(first[0].Relation.At) != follow || first[0].About != "header X-Region" || first[0].Count < follow {
		t.Fatalf("%d follow: %s", follow, describe(first))
	}
	one, all := first[0].ID, made.Differences
	var others []string
	for _, each := range all {
		if each.ID != one {
			others = append(others, each.ID)
		}
	}
	// Whoever knew it at each endpoint knows it; whoever knows it for all knows it at each, also when few are left.
	if got := compare.Implied(all, others); len(got) != len(all) {
		t.Errorf("%d of %d are known", len(got), len(all))
	}
	if got := compare.Implied(all, []string{one, "other"}); len(got) != len(all)+1 {
		t.Errorf("%d of %d are known", len(got), len(all)+1)
	}
	if got := compare.Implied(all, others[1:]); len(got) != len(others)-1 {
		t.Errorf("one is new, and %d of %d are known", len(got), len(others)-1)
	}
	few := slices.DeleteFunc(slices.Clone(all), func(d compare.Difference) bool { return d.Where != all[1].Where })
	for i := range few {
		few[i].Relation.Follows = ""
	}
	if got := compare.Implied(few, []string{one}); len(got) != 1 || got[0] != few[0].ID {
		t.Errorf("few are left, and known are %v of %v", got, few)
	}
}

// TestAnotherSuccess: a status that takes what was asked for as well hides nothing else of the answer.
func TestAnotherSuccess(t *testing.T) {
	t.Parallel()
	other := drifttest.Service{Hand: func(r *http.Request, a *httptest.ResponseRecorder) {
		if a.Code == http.StatusAccepted && strings.HasPrefix(r.URL.Path, "/2.7/") {
			a.Code = http.StatusCreated
			changed := strings.Replace(a.Body.String(), "{", `{"queue": 3, `, 1)
			a.Header().Set("Content-Length", strconv.Itoa(len(changed)))
			a.Body = bytes.NewBufferString(changed)
		}
	}}
	made := compared(t, service(t, "a", settings{seed: 1, at: began, profiles: 300}), service(t, "b", settings{seed: 1, at: began, profiles: 300, change: other.Handler}))
	first, _ := told(made)
	if found := describe(first); !strings.Contains(found, "a has 202; b has 201") || !strings.Contains(found, "member /queue: a has none") {
		t.Errorf("%s", found)
	}
}

// TestSilent: a service that is down is not asked in every conversation.
func TestSilent(t *testing.T) {
	t.Parallel()
	a, b := service(t, "a", settings{seed: 1, at: began, profiles: 300}), service(t, "b", settings{seed: 1, at: began, profiles: 300})
	tried, down := 0, http.DefaultTransport
	b.Transport = transport(func(r *http.Request) (*http.Response, error) {
		tried++
		r.URL.Host = "127.0.0.1:1"
		return down.RoundTrip(r)
	})
	made, err := compare.Compare(context.Background(), compare.Options{
		Library: library(t), A: a, B: b, Patience: time.Minute,
		Conversations: slices.DeleteFunc(defaults(t), func(c *conversation.Conversation) bool { return len(c.Needs) > 0 }),
	})
	if err != nil {
		t.Fatal(err)
	}
	const least = 10
	if tried != 3 || len(made.Had) < least {
		t.Errorf("%d conversations, %d requests", len(made.Had), tried)
	}
	for i, had := range made.Had {
		if part := []string{"b: step ", "b: it did not answer in 3 conversations"}[min(i/3, 1)]; !strings.HasPrefix(had.Undecided, part) {
			t.Errorf("%d: %s", i, had.Undecided)
		}
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
