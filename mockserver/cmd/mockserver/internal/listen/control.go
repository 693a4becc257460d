package listen

import (
	"crypto/rand"
	"net"
)

// ControlToken is what the paths under /_mock/ ask for, and how that is announced: the token that was given, none on an address that no
// other machine reaches, and otherwise a new one.
func ControlToken(given string, address net.Addr) (token, note string) {
	if given != "" {
		return given, "Authorization: Bearer and the token that was given"
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
