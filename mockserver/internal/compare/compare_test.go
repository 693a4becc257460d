package compare_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// settings are how a service differs from the default without speaking otherwise.
type settings struct {
	seed     uint64
	at       time.Time
	profiles int64 // 1500 if this is 0
	overlay  fs.FS
	change   func(http.Handler) http.Handler
	progress string // polls:6 if this is ""
}

var began = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// service is this server, with its clock and its scenarios.
func service(t testing.TB, name string, s settings) *compare.Service {
	t.Helper()
	server, err := mockserver.New(mockserver.Options{
		Schemas: s.overlay, StartAt: s.at, Profiles: cmp.Or(s.profiles, 1500), Progress: cmp.Or(s.progress, "polls:6"), Seed: s.seed, Credentials: mockserver.DemoCredentials(), Random: rand.Reader,
	})
	if err != nil {
		t.Fatal(err)
	}
	var handler http.Handler = server
	if s.change != nil {
		handler = s.change(server)
	}
	made := httptest.NewServer(handler)
	t.Cleanup(func() { made.Close(); server.Close() })
	base, err := url.Parse(made.URL)
	if err != nil {
		t.Fatal(err)
	}
	return &compare.Service{
		Name: name, Address: made.URL, Base: base, Transport: http.DefaultTransport, Mock: true, Now: time.Now,
		Pause:  func(context.Context, time.Duration) error { t.Error("it waits in real time"); return nil },
		Values: compare.DemoValues(),
	}
}

func library(t testing.TB) *schemas.Library {
	t.Helper()
	made, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func defaults(t testing.TB) []*conversation.Conversation {
	t.Helper()
	made, err := conversation.Default(library(t))
	if err != nil {
		t.Fatal(err)
	}
	return conversation.Together(made, nil)
}

func compared(t testing.TB, a, b *compare.Service) *compare.Result {
	t.Helper()
	made, err := compare.Compare(context.Background(), compare.Options{Library: library(t), Conversations: defaults(t), A: a, B: b, Patience: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// forget leaves only what a has said: another b may get the port of this one.
func forget(t *testing.T, keep *compare.Keep) {
	kept, err := filepath.Glob(filepath.Join(keep.Directory, "*.b.json"))
	if err != nil || len(kept) == 0 {
		t.Errorf("%d transcripts of b, %v", len(kept), err)
	}
	for _, path := range kept {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}

func describe(differences []compare.Difference) string {
	var text strings.Builder
	for _, each := range differences {
		fmt.Fprintf(&text, "\n%s %v", each, each.Seen)
	}
	return text.String()
}

// TestAlike: another population, other identifiers and another clock are no difference, and our server does all that the conversations expect.
func TestAlike(t *testing.T) {
	t.Parallel()
	a, keep := service(t, "a", settings{seed: 1, at: began}), &compare.Keep{Directory: t.TempDir()}
	for _, each := range []settings{{seed: 7, at: began}, {seed: 8, at: began.AddDate(0, 2, 9).Add(7 * time.Hour)}, {seed: 99, at: began.AddDate(-1, 0, 20)}} {
		t.Run(fmt.Sprint(each.seed), func(t *testing.T) {
			t.Cleanup(func() { forget(t, keep) })
			made, err := compare.Compare(context.Background(), compare.Options{Library: library(t), Conversations: defaults(t), A: a, B: service(t, "b", each), Patience: time.Minute, Keep: keep})
			if err != nil {
				t.Fatal(err)
			}
			if len(made.Differences) > 0 {
				t.Errorf("%d differences:%s", len(made.Differences), describe(made.Differences))
			}
			for _, had := range made.Had {
				if had.Undecided != "" || had.Once != "" || len(had.Both) > 0 {
					t.Errorf("%s: undecided %q, once %q, unmet %q", had.Name, had.Undecided, had.Once, had.Both)
				}
			}
		})
	}
}

// otherStatuses answers with 410 where there is nothing, and with 418 where the method is another.
func otherStatuses(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		inner.ServeHTTP(answer, r)
		if !strings.HasPrefix(r.URL.Path, "/_mock/") {
			switch answer.Code {
			case http.StatusNotFound:
				answer.Code = http.StatusGone
			case http.StatusUnauthorized:
				answer.Code = http.StatusTeapot
			}
		}
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = answer.Body.WriteTo(w)
	})
}

// TestEachValueIsTold: what a difference says holds in every step in which it was seen; where an endpoint has two other
// statuses there are two differences.
func TestEachValueIsTold(t *testing.T) {
	t.Parallel()
	made := compared(t, service(t, "a", settings{seed: 1, at: began, profiles: 300}), service(t, "b", settings{seed: 1, at: began, profiles: 300, change: otherStatuses}))
	pairs, ids := map[string]map[string]bool{}, map[string]bool{}
	for _, each := range made.Differences {
		if each.About != "status" {
			continue
		}
		if pairs[each.Where] == nil {
			pairs[each.Where] = map[string]bool{}
		}
		pairs[each.Where][each.A+" "+each.B] = true
		if ids[each.ID] {
			t.Errorf("%s is the identifier of two differences", each.ID)
		}
		ids[each.ID] = true
	}
	both := 0
	for where, of := range pairs {
		for pair := range of {
			if pair != "has 404 has 410" && pair != "has 401 has 418" {
				t.Errorf("%s: %s", where, pair)
			}
		}
		if len(of) == 2 {
			both++
		}
	}
	if both == 0 {
		t.Errorf("no endpoint has both: %v", pairs)
	}
	first, _ := told(made)
	for _, each := range first {
		if each.About != "status" { // an error with the other number is no other one
			t.Errorf("it follows from nothing: %s", each)
		}
	}
}

// otherTypes answers refusals in another media type: one for who is not known, none for what is wrong.
func otherTypes(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		inner.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		if r.URL.Path == "/2.7/profiles/export" {
			switch answer.Code {
			case http.StatusUnauthorized:
				w.Header().Set("Content-Type", "text/plain")
			case http.StatusBadRequest:
				w.Header()["Content-Type"] = nil // so that none is guessed
			}
		}
		w.WriteHeader(answer.Code)
		_, _ = answer.Body.WriteTo(w)
	})
}

// TestPairs: a header that is another in some steps and missing in others is one difference, as bad as the worst of them, which
// tells of both and where each was seen.
func TestPairs(t *testing.T) {
	t.Parallel()
	made := compared(t, service(t, "a", settings{seed: 1, at: began, profiles: 300}), service(t, "b", settings{seed: 1, at: began, profiles: 300, change: otherTypes}))
	if len(made.Differences) != 1 {
		t.Fatalf("%d differences:%s", len(made.Differences), describe(made.Differences))
	}
	found, seen := made.Differences[0], 0
	b := map[string]string{}
	for _, pair := range found.Pairs {
		if seen += len(pair.Seen); pair.A != found.A {
			t.Errorf("a %s, and not %s", pair.A, found.A)
		}
		if !strings.Contains(found.String(), "b "+pair.B) {
			t.Errorf("%s says nothing of b %s", found, pair.B)
		}
		for _, step := range pair.Seen {
			b[step] = pair.B
		}
	}
	if len(found.Pairs) != 2 || seen != len(found.Seen) || found.Severity != drift.High ||
		b["creation-authentication/profiles without"] != "has a text text/plain" || b["profiles-refusals/no JSON"] != "has none" {
		t.Errorf("%s: %+v", found, found.Pairs)
	}
}
