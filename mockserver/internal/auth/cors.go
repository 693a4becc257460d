package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// corsMaxAge is how many seconds a browser may remember what a preflight allowed: long enough to spare most of them, short enough to
// notice a restart with other origins within a coffee break.
const corsMaxAge = "600"

// checkOrigins refuses what no browser sends as an origin.
func checkOrigins(origins []string) error {
	for _, origin := range origins {
		if origin == "*" {
			if len(origins) > 1 {
				return fmt.Errorf("* allows every origin, so the others (%s) have no effect; give * alone or leave it out",
					strings.Join(slices.DeleteFunc(slices.Clone(origins), func(other string) bool { return other == "*" }), ", "))
			}
			continue
		}
		parsed, err := url.Parse(origin)
		if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "" || parsed.User != nil ||
			strings.Contains(parsed.Host, "*") {
			return fmt.Errorf("%q is not an origin; an origin is a scheme, a host and perhaps a port, such as http://localhost:5173, or * for all",
				origin)
		}
		if plain := parsed.Scheme + "://" + strings.ToLower(parsed.Host); plain != origin {
			return fmt.Errorf("%q is not an origin as browsers send it; write %q", origin, plain)
		}
		if port := parsed.Port(); parsed.Scheme == "http" && port == "80" || parsed.Scheme == "https" && port == "443" {
			return fmt.Errorf("%q names the usual port of its scheme, which browsers leave out; write %q", origin,
				strings.TrimSuffix(origin, ":"+port))
		}
	}
	return nil
}

// Share lets pages of the allowed origins read the answers of a handler. The paths under /_mock/ are for them only where a token guards
// those: without one every program on this machine may use them, and a page that its browser shows is. See
// docs/decisions/server.md#what-does---cors-allow
func (o Origins) Share(handler http.Handler, dialect exports.Dialect) http.Handler {
	exposed := []string{"Accept-Ranges", "Content-Disposition", "Content-Length", "Content-Range", "ETag", "Location", "Retry-After",
		"WWW-Authenticate", "X-Request-Id"}
	for _, its := range dialect {
		if !slices.Contains(exposed, its.Headers.RetryAfter) {
			exposed = append(exposed, its.Headers.RetryAfter)
		}
	}
	return sharing{origins: o, exposed: strings.Join(exposed, ", "), handler: handler}
}

// sharing is the CORS protocol of the Fetch standard, with one policy for all paths. It stands here and not in a module, so that a Go
// test that imports the mock gets one module fewer.
type sharing struct {
	origins Origins
	exposed string // headers of answers that pages may read
	handler http.Handler
}

// corsMethods are the methods that pages of other origins may use.
var corsMethods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

func (s sharing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header, origin := w.Header(), r.Header.Get("Origin")
	method, preflight := r.Method, httpd.IsPreflight(r)
	if preflight && joins(r.Header.Get("Access-Control-Request-Method"), r.URL.Path) || joins(r.Method, r.URL.Path) {
		s.serveHost(w, r, preflight)
		return
	}
	if len(s.origins.allowed) == 0 {
		s.handler.ServeHTTP(w, r)
		return
	}
	allowed := s.origins.allows(origin) && (s.origins.token || !strings.HasPrefix(r.URL.Path, "/_mock/"))
	if preflight {
		method = r.Header.Get("Access-Control-Request-Method")
		header.Add("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers")
	} else {
		header.Add("Vary", "Origin") // also where the origin is missing: a cache keeps the answer for the others
	}
	if origin != "" && allowed && slices.Contains(corsMethods, method) {
		if slices.Contains(s.origins.allowed, "*") {
			header.Set("Access-Control-Allow-Origin", "*")
		} else {
			// Cookies mean nothing here, but a page that always sends what it has gets
			// no answer without this. The standard forbids it together with *.
			header.Set("Access-Control-Allow-Origin", origin)
			header.Set("Access-Control-Allow-Credentials", "true")
		}
		if preflight {
			header.Set("Access-Control-Allow-Methods", method)
			// Those that are asked for: browsers do not count Authorization as one of *.
			if asked := r.Header.Values("Access-Control-Request-Headers"); len(asked) > 0 && asked[0] != "" {
				header["Access-Control-Allow-Headers"] = asked
			}
			header.Set("Access-Control-Max-Age", corsMaxAge)
		} else {
			header.Set("Access-Control-Expose-Headers", s.exposed)
		}
	}
	if preflight && allowed {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.handler.ServeHTTP(w, r)
}
