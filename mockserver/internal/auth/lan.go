package auth

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// forApps marks the requests that came to a listener that other machines reach for apps alone.
type forApps struct{}

// OnAppListener lets requests know that other machines reach their listener for apps alone. It is for [http.Server.BaseContext].
func OnAppListener(listener net.Listener) context.Context {
	return context.WithValue(OnListener(context.Background(), listener.Addr()), forApps{}, true)
}

// checkApps refuses what other machines ask for beside what apps do, where the listener is for apps. That says whether the server is
// there, and is the page with its files, which shows nothing without the API.
func checkApps(r *http.Request, route *httpd.Route) error {
	if r.Context().Value(forApps{}) == nil || ofThisMachine(r) || route != nil && (route.Credential.OfHosts() ||
		slices.Contains([]string{"join", "health", "ready", "page", "web", "favicon"}, route.Name)) {
		return nil
	}
	return exports.Refuse(exports.APIMisuse,
		"with --lan other machines reach /join and what apps need to join, and this request came from %s; "+
			"start the server with --addr :PORT in the place of --lan to open the whole API to everybody who has its keys",
		exports.Shorten(r.RemoteAddr))
}

// ofThisMachine tells whether the peer of a connection has an address of loopback, or the one that it connected to.
func ofThisMachine(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	here, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return err == nil && (peer.Addr().Unmap().IsLoopback() || here != nil && here.AddrPort().Addr().Unmap() == peer.Addr().Unmap())
}
