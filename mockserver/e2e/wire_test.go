package e2e_test

import (
	"bufio"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// wire is a raw connection, for what no HTTP library would send.
type wire struct {
	*net.TCPConn
	reader *bufio.Reader
}

func dialWire(t testing.TB, s *server) *wire {
	t.Helper()
	connection := must.Get(net.Dial("tcp", strings.TrimPrefix(s.base, "http://")))(t)
	t.Cleanup(func() { connection.Close() })
	must.Do(t, connection.SetDeadline(time.Now().Add(patience)))
	return &wire{connection.(*net.TCPConn), bufio.NewReader(connection)}
}

// exchange sends text as it is, waits for a number of answers, says that no more will come, and returns every answer up to the end of
// the connection. The server may hang up half-way, which is an answer; it must not keep the connection. A text that is cut off is
// sent with 0: nothing is answered before its end. Otherwise the end comes late, as net/http takes it for the end of the client.
func exchange(t testing.TB, s *server, text string, awaited int) []answer {
	t.Helper()
	w := dialWire(t, s)
	defer w.Close()
	_, _ = io.WriteString(w, text)
	answers, err := w.answers(awaited)
	if err == nil {
		_ = w.CloseWrite()
		var rest []answer
		rest, err = w.answers(math.MaxInt)
		answers = append(answers, rest...)
	}
	must.Hold(t, !errors.Is(err, errStuck), "the connection is still open after %v: %.80q", patience, text)
	return answers
}

var errStuck = errors.New("the connection is still open")

// answers reads some answers, or fewer when the connection ends.
func (w *wire) answers(most int) (all []answer, err error) {
	for len(all) < most {
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
	return all, nil
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
