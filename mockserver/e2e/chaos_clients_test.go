//go:build unix

package e2e_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// badClients lets clients begin what they do not finish, while others work: heads and bodies that come a byte at a time or break off,
// connections that are closed half or cut, downloads that nobody reads or that end in their middle. All that they leave must go.
func badClients(c *chaos) {
	const atOnce = 150
	s := start(c, "--state", filepath.Join(c.TempDir(), "state.db"), "--profiles", "1500")
	control := clientOf(c, s)
	control.freeze(noon)
	k := kindOf("userbase")
	link := control.links(k, control.create(k, k.month(), "X-Mock-Scenario", "progress=now"))[0]
	l := newLoad(c, s)
	l.mayWait = true // bad clients ask for no haste
	l.awaitMore(50)
	files := 0
	if runtime.GOOS == "linux" {
		files = openFiles(c, s)
	}
	var held []net.Conn
	defer func() {
		for _, connection := range held {
			connection.Close()
		}
	}()
	for n := 0; c.again(n, 200); n++ {
		if n%10 == 0 {
			l.awaitMore(1)
		}
		if len(held) >= atOnce {
			at := c.random.IntN(len(held))
			held[at].Close()
			held[at] = held[len(held)-1]
			held = held[:len(held)-1]
		}
		for _, connection := range held[len(held)-min(len(held), 5):] { // some go on for a byte
			_ = connection.SetWriteDeadline(time.Now().Add(time.Millisecond))
			_, _ = io.WriteString(connection, "x")
		}
		c.figures.faults.Add(1)
		if connection := l.misbehave(s, strings.TrimPrefix(link, s.base)); connection != nil {
			held = append(held, connection)
		}
	}
	for _, connection := range held {
		connection.Close()
	}
	l.verify(s)
	if files > 0 {
		// Connections that the clients of the load keep may be some more than they were.
		c.await("the connections are closed", func() bool { return openFiles(c, s) <= files+16 })
	}
	stillServing(c, clientOf(c, s))
}

// misbehave makes one connection, and returns it when it stays open.
func (l *load) misbehave(s *server, file string) net.Conn {
	l.Helper()
	w := dialWire(l, s)
	whole := fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", post, len(plainBody), plainBody)
	download := "GET " + file + " HTTP/1.1\r\nHost: x\r\n\r\n"
	switch l.random.IntN(8) {
	case 0: // a head that does not end
		_, _ = io.WriteString(w, post[:1+l.random.IntN(len(post)-1)])
		return w
	case 1: // a body that does not end
		_, _ = io.WriteString(w, post+"Content-Length: 1000\r\n\r\n{")
		return w
	case 2: // a download that nobody reads
		_ = w.SetReadBuffer(4 << 10)
		_, _ = io.WriteString(w, download)
		return w
	case 3: // nothing at all
		return w
	case 4: // a client that says it will send no more, and waits for the answer
		_, _ = io.WriteString(w, whole)
		_ = w.CloseWrite()
		l.figures.requests.Add(1)
		answers, err := w.answers(1)
		switch {
		case len(answers) == 1 && answers[0].Status == http.StatusAccepted:
			var created struct{ RequestID string }
			if json.Unmarshal(answers[0].Body, &created) == nil {
				l.mutex.Lock()
				l.all = append(l.all, &acknowledged{kind: kindOf("userbase"), id: created.RequestID})
				l.mutex.Unlock()
			}
		case len(answers) == 1 && answers[0].Status >= http.StatusInternalServerError:
			l.unasked("a client that closes its half: %d %s", answers[0].Status, answers[0].Body)
		case err == errStuck:
			l.figures.wedged.Add(1)
			l.Errorf("wedged: a client that closes its half has no answer")
		}
	case 5: // gone in the middle of a download
		_, _ = io.WriteString(w, download)
		l.figures.requests.Add(1)
		if response, err := http.ReadResponse(bufio.NewReaderSize(w, 512), nil); err != nil || response.StatusCode != http.StatusOK {
			l.unasked("a download: %v, %v", response, err)
		}
		_ = w.SetLinger(0)
	case 6: // gone before the answer
		_, _ = io.WriteString(w, whole)
		_ = w.SetLinger(0)
	case 7: // gone in the middle of a body
		_, _ = io.WriteString(w, post+"Transfer-Encoding: chunked\r\n\r\n16\r\n{\"ids\"")
	}
	w.Close()
	return nil
}
