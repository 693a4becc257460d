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

// Origins are the web pages that may use a server, besides its own. See docs/decisions/server.md#which-web-pages-may-use-the-server
type Origins struct {
	api, control *http.CrossOriginProtection // nil: those of every origin
	allowed      []string
	token        bool // guards the control API
}

// NewOrigins trusts the pages of the server's public address and of origins that were allowed, or of all if one of these is *. The
// control API trusts what was allowed only where a token guards it.
func NewOrigins(allowed []string, publicURL string, token bool) (Origins, error) {
	if err := checkOrigins(allowed); err != nil {
		return Origins{}, err
	}
	var served []string
	if public, err := url.Parse(publicURL); err == nil && public.Host != "" {
		served = append(served, public.Scheme+"://"+strings.ToLower(public.Host))
	}
	api, err := trusting(append(served, allowed...))
	if err != nil {
		return Origins{}, err
	}
	o := Origins{api: api, control: api, allowed: allowed, token: token}
	if !token {
		o.control, err = trusting(served)
	}
	return o, err
}

func trusting(origins []string) (*http.CrossOriginProtection, error) {
	if slices.Contains(origins, "*") {
		return nil, nil
	}
	protection := http.NewCrossOriginProtection()
	for _, origin := range origins {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("%w", err)
		}
	}
	return protection, nil
}

// Check refuses a request that a browser sends for a page of another origin,
// where it would cost or change something; route is nil where none fits.
func (o Origins) Check(r *http.Request, route *httpd.Route) error {
	origin, cure := exports.Shorten(r.Header.Get("Origin")), "to let its pages in"
	control := strings.HasPrefix(r.URL.Path, "/_mock/") && (route == nil || route.Credential == httpd.Control)
	if control {
		cure += ", together with --control-token"
	}
	if httpd.IsPreflight(r) && (route == nil || !o.allows(origin)) {
		return exports.Refuse(exports.RouteNotFound,
			"this is the question of a browser (a preflight) whether a page of the origin %q may send %s; start with --cors %[1]s %[3]s",
			origin, exports.Shorten(r.Header.Get("Access-Control-Request-Method")), cure)
	}
	if route == nil || route.Credential.OfHosts() {
		return nil
	}
	protection := o.api
	if control {
		protection = o.control
	}
	if (control || route.Writes) && embeds(r) { // a read that may cost as much as a change
		asked := *r
		asked.Method, r = http.MethodPost, &asked
	}
	if protection == nil || protection.Check(r) == nil {
		return nil
	}
	return exports.Refuse(exports.APIMisuse, "the request comes from a web page of another origin (Origin %q, Sec-Fetch-Site %q); start with --cors ORIGIN %s",
		origin, exports.Shorten(r.Header.Get("Sec-Fetch-Site")), cure)
}

// allows tells whether the pages of an origin were let in.
func (o Origins) allows(origin string) bool {
	return slices.Contains(o.allowed, "*") || slices.Contains(o.allowed, strings.ToLower(origin))
}

// embeds tells whether a browser reads something for a page, and not to show it to a person who followed a link or typed an address: for
// that, browsers that send no Sec-Fetch-Site send no Origin.
func embeds(r *http.Request) bool {
	if r.Header.Get("Sec-Fetch-Site") == "" {
		return r.Header.Get("Origin") != ""
	}
	return r.Header.Get("Sec-Fetch-Dest") != "document"
}
