package proxy_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/proxy"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// lingering is a client whose connection keeps the proxy after it has got what was written so far.
type lingering struct {
	http.ResponseWriter
	until <-chan struct{}
}

func (w lingering) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w lingering) WriteHeader(status int) {
	w.ResponseWriter.WriteHeader(status)
	if status >= http.StatusMultipleChoices {
		_ = http.NewResponseController(w.ResponseWriter).Flush()
		<-w.until
	}
}

func (w lingering) Write(data []byte) (int, error) {
	n, err := w.ResponseWriter.Write(data)
	_ = http.NewResponseController(w.ResponseWriter).Flush()
	<-w.until
	return n, err
}

// order has a proxy tell in which order it observes requests: the first is for a path whose answer lingers, and once its
// client has read so many bytes, or the head only, the others are sent and answered.
func order(t *testing.T, path string, bytes int) (observed []string) {
	t.Helper()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/created":
			_, _ = w.Write([]byte(`{"id": "export_1"}`))
		case "/redirect":
			w.Header().Set("Location", "/file")
			w.WriteHeader(http.StatusTemporaryRedirect)
			_ = http.NewResponseController(w).Flush() // so that the length is not known
			_, _ = w.Write([]byte("over there"))
		case "/halves":
			w.Header().Set("Content-Length", "10")
			_, _ = w.Write([]byte("first"))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	}))
	defer service.Close()
	address := must.Get(url.Parse(service.URL))(t)
	if path == "/down" {
		address.Host = "127.0.0.1:1"
	}
	p := proxy.New(proxy.Options{
		Upstream: address, Transport: proxy.Transport(&http.Transport{}), Directory: t.TempDir(), MostBody: 1 << 20, Now: time.Now,
		Log:     slog.New(slog.DiscardHandler),
		Observe: func(x *drift.Exchange) { observed = append(observed, x.To.Path) },
	})
	release, ended := make(chan struct{}), make(chan struct{}, 4)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			w = lingering{w, release}
		}
		p.ServeHTTP(w, r)
		ended <- struct{}{}
	}))
	ask := func(path string) *http.Response {
		t.Helper()
		own := http.Client{Transport: &http.Transport{DisableKeepAlives: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		return must.Get(own.Get(front.URL + path))(t)
	}
	first := ask(path)
	must.Get(io.ReadFull(first.Body, make([]byte, bytes)))(t)
	for range 3 {
		answer := ask("/next")
		_, _ = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		<-ended // its client has the answer before the proxy has handed it on
	}
	close(release)
	first.Body.Close()
	front.Close()
	p.Close()
	return observed
}

// TestOrder: what a client may have asked for because of an answer is observed after it, however long the proxy needs to get
// rid of that; what overlapped is not held back.
func TestOrder(t *testing.T) {
	t.Parallel()
	for about, c := range map[string]struct {
		path  string
		bytes int
		last  bool // it is observed after the others
	}{
		"a whole answer":            {"/created", len(`{"id": "export_1"}`), false},
		"a redirect":                {"/redirect", 0, false},
		"an error of the proxy":     {"/down", 0, false},
		"an answer that is not all": {"/halves", 5, true},
	} {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			observed, want := order(t, c.path, c.bytes), []string{c.path, "/next", "/next", "/next"}
			if c.last {
				want = []string{"/next", "/next", "/next", c.path}
			}
			must.Equal(t, observed, want, "observed")
		})
	}
}
