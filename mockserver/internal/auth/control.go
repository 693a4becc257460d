package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

const controlChallenge = `Bearer realm="control"`

// Access is who may use the paths under /_mock/: with a token, every client that sends it, from wherever, because a proxy on this machine
// would make everybody local; without one, clients on the same machine. The zero value asks for no token.
type Access struct {
	asks  bool
	token [sha256.Size]byte // its digest: a comparison says nothing of its length
	hosts Hosts
}

// NewAccess asks for a token; an empty one means none, and then the server has to be asked under one of its names.
func NewAccess(token string, hosts Hosts) Access {
	if token == "" {
		return Access{hosts: hosts}
	}
	return Access{asks: true, token: sha256.Sum256([]byte(token))}
}

// Check refuses a request that may not use the control API. One without a peer address came from inside the process or over a Unix
// socket: it needs no token. One that a proxy has passed on came from anywhere. See docs/decisions/server.md#who-may-use-_mock
func (a Access) Check(r *http.Request) error {
	proxied := proxyHeader(r.Header)
	if proxied == "" && (r.RemoteAddr == "" || r.RemoteAddr == "@") {
		return nil
	}
	if !a.asks {
		if proxied != "" {
			return exports.Refuse(exports.APIMisuse,
				"the paths under /_mock/ answer only to clients on the same machine unless the server has a control token (--control-token), and this request was passed on by a proxy: it carries the header %s", exports.Shorten(proxied))
		}
		return a.onlyLoopback(r)
	}
	authorization, refusal := only(r.Header, "Authorization", "the control token of the server (Bearer <token>)")
	if refusal != nil {
		return httpd.WithHeader(refusal, "WWW-Authenticate", controlChallenge)
	}
	scheme, token, _ := strings.Cut(authorization, " ")
	sent := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(sent[:], a.token[:]) != 1 {
		return httpd.WithHeader(exports.Refuse(exports.AuthenticationInvalid,
			"the header Authorization does not carry the control token of the server; send Bearer and the token that was given with --control-token or printed when the server started"),
			"WWW-Authenticate", controlChallenge+`, error="invalid_token"`)
	}
	return nil
}

// ofProxies are headers that name the client of a proxy, beside X-Forwarded-*.
var ofProxies = []string{"Cf-Connecting-Ip", "Forwarded", "True-Client-Ip", "Via", "X-Client-Ip", "X-Real-Ip"}

// proxyHeader is a header of the request that only proxies send; empty if it has none.
func proxyHeader(header http.Header) string {
	for name := range header {
		if slices.Contains(ofProxies, name) || strings.HasPrefix(name, "X-Forwarded-") {
			return name
		}
	}
	return ""
}

// onlyLoopback refuses requests from other machines, and those of a browser that was led here.
func (a Access) onlyLoopback(r *http.Request) error {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if address := net.ParseIP(host); err != nil || address == nil || !address.IsLoopback() {
		return exports.Refuse(exports.APIMisuse,
			"the paths under /_mock/ answer only to clients on the same machine (127.0.0.1 or ::1) unless the server has a control token (--control-token), and this request came from %s", exports.Shorten(r.RemoteAddr))
	}
	if !a.hosts.knows(r.Host) {
		return exports.Refuse(exports.APIMisuse,
			"without a control token (--control-token) the paths under /_mock/ answer only under localhost, the number of an address, such as 127.0.0.1, or a name that is given with --host, and the header Host says %q", exports.Shorten(r.Host))
	}
	return nil
}
