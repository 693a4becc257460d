package auth

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

const controlChallenge = `Bearer realm="control"`

// Access is who may use the paths under /_mock/: with a token, whoever sends it,
// from wherever, because a proxy on this machine would make everybody local;
// without one, clients on the same machine. The zero value asks for no token.
type Access struct {
	asks  bool
	token digest
}

// NewAccess asks for a token; an empty one means none.
func NewAccess(token string) Access {
	if token == "" {
		return Access{}
	}
	return Access{asks: true, token: digestOf(token)}
}

// AsksForToken tells whether there is a token.
func (a Access) AsksForToken() bool { return a.asks }

// Check refuses a request that may not use the control API. One without a peer
// address came from inside the process or over a Unix socket: it needs no token.
// See docs/decisions/server.md#who-may-use-_mock
func (a Access) Check(r *http.Request) error {
	if r.RemoteAddr == "" || r.RemoteAddr == "@" {
		return nil
	}
	if !a.asks {
		return onlyLoopback(r)
	}
	authorization, refusal := credential(r.Header, "Authorization", "the control token of the server (Bearer <token>)")
	if refusal != nil {
		return httpd.WithHeader(refusal, "WWW-Authenticate", controlChallenge)
	}
	scheme, token, _ := strings.Cut(authorization, " ")
	sent := digestOf(strings.TrimSpace(token))
	if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(sent[:], a.token[:]) != 1 {
		return httpd.WithHeader(exports.Refuse(exports.AuthenticationInvalid, "the header Authorization does not carry the control token of the server; send Bearer and the token that was given with --control-token or printed when the server started"),
			"WWW-Authenticate", controlChallenge+`, error="invalid_token"`)
	}
	return nil
}

// onlyLoopback refuses requests from other machines, and those of a browser
// that was led here.
func onlyLoopback(r *http.Request) error {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if address := net.ParseIP(host); err != nil || address == nil || !address.IsLoopback() {
		return exports.Refuse(exports.APIMisuse, "the paths under /_mock/ answer only to clients on the same machine (127.0.0.1 or ::1) unless the server has a control token (--control-token), and this request came from %s", exports.Shorten(r.RemoteAddr))
	}
	if !namesThisMachine(r.Host) {
		return exports.Refuse(exports.APIMisuse, "the paths under /_mock/ answer only under localhost or the number of an address, such as 127.0.0.1, and the header Host says %q", exports.Shorten(r.Host))
	}
	return nil
}

// namesThisMachine tells whether a Host header may be that of a client that
// knows whom it asks. A web page can let a name of its own lead to 127.0.0.1
// and so make a browser on this machine its messenger; it can do that with
// neither localhost nor an address in numbers, whichever the server listens on.
func namesThisMachine(host string) bool {
	name := host
	if split, _, err := net.SplitHostPort(host); err == nil {
		name = split
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if name == "" || name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil
}
