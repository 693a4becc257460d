package listen_test

import (
	"errors"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
)

// TestBeside: the ports beside a chosen one follow it where they are free, and a Unix socket has none.
func TestBeside(t *testing.T) {
	open := func(address string) *listen.Endpoint {
		t.Helper()
		made, err := (&listen.Flags{Address: address}).Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(made.Close)
		return made
	}
	beside := func(e *listen.Endpoint) int {
		t.Helper()
		made, err := e.Beside(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(made.Close)
		return made.Address().(*net.TCPAddr).Port
	}
	chosen, port := fourFree(t)
	endpoint := open(chosen)
	if got := beside(endpoint); got != port+1 {
		t.Errorf("the first port beside %d is %d", port, got)
	}
	open(net.JoinHostPort("127.0.0.1", strconv.Itoa(port+2)))
	if got := beside(endpoint); got == port+2 || got == port+3 {
		t.Errorf("instead of port %d, which was taken, it is %d", port+2, got)
	}
	if got := beside(endpoint); got != port+3 {
		t.Errorf("the third port beside %d is %d", port, got)
	}
	if free := open("127.0.0.1:0"); beside(free) == 0 {
		t.Error("no port beside one that was not chosen")
	}
	socket := open("unix:" + filepath.Join(t.TempDir(), "s"))
	if _, err := socket.Beside(t.Context()); err == nil || !strings.Contains(err.Error(), "--addr") {
		t.Errorf("beside a socket: %v", err)
	}
}

// fourFree finds a port before three others that are free on both loopbacks, below those that the system gives out.
func fourFree(t *testing.T) (address string, port int) {
	t.Helper()
search:
	for port = 20_000; port < 32_000; port += 4 {
		for each := port; each < port+4; each++ {
			for _, host := range []string{"127.0.0.1", "::1"} {
				listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(each)))
				if err == nil {
					listener.Close()
				} else if host == "127.0.0.1" || errors.Is(err, syscall.EADDRINUSE) { // there may be no other loopback
					continue search
				}
			}
		}
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), port
	}
	t.Fatal("no four free ports")
	return "", 0
}
