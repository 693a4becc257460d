package auth

import (
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// Edge is asked by every listener before a handler sees a request. See docs/decisions/server.md#why-is-there-one-edge
type Edge struct {
	Hosts   Hosts
	Origins Origins
	// FilesURL is the origin of the files; empty when they share that of the API.
	FilesURL string
	// Public tells that the server has a public address: a proxy on this machine may make everybody local.
	Public bool
}

// Check refuses a request by host name, connection or origin; the route is nil where none fits.
func (e Edge) Check(r *http.Request, route *httpd.Route) error {
	if err := e.Hosts.Check(r); err != nil {
		return err
	}
	if err := httpd.Beyond(r.Context()); err != nil && (route == nil || !route.Reserve) {
		return err
	}
	if err := checkApps(r, route); err != nil {
		return err
	}
	if err := checkFilesOrigin(e.FilesURL, r, route); err != nil {
		return err
	}
	return e.Origins.Check(r, route)
}

// TokenPath is the last part of the address of a guarded handler; empty without a token.
func TokenPath(token string) string {
	if token == "" {
		return ""
	}
	return "/_token/" + token
}

// Guard stands before a handler without routes. Every request counts as one that costs something. With a token, the
// path begins with [TokenPath], which the handler does not see: clients have one setting for an address, and none for a header.
func (e Edge) Guard(handler http.Handler, token string) http.Handler {
	folder, every := TokenPath(token)+"/", &httpd.Route{Output: httpd.Output{Writes: true}}
	within := http.StripPrefix(TokenPath(token), handler)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w = &guardedWriter{w}
		defer httpd.ExtendDeadline(w) // for the rest that the server writes
		err, status, path := e.Check(r, every), http.StatusForbidden, r.URL.EscapedPath()
		switch {
		case httpd.Beyond(r.Context()) != nil:
			status = http.StatusServiceUnavailable
		case err == nil && token != "" && subtle.ConstantTimeCompare([]byte(path[:min(len(folder), len(path))]), []byte(folder)) != 1:
			err = errors.New("the address has no token, or another: give clients that which was printed at the start, which ends with " +
				"/_token/TOKEN (--proxy-token)")
		case err == nil:
			within.ServeHTTP(w, r)
			return
		}
		if r.Header.Get("Expect") == "" { // most clients read an answer only when they have sent everything
			_, _ = io.Copy(io.Discard, r.Body)
		}
		http.Error(w, "mockserver: "+err.Error(), status)
	})
}

// guardedWriter limits each write and no pause between writes: HTTP/2 resets a stream at a deadline even if nothing is written.
type guardedWriter struct{ http.ResponseWriter }

func (w *guardedWriter) timed() (end func()) {
	httpd.ExtendDeadline(w.ResponseWriter)
	return func() { _ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Time{}) }
}

func (w *guardedWriter) WriteHeader(status int) {
	defer w.timed()()
	w.ResponseWriter.WriteHeader(status)
}

func (w *guardedWriter) Write(data []byte) (int, error) {
	defer w.timed()()
	return w.ResponseWriter.Write(data)
}

// FlushError flushes, see [http.ResponseController].
func (w *guardedWriter) FlushError() error {
	defer w.timed()()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets a handler take the connection over.
func (w *guardedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
