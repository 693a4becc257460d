package drift_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/drifttest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestCredentialsOfTheMock: the mock is asked with the credential of the interface: a token alone, or one beside the key of a project.
func TestCredentialsOfTheMock(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ask      func(b *beside)
		old, new string // in answers
	}{
		"contacts": {func(b *beside) {
			bearer := "Authorization: Bearer token_demo"
			_, made, _ := b.ask("POST", "/v3/contacts/exports", `{}`, bearer)
			b.fetch("/v3/contacts/exports/"+decode(made)["id"].(string), []string{bearer})
		}, `"self"`, `"address"`},
		"analytics": {func(b *beside) {
			b.ask("GET", "/api/2/export?start=now&end=now", "", "Authorization: Basic cHJvamVjdF9kZW1vOnRva2VuX2RlbW8=")
		}, `"code":400`, `"code":"400"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := os.DirFS("../../examples/services/" + name)
			b := proxied(t, service(t, files, renaming(c.old, c.new)), files)
			c.ask(b)
			b.end()
			keys := drift.Keys{Company: "rest_demo", Application: "live_demo", Token: "token_demo", Project: "project_demo"}
			must.Do(t, b.observer.Rehearse(t.Context(), mock, keys, t.TempDir()))
			found := b.observer.Findings()
			if len(found) == 0 {
				t.Error("nothing was found")
			}
			for _, each := range found {
				if each.Mock != drift.Shows {
					t.Errorf("%s: %s", each, each.Mock)
				}
			}
		})
	}
}

// renaming changes a text in the answers of a service.
func renaming(old, new string) func(http.Handler) http.Handler {
	return drifttest.Service{Hand: func(_ *http.Request, answer *httptest.ResponseRecorder) {
		answer.Body = bytes.NewBufferString(strings.ReplaceAll(answer.Body.String(), old, new))
		answer.Header().Del("Content-Length")
	}}.Handler
}

// TestInterruptedRehearsal: once the context has ended no request is asked of the mock any more, and no finding says that it was.
func TestInterruptedRehearsal(t *testing.T) {
	t.Parallel()
	observer := must.Get(drift.New(fstest.MapFS{}))(t)
	for number := range uint64(20) {
		x := created(number+1, 0, 10)
		x.Received.Body = written(`{"id": "export_1", "queue": 7}`)
		observer.Observe(x)
	}
	ctx, end := context.WithCancel(t.Context())
	requests := 0
	counting := func(fs.FS, func() time.Time) (http.Handler, func(), error) {
		return http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests++; end() }), func() {}, nil
	}
	err := observer.Rehearse(ctx, counting, drift.Keys{}, t.TempDir())
	if found := observer.Findings(); !errors.Is(err, context.Canceled) || requests != 1 || len(found) == 0 || found[0].Mock != "" {
		t.Errorf("%v after %d requests:%s", err, requests, describe(found))
	}
}
