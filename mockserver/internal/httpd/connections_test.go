package httpd_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestConnectionsBeyondTheLimit are answered however many idle ones there are, and know that they are beyond it.
func TestConnectionsBeyondTheLimit(t *testing.T) {
	const limit = 8
	set := must.Get(budget.New(budget.Limits{Connections: limit}))(t)
	connections := set.Of(budget.Connections)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := httpd.Beyond(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	}))
	httpd.NewConnections(connections).Limit(server.Config)
	server.Start()
	defer server.Close()
	dial := func() net.Conn {
		t.Helper()
		connection := must.Get(net.Dial("tcp", server.Listener.Addr().String()))(t)
		t.Cleanup(func() { connection.Close() })
		return connection
	}
	ask := func(connection net.Conn) *http.Response {
		t.Helper()
		fmt.Fprint(connection, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		response := must.Get(http.ReadResponse(bufio.NewReader(connection), nil))(t)
		io.Copy(io.Discard, response.Body)
		return response
	}
	var within []net.Conn
	for range limit {
		connection := dial()
		if response := ask(connection); response.StatusCode != 200 || response.Close {
			t.Errorf("a connection within the limit: %d, closed %v", response.StatusCode, response.Close)
		}
		within = append(within, connection)
	}
	for range 100 { // idle ones, more than are answered at a time
		dial()
	}
	if response := ask(dial()); response.StatusCode != 503 || !response.Close {
		t.Errorf("a connection beyond the limit: %d, closed %v", response.StatusCode, response.Close)
	}
	if used := connections.Used(); used != limit || connections.Refused() < 100 {
		t.Errorf("%d connections are in use, %d were refused", used, connections.Refused())
	}
	if response := ask(within[0]); response.StatusCode != 200 || response.Close {
		t.Errorf("a connection that was there before: %d, closed %v", response.StatusCode, response.Close)
	}
	within[0].Close()
	for connections.Used() == limit { // until the server has seen it
	}
	if response := ask(dial()); response.StatusCode != 200 || response.Close {
		t.Errorf("after one has ended: %d, closed %v", response.StatusCode, response.Close)
	}
}
