package api

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

const controlChallenge = `Bearer realm="control"`

// controls decides who may use the paths under /_mock/. With a token, whoever
// sends it, from wherever: a proxy on this machine would make everybody local.
// Without one, clients on the same machine. A request without a peer address
// came from inside the process or over a Unix socket: it needs no token.
func (s *Service) controls(r *http.Request) *Error {
	if r.RemoteAddr == "" || r.RemoteAddr == "@" {
		return nil
	}
	if s.controlToken == (digest{}) {
		return onlyLoopback(r)
	}
	authorization, refusal := credential(r.Header, "Authorization", "the control token of the server (Bearer <token>)")
	if refusal != nil {
		return refusal.with("WWW-Authenticate", controlChallenge)
	}
	scheme, token, _ := strings.Cut(authorization, " ")
	sent := digestOf(strings.TrimSpace(token))
	if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(sent[:], s.controlToken[:]) != 1 {
		return refuse(AuthenticationInvalid, "the header Authorization does not carry the control token of the server; send Bearer and the token that was given with --control-token or printed when the server started").
			with("WWW-Authenticate", controlChallenge+`, error="invalid_token"`)
	}
	return nil
}

// onlyLoopback refuses requests from other machines, and those of a browser
// that was led here.
func onlyLoopback(r *http.Request) *Error {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if address := net.ParseIP(host); err != nil || address == nil || !address.IsLoopback() {
		return refuse(APIMisuse, "the paths under /_mock/ answer only to clients on the same machine (127.0.0.1 or ::1) unless the server has a control token (--control-token), and this request came from %s", shortened(r.RemoteAddr))
	}
	if !namesThisMachine(r.Host) {
		return refuse(APIMisuse, "the paths under /_mock/ answer only under localhost or the number of an address, such as 127.0.0.1, and the header Host says %q", shortened(r.Host))
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
