package e2e_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// wire is a raw connection, for what no HTTP library would send.
type wire struct {
	*net.TCPConn
	reader *bufio.Reader
}

func dialWire(t testing.TB, s *server) *wire {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	if err := connection.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &wire{connection.(*net.TCPConn), bufio.NewReader(connection)}
}

// exchange sends text as it is, says that no more will come, and returns every answer up to the end of the connection. The server
// may hang up half-way, which is an answer; it must not keep the connection.
func exchange(t testing.TB, s *server, text string) []answer {
	t.Helper()
	w := dialWire(t, s)
	defer w.Close()
	_, _ = io.WriteString(w, text)
	_ = w.CloseWrite()
	answers, err := w.answers()
	if errors.Is(err, errStuck) {
		t.Errorf("the connection is still open after %v: %.80q", patience, text)
	}
	return answers
}

var errStuck = errors.New("the connection is still open")

// answers reads answers until the connection ends.
func (w *wire) answers() (all []answer, err error) {
	for {
		response, err := http.ReadResponse(w.reader, nil)
		if err != nil {
			var timeout net.Error
			if errors.As(err, &timeout) && timeout.Timeout() {
				return all, errStuck
			}
			return all, err
		}
		body, err := io.ReadAll(response.Body)
		all = append(all, answer{response.StatusCode, response.Header, body})
		if err != nil {
			return all, err
		}
	}
}

// statuses are the statuses of some answers.
func statuses(answers []answer) []int {
	made := []int{}
	for _, each := range answers {
		made = append(made, each.Status)
	}
	return made
}

// said is what the first of some answers says.
func said(answers []answer) []byte {
	if len(answers) == 0 {
		return nil
	}
	return answers[0].Body
}

// stillServing checks that a new client is served: an export is made, looked up and downloaded.
func stillServing(t testing.TB, c *client) {
	t.Helper()
	k := kindOf("userbase")
	c.files(k, c.create(k, k.month(), "X-Mock-Scenario", "progress=now"))
}
