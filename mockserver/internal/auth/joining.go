package auth

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// joins tells whether a request is one of an app that joins, or that has joined.
func joins(method, path string) bool {
	rest, below := strings.CutPrefix(path, "/_mock/hosts")
	if !below {
		return false
	}
	_, rest, _ = strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	switch method {
	case http.MethodPost:
		return path == "/_mock/hosts" || rest == "messages"
	case http.MethodGet:
		return rest == "calls"
	}
	return false
}

// serveHost lets pages of every origin read the answers of requests with which apps join: a code or a token decides, and no cookie.
func (s sharing) serveHost(w http.ResponseWriter, r *http.Request, preflight bool) {
	header := w.Header()
	if origin := r.Header.Get("Origin"); origin != "" {
		header.Add("Vary", "Origin")
		header.Set("Access-Control-Allow-Origin", origin)
		header.Set("Access-Control-Expose-Headers", s.exposed)
	}
	if !preflight {
		s.handler.ServeHTTP(w, r)
		return
	}
	header.Set("Access-Control-Allow-Methods", r.Header.Get("Access-Control-Request-Method"))
	header.Set("Access-Control-Allow-Headers", "authorization, content-type")
	header.Set("Access-Control-Allow-Private-Network", "true")
	header.Set("Access-Control-Max-Age", corsMaxAge)
	w.WriteHeader(http.StatusNoContent)
}

// Trusts tells whether an app may join without a code: a program on this machine, or a page that it serves or that was let in. A server
// with a public address trusts none that is not of its process.
func (e Edge) Trusts(r *http.Request) bool {
	if proxyHeader(r.Header) != "" || e.Public && r.RemoteAddr != "" {
		return false
	}
	if r.RemoteAddr != "" && r.RemoteAddr != "@" {
		peer, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil || !peer.Addr().Unmap().IsLoopback() || !e.Hosts.knows(r.Host) {
			return false
		}
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return slices.Contains([]string{"", "none", "same-origin"}, r.Header.Get("Sec-Fetch-Site"))
	}
	page, err := url.Parse(origin)
	if err != nil || page.Host == "" {
		return false
	}
	name := plainName(page.Host)
	address, _ := netip.ParseAddr(name)
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || address.IsLoopback() || strings.EqualFold(page.Host, r.Host) ||
		e.Origins.allows(origin)
}

// Reachable are the addresses, of HOST:PORT, under which other machines reach a listener: those of IPv4, unless it has one alone.
func Reachable(listener net.Addr) (addresses []string) {
	tcp, is := listener.(*net.TCPAddr)
	if !is || tcp.IP.IsLoopback() {
		return nil
	}
	found := []net.Addr{&net.IPNet{IP: tcp.IP}}
	if tcp.IP.IsUnspecified() {
		found, _ = net.InterfaceAddrs() // none are none
	}
	for _, each := range found {
		if network, is := each.(*net.IPNet); is && network.IP.IsGlobalUnicast() && (network.IP.To4() != nil || !tcp.IP.IsUnspecified()) {
			addresses = append(addresses, net.JoinHostPort(network.IP.String(), strconv.Itoa(tcp.Port)))
		}
	}
	return addresses
}

// ListenerOf is the address that the server of a request listens on; nil where nobody told it.
func ListenerOf(ctx context.Context) net.Addr {
	address, _ := ctx.Value(listenerKey{}).(net.Addr)
	return address
}
