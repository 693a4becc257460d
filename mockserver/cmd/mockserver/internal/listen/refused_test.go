package listen

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// lockedBuffer is a log that a server writes while a test reads it.
type lockedBuffer struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.text.Write(text)
}

func (b *lockedBuffer) String() string {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.text.String()
}

// TestWhatIsNoRequestIsLogged, and nothing else is.
func TestWhatIsNoRequestIsLogged(t *testing.T) {
	const honest = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, c := range []struct {
		name, sent string
		lines      int
	}{
		{"nothing", "", 0},
		{"a request", honest, 0},
		{"two requests", honest + honest, 0},
		{"noise", "\x16\x03\x01\x02\x00\x01\x00\x01", 1},
		{"half a head", "GET / HTTP/1.1\r\nHost", 1},
		{"two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 1},
	} {
		log := &lockedBuffer{}
		closed := make(chan struct{})
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })}
		logRefused(server, slog.New(slog.NewTextHandler(log, nil)), func() time.Time { return noon })
		changed := server.ConnState
		server.ConnState = func(connection net.Conn, state http.ConnState) {
			changed(connection, state)
			if state == http.StateClosed {
				close(closed)
			}
		}
		listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		go server.Serve(listener)
		connection := must.Get(net.Dial("tcp", listener.Addr().String()))(t)
		fmt.Fprint(connection, c.sent)
		connection.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, connection)
		connection.Close()
		<-closed
		server.Close()
		if lines := strings.Count(log.String(), "refused what was no request"); lines != c.lines {
			t.Errorf("%s: %d lines, want %d:\n%s", c.name, lines, c.lines, log)
		}
	}
}
