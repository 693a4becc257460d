package httpd

import (
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// plainHost is what a Host header looks like when it may be printed in links and in shell lines: a name or address, and a port.
var plainHost = regexp.MustCompile(`^(?:[0-9A-Za-z][0-9A-Za-z._-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$`)

// BaseURL is the address under which links are given out, without a slash at
// the end: the public address if one was set, else the one the client used.
func BaseURL(r *http.Request, public string) string {
	if public != "" {
		return strings.TrimSuffix(public, "/")
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	host := r.Host
	if !plainHost.MatchString(host) {
		host = "localhost"
		if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && plainHost.MatchString(local.String()) {
			host = local.String()
		}
	}
	return scheme + host
}

// BasePath is the path of a public address, such as /mock, which a proxy may take off or leave; "" for none.
func BasePath(publicURL string) string {
	address, err := url.Parse(publicURL)
	if err != nil {
		return ""
	}
	return strings.TrimRight(address.Path, "/")
}
