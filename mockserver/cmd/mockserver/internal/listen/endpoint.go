// Package listen is where a server is reached: an address or a Unix socket, with or without TLS, the limits of its connections, and the
// file that tells other programs where it is.
package listen

import (
	"context"
	"net"
	"net/http"
)

// Endpoint is where a server listens.
type Endpoint struct {
	// Context is that of its requests, which says what it serves; nil is that of [mockserver.Listener].
	Context     func(net.Listener) context.Context
	listeners   []net.Listener // at least one, all with one port
	socket      string         // path of the Unix socket, or empty
	certificate *certificate   // nil without TLS
	last        int            // the port that was chosen, or the one tried last for an endpoint beside it; else 0
}

// String is the address as the first line of the program prints it.
func (e *Endpoint) String() string {
	if e.socket != "" {
		return socketPrefix + e.socket
	}
	return e.scheme() + "://" + e.Address().String()
}

func (e *Endpoint) scheme() string {
	if e.certificate != nil {
		return "https"
	}
	return "http"
}

// Base is the address under which a client on this machine finds the server,
// without a slash at its end. Of the many names of this machine it takes local.
func (e *Endpoint) Base(local string) string {
	if e.socket != "" {
		return e.scheme() + "://localhost"
	}
	address := e.Address().String()
	if host, port, err := net.SplitHostPort(address); err == nil && (host == "127.0.0.1" || host == "::" || host == "0.0.0.0") {
		address = net.JoinHostPort(local, port)
	}
	return e.scheme() + "://" + address
}

// CurlOptions are what curl needs to find and trust the server.
func (e *Endpoint) CurlOptions(certificateFile string) string {
	options := ""
	if e.socket != "" {
		options += " --unix-socket " + e.socket
	}
	switch {
	case e.certificate == nil || !e.certificate.made:
	case certificateFile != "":
		options += " --cacert " + certificateFile
	default:
		options += " --insecure"
	}
	return options
}

// owned lets a handler know requests that came over a Unix socket, whose file only its owner may use. Where there is a control token they
// need it: a proxy on the socket would make everybody its owner.
func (e *Endpoint) owned(handler http.Handler, token bool) http.Handler {
	if e.socket == "" {
		return handler
	}
	peer := "@"
	if token {
		peer = "unix"
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = peer
		handler.ServeHTTP(w, r)
	})
}

// Address is the address of the first listener.
func (e *Endpoint) Address() net.Addr { return e.listeners[0].Addr() }

// CertificateNote tells people the fingerprint of the certificate and how a client comes to trust it; empty without TLS.
func (e *Endpoint) CertificateNote(saved string) string {
	if e.certificate == nil {
		return ""
	}
	return "SHA-256 " + e.certificate.fingerprint + e.certificate.note(saved)
}

// Close stops listening. It does no harm twice, nor to nothing.
func (e *Endpoint) Close() {
	if e == nil {
		return
	}
	for _, each := range e.listeners {
		_ = each.Close()
	}
}
