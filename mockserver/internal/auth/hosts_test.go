package auth_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func address(t *testing.T, text string) net.Addr {
	t.Helper()
	if path, is := strings.CutPrefix(text, "unix:"); is {
		return &net.UnixAddr{Name: path, Net: "unix"}
	}
	tcp := must.Get(net.ResolveTCPAddr("tcp", text))(t)
	return tcp
}

// TestHosts: on a loopback listener a request has to name the server by a name
// that no web page can own; elsewhere only if names were given.
func TestHosts(t *testing.T) {
	const known, unknown = "localhost:8080", "evil.example:8080"
	for _, c := range []struct {
		about, listener, connection string
		given                       []string
		host                        string
		refused                     bool
	}{
		{"its name", "127.0.0.1:1", "127.0.0.1:1", nil, known, false},
		{"another name", "127.0.0.1:1", "127.0.0.1:1", nil, unknown, true},
		{"another name, IPv6", "[::1]:1", "[::1]:1", nil, unknown, true},
		{"another name, by the connection alone", "", "127.8.9.1:1", nil, unknown, true},
		{"all addresses", "0.0.0.0:1", "127.0.0.1:1", nil, unknown, false},
		{"all addresses, limited", "0.0.0.0:1", "127.0.0.1:1", []string{"mock.test"}, unknown, true},
		{"all addresses, limited, by number", "0.0.0.0:1", "192.0.2.1:1", []string{"mock.test"}, "192.0.2.1:1", false},
		{"all addresses, limited, by a given name", "0.0.0.0:1", "192.0.2.1:1", []string{"Mock.Test"}, "mock.test.:80", false},
		{"another machine", "", "192.0.2.1:1", nil, unknown, false},
		{"a Unix socket", "unix:/run/x", "unix:/run/x", nil, unknown, false},
		{"a Unix socket, limited", "unix:/run/x", "unix:/run/x", []string{"mock.test"}, unknown, true},
		{"inside the process", "", "", nil, unknown, false},
		{"inside the process, limited", "", "", []string{"mock.test"}, unknown, true},
	} {
		t.Run(c.about, func(t *testing.T) {
			ctx := context.Background()
			if c.connection != "" {
				ctx = context.WithValue(ctx, http.LocalAddrContextKey, address(t, c.connection))
			}
			if c.listener != "" {
				ctx = auth.OnListener(ctx, address(t, c.listener))
			}
			r := httptest.NewRequestWithContext(ctx, "GET", "/", nil)
			r.Host = c.host
			if err := auth.NewHosts(c.given, nil).Check(r); (err != nil) != c.refused {
				t.Errorf("%q: %v, want a refusal: %t", c.host, err, c.refused)
			}
		})
	}
}

// TestKnownHosts: which names are known on a loopback listener.
func TestKnownHosts(t *testing.T) {
	hosts := auth.NewHosts([]string{"mock.test", "printer.local"}, []string{"Laptop", "mac.local", "", "public.example"})
	for host, known := range map[string]bool{
		"localhost": true, "LocalHost:8080": true, "localhost.:8080": true, "mock.localhost": true, "host.docker.internal:8080": true,
		"127.0.0.1": true, "[::1]:8080": true, "[fe80::1%eth0]:8080": true, "192.0.2.1:80": true, "0.0.0.0:8080": true, "": true,
		"mock.test:1": true, "laptop:8080": true, "public.example": true, "PUBLIC.example.": true,
		"printer.local": true, // it was given
		"mac.local":     false, "other.local": false, "a.mock.test": false, "mock.test.evil.example": false, "evil.example": false,
		"printer.internal": false, "host.containers.internal": true, "127.0.0.1.nip.io": false, "0x7f000001": false, "2130706433": false, "127.1": false, "notlocalhost": false, "internal": false,
		"evil.example@localhost": false, "localhost:80:evil.example": false, "a b": false, "localhost..": false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		err := hosts.Check(r)
		must.Hold(t, (err == nil) == known, "%q: %v, want it known: %t", host, err, known)
		var refusal *exports.Refusal
		if err != nil && (!errors.As(err, &refusal) || refusal.Name != exports.APIMisuse ||
			!strings.Contains(refusal.Message, "start the server with --host ")) {
			t.Errorf("%q: the refusal does not say what to do: %v", host, err)
		}
	}
}

func TestCheckHostName(t *testing.T) {
	for name, fine := range map[string]bool{
		"mock.test": true, "x": true, "my_service": true, "a-b.example.": true, "printer.local": true,
		"": false, "http://mock.test": false, "mock.test:80": false, "*.mock.test": false, "*.local": false, ".mock.test": false,
		"a..b": false, "-a": false, "a b": false, "[::1]": false,
	} {
		if err := auth.CheckHostName(name); (err == nil) != fine {
			t.Errorf("%q: %v, want it to be fine: %t", name, err, fine)
		}
	}
}
