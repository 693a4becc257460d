package api

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// onlyLoopback refuses requests from other machines, and those of a browser
// that was led here. A request without a peer address came from inside the
// process or over a Unix socket.
func onlyLoopback(r *http.Request) *Error {
	if r.RemoteAddr == "" || r.RemoteAddr == "@" {
		return nil
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if address := net.ParseIP(host); err != nil || address == nil || !address.IsLoopback() {
		return refuse(APIMisuse, "the paths under /_mock/ answer only to clients on the same machine (127.0.0.1 or ::1), and this request came from %s", shortened(r.RemoteAddr))
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
