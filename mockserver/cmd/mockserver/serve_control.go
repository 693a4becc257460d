package main

import (
	"crypto/rand"
	"errors"
	"net"
)

// setControlToken reads the flag --control-token. An empty one would open the
// paths to clients that send nothing.
func (f *serveFlags) setControlToken(text string) error {
	if text == "" {
		return errors.New("must not be empty")
	}
	f.controlToken = text
	return nil
}

// controlToken is what the paths under /_mock/ ask for, and how that is
// announced: the token that was given, none on an address that no other machine
// reaches, and otherwise a new one.
func controlToken(f serveFlags, address net.Addr) (token, note string) {
	if f.controlToken != "" {
		return f.controlToken, "Authorization: Bearer and the token that was given"
	}
	if tcp, is := address.(*net.TCPAddr); is && tcp.IP.IsLoopback() {
		return "", ""
	}
	if _, is := address.(*net.UnixAddr); is { // its file is for one user only
		return "", ""
	}
	token = rand.Text()
	return token, "Authorization: Bearer " + token + " (new at every start; --control-token sets one)"
}
