package httpd

import (
	"net"
	"net/http"
	"regexp"
	"strings"
)

// plainHost is what a Host header looks like when it may be printed in links
// and in shell lines: a name or address, and a port.
var plainHost = regexp.MustCompile(`^(?:[0-9A-Za-z][0-9A-Za-z._-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$`)

// BaseURL is the address under which links are given out, without a slash at
// the end: the public address if one was set, else the one the client used.
func BaseURL(r *http.Request, public string) string { return string(AppendBaseURL(nil, r, public)) }

// AppendBaseURL appends what BaseURL returns.
func AppendBaseURL(into []byte, r *http.Request, public string) []byte {
	if public != "" {
		return append(into, strings.TrimSuffix(public, "/")...)
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	host := r.Host
	if !plainName(host) && !plainHost.MatchString(host) {
		host = "localhost"
		if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && plainHost.MatchString(local.String()) {
			host = local.String()
		}
	}
	return append(append(into, scheme...), host...)
}

// plainName tells most of what plainHost matches, without a regular expression: a
// name or an address of version 4, and a port.
func plainName(host string) bool {
	name, port, _ := strings.Cut(host, ":")
	if name == "" || !isAlphanumeric(name[0]) || len(port) > 5 || strings.HasSuffix(host, ":") {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !isAlphanumeric(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	for i := range len(port) {
		if port[i] < '0' || port[i] > '9' {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
