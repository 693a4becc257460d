package httpd_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// noon is the time of every test.
var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// harness is a transport with routes of the test, and nothing behind them.
type harness struct {
	*httpd.Server
	journal *journal.Journal
	log     *bytes.Buffer
}

func serve(t *testing.T, routes ...*httpd.Route) harness {
	t.Helper()
	library := must.Get(schemas.Embedded())(t)
	tables := must.Get(httpd.ReadErrorTables(library))(t)
	h := harness{journal: journal.New(0, 1<<30), log: new(bytes.Buffer)}
	h.Server = httpd.New(httpd.Config{
		Errors: tables, Journal: h.journal, Metrics: new(metrics.Server), Logger: slog.New(slog.NewTextHandler(h.log, nil)),
		Clock: func(string) (time.Time, bool) { return noon, true }, Now: func() time.Time { return noon },
		Sleep: func(context.Context, time.Duration) error { return nil }, IDPrefix: "request-",
		Explain: func(error) *exports.Refusal { return nil }, LargestBody: 1 << 20,
	})
	h.Serve(routes, httpd.Files{})
	return h
}

// send sends a request; headers are pairs.
func (h harness) send(method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(""))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// answers is a handler that always answers the same.
func answers(response httpd.Response, err error) httpd.Handler {
	return func(*httpd.Request) (httpd.Response, error) { return response, err }
}

// on is a route of an interface.
func on(iface exports.Interface, path string, handle httpd.Handler) *httpd.Route {
	return &httpd.Route{Name: path, Interface: iface, Method: http.MethodPost, Path: path, Credential: httpd.Public,
		Stage: exports.StageCreate, Handle: handle}
}
