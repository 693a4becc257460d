package listen

import (
	"errors"
	"net"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

const (
	// defaultAddress is where the server listens unless told otherwise.
	defaultAddress = "127.0.0.1:8080"
	// socketPrefix begins an address that is the path of a Unix socket.
	socketPrefix = "unix:"
)

// Flags say where the server is; serve and health share them.
type Flags struct {
	Address string // HOST:PORT, or unix:PATH; once both flags are joined
	Name    string // of the flag, in errors; empty means --addr
	given   string // the address without the port
	port    string // empty unless given
	joined  bool   // the port of Address is that of --port
}

// Define adds the flags to a command.
func (p *Flags) Define(flags *pflag.FlagSet) {
	flags.StringVar(&p.given, "addr", defaultAddress,
		"listen on `HOST:PORT`, where port 0 takes a free one and prints it, or on unix:PATH, a Unix socket that only its owner may use")
	settings.Func(flags, "port", "listen on `PORT` of the host of --addr; 0 takes a free one (default that of --addr)",
		func(text string) error {
			if _, err := strconv.ParseUint(text, 10, 16); err != nil {
				return errors.New("must be a whole number from 0 to 65535")
			}
			p.port = text
			return nil
		})
}

// Join puts the port into the address, unless the address was set in a place that comes before that of the port.
func (p *Flags) Join(flags *pflag.FlagSet) error {
	p.Address = p.given
	if p.port == "" || settings.Rank(flags.Lookup("addr")) > settings.Rank(flags.Lookup("port")) {
		return nil
	}
	if _, is := p.Socket(); is {
		return usage.Errorf("--port is %s, and --addr %s is a Unix socket, which has no port", p.port, p.Address)
	}
	host, _, err := net.SplitHostPort(p.Address)
	if err != nil {
		host = strings.Trim(p.Address, "[]") // an address without a port
	}
	p.Address, p.joined = net.JoinHostPort(host, p.port), true
	return nil
}

// Socket is the path of the Unix socket, if the address is one.
func (p *Flags) Socket() (path string, is bool) {
	return strings.CutPrefix(p.Address, socketPrefix)
}
