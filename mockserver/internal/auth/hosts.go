package auth

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Hosts are the names under which a server answers. A web page can make a name of its own resolve to 127.0.0.1 (DNS rebinding), and so
// make a browser on this machine its messenger; it can do that with none of these. See
// docs/decisions/server.md#which-names-does-the-server-answer-to
type Hosts struct {
	names   map[string]bool
	limited bool // on every listener, not on loopback alone
}

// NewHosts knows the names that were given, which limit every listener, and those that are the server's own, such as that of the machine.
// A name of the server's own under .local is left out: any machine on the network may answer for it.
func NewHosts(given, machines []string) Hosts {
	h := Hosts{names: map[string]bool{}, limited: len(given) > 0}
	for _, name := range given {
		h.names[plainName(name)] = true
	}
	for _, name := range machines {
		if name = plainName(name); name != "" && !strings.HasSuffix(name, ".local") {
			h.names[name] = true
		}
	}
	return h
}

// hostName is a name as it may be given: no scheme, no port, no wildcard.
var hostName = regexp.MustCompile(`^[0-9A-Za-z_]([0-9A-Za-z_-]*[0-9A-Za-z_])?(\.[0-9A-Za-z_]([0-9A-Za-z_-]*[0-9A-Za-z_])?)*\.?$`)

// CheckHostName refuses what no Host header says.
func CheckHostName(name string) error {
	if !hostName.MatchString(name) {
		return fmt.Errorf("%q is not a host name; write a name alone, such as mock.test, without scheme, port or wildcard", name)
	}
	return nil
}

// Check refuses a request to a name that is not known, where that matters: on a
// loopback listener, and on every listener when names were given.
func (h Hosts) Check(r *http.Request) error {
	if !h.limited && !onLoopback(r.Context()) || h.knows(r.Host) {
		return nil
	}
	return exports.Refuse(exports.APIMisuse,
		"the server does not answer under the name %q: it knows IP addresses, localhost, names under .localhost, the name of its machine and that of --public-url; if this name is yours, start the server with --host %s (or REHEARSAL_HOST=%[2]s)",
		exports.Shorten(r.Host), exports.Shorten(plainName(r.Host)))
}

// ofContainers are the names of this machine inside containers.
var ofContainers = []string{"host.docker.internal", "host.containers.internal"}

// knows tells whether a Host header (in HTTP/2 :authority) may be that of a client that knows whom it asks.
func (h Hosts) knows(host string) bool {
	name := plainName(host)
	if name == "" || name == "localhost" || strings.HasSuffix(name, ".localhost") || slices.Contains(ofContainers, name) || h.names[name] {
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil
}

// plainName is the name in a Host header: no port, no dot at its end, in lower case.
func plainName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

type listenerKey struct{}

// OnListener lets the requests of a context know the address that their server listens on. It is for [http.Server.BaseContext].
func OnListener(ctx context.Context, address net.Addr) context.Context {
	return context.WithValue(ctx, listenerKey{}, address)
}

// onLoopback tells whether a request came to a listener that no other machine reaches. Where nobody told its address, that of the
// connection counts; a request without one came from inside the process.
func onLoopback(ctx context.Context) bool {
	address, known := ctx.Value(listenerKey{}).(net.Addr)
	if !known {
		address, _ = ctx.Value(http.LocalAddrContextKey).(net.Addr)
	}
	tcp, is := address.(*net.TCPAddr)
	return is && tcp.IP.IsLoopback()
}
