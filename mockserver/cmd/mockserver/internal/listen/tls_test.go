package listen

import (
	"net"
	"strings"
	"testing"
	"time"
)

// noon is the time of every test.
var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// TestServerNames: every address by which clients may come, once.
func TestServerNames(t *testing.T) {
	names := strings.Join(serverNames("https://mock.example:8443/x", &net.TCPAddr{IP: net.IPv4zero, Port: 1}), " ")
	if !strings.HasPrefix(names, "localhost 127.0.0.1 ::1 mock.example") || strings.Contains(names, "0.0.0.0") {
		t.Errorf("the names are %s", names)
	}
}
