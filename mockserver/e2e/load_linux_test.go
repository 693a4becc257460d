package e2e_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestIdleConnections holds thousands of connections that say nothing, before or after a request, and checks that others are
// served meanwhile, that each costs little, and that nothing is left of them.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	const most = 64 // kB for each connection
	var limit syscall.Rlimit
	must.Do(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	count := int(min(4000, limit.Cur/4))
	s := start(t, "--state", "memory", "--profiles", "100")
	c := clientOf(t, s)
	stillServing(t, c)
	before, files := memoryNow(t, s), openFiles(t, s)
	var held []net.Conn
	for i := range count {
		connection, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
		if err != nil {
			t.Fatalf("connection %d of %d: %v", i, count, err)
		}
		defer connection.Close()
		held = append(held, connection)
		if i%2 == 0 {
			continue
		}
		fmt.Fprint(connection, "GET /1.0/x HTTP/1.1\r\nHost: localhost\r\n\r\n")
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil || response.StatusCode != http.StatusNotFound {
			t.Fatalf("connection %d: %v, %v", i, response, err)
		}
		response.Body.Close()
	}
	stillServing(t, c)
	if each := (memoryNow(t, s) - before) / count; each > most {
		t.Errorf("each of %d connections takes %d kB, at most %d are allowed", count, each, most)
	}
	t.Logf("%d connections, %d kB each", count, (memoryNow(t, s)-before)/count)
	for _, connection := range held {
		connection.Close()
	}
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for over := patient(); openFiles(t, s) > files+4; <-ticker.C {
		if over() {
			t.Fatalf("%d files are open, %d were before", openFiles(t, s), files)
		}
	}
	stillServing(t, c)
}
