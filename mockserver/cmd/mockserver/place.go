package main

import (
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

const (
	// defaultAddress is where the server listens unless told otherwise.
	defaultAddress = "127.0.0.1:8080"
	// socketPrefix begins an address that is the path of a Unix socket.
	socketPrefix = "unix:"
)

// placeFlags say where the server is; serve and health share them.
type placeFlags struct {
	address string // HOST:PORT, or unix:PATH
	port    string // empty unless given
}

func (p *placeFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&p.address, "addr", defaultAddress, "listen on `HOST:PORT`, where port 0 takes a free one and prints it, or on unix:PATH, a Unix socket that only its owner may use")
	readBy(flags, "port", "listen on `PORT` of the host of --addr; 0 takes a free one (default that of --addr)", func(text string) error {
		if _, err := strconv.ParseUint(text, 10, 16); err != nil {
			return errors.New("must be a whole number from 0 to 65535")
		}
		p.port = text
		return nil
	})
}

// join puts the port into the address, unless the address was set in a place
// that comes before that of the port.
func (p *placeFlags) join(flags *pflag.FlagSet) error {
	if p.port == "" || rank(flags.Lookup("addr")) > rank(flags.Lookup("port")) {
		return nil
	}
	if _, is := p.socket(); is {
		return misuse("--port is %s, and --addr %s is a Unix socket, which has no port", p.port, p.address)
	}
	host, _, err := net.SplitHostPort(p.address)
	if err != nil {
		host = strings.Trim(p.address, "[]") // an address without a port
	}
	p.address = net.JoinHostPort(host, p.port)
	return nil
}

// socket is the path of the Unix socket, if the address is one.
func (p *placeFlags) socket() (path string, is bool) {
	return strings.CutPrefix(p.address, socketPrefix)
}

// place is where a server listens.
type place struct {
	listener    net.Listener
	socket      string       // path of the Unix socket, or empty
	certificate *certificate // nil without TLS
}

// String is the address as the first line of the program prints it.
func (p *place) String() string {
	if p.socket != "" {
		return socketPrefix + p.socket
	}
	return p.scheme() + "://" + p.listener.Addr().String()
}

func (p *place) scheme() string {
	if p.certificate != nil {
		return "https"
	}
	return "http"
}

// base is the address under which a client on this machine finds the server,
// without a slash at its end. Of the many names of this machine it takes local.
func (p *place) base(local string) string {
	if p.socket != "" {
		return p.scheme() + "://localhost"
	}
	address := p.listener.Addr().String()
	if host, port, err := net.SplitHostPort(address); err == nil && (host == "127.0.0.1" || host == "::" || host == "0.0.0.0") {
		address = net.JoinHostPort(local, port)
	}
	return p.scheme() + "://" + address
}

// curlOptions are what curl needs to find and trust the server.
func (p *place) curlOptions(certificateFile string) string {
	options := ""
	if p.socket != "" {
		options += " --unix-socket " + p.socket
	}
	switch {
	case p.certificate == nil || !p.certificate.made:
	case certificateFile != "":
		options += " --cacert " + certificateFile
	default:
		options += " --insecure"
	}
	return options
}

// handle lets a handler know requests that came over a Unix socket, whose file
// only its owner may use. Where there is a control token they need it: a proxy
// on the socket would make everybody its owner.
func (p *place) handle(handler http.Handler, token bool) http.Handler {
	if p.socket == "" {
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

// close gives the place free. It does no harm twice.
func (p *place) close() { _ = p.listener.Close() }
