package e2e_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// slowDownload begins a download that sends a number of bytes a second, and asks the program to end in the midst of it. It returns
// the whole file, what was read of it, and the response with the rest, once the program has said that it shuts down.
func slowDownload(t *testing.T, s *server, rate string) (whole, begun []byte, response *http.Response) {
	t.Helper()
	c := clientOf(t, s)
	k := kindOf("userbase")
	id := c.create(k, k.month(), "X-Mock-Scenario", "progress=now")
	whole = c.files(k, id)[0]
	request := must.Get(http.NewRequest(http.MethodGet, c.links(k, id)[0], nil))(t)
	request.Header.Set("X-Mock-Scenario", "slow="+rate)
	response = must.Get(c.http.Do(request))(t)
	t.Cleanup(func() { response.Body.Close() })
	begun = make([]byte, 16)
	must.Get(io.ReadFull(response.Body, begun))(t)
	s.signal(t)
	s.says(t, "shutting down")
	return whole, begun, response
}

// says waits until the log has a text: what a program writes arrives later than what it answers.
func (s *server) says(t *testing.T, text string) {
	t.Helper()
	for over := patient(); !strings.Contains(s.log.String(), text); runtime.Gosched() {
		if over() {
			t.Fatalf("the program does not say %q:\n%s", text, s.log)
		}
	}
}

func (s *server) signal(t *testing.T) {
	t.Helper()
	must.Do(t, s.process.Process.Signal(syscall.SIGTERM))
}

// wait waits for the end of the program.
func (s *server) wait(t *testing.T) {
	t.Helper()
	select {
	case <-s.exited:
	case <-time.After(patience):
		t.Fatalf("the program does not end:\n%s", s.log)
	}
}

// TestShutdownFinishesDownloads: a running download gets the time it needs, and nobody new is let in.
func TestShutdownFinishesDownloads(t *testing.T) {
	s := start(t, "--state", "memory", "--profiles", "300", "--shutdown-timeout", "1h")
	whole, begun, response := slowDownload(t, s, "40000")
	if again, err := http.Get(s.base + "/_mock/health"); err == nil {
		again.Body.Close()
		t.Errorf("a new connection while the program shuts down is answered %d", again.StatusCode)
	}
	rest, err := io.ReadAll(response.Body)
	if err != nil || !bytes.Equal(append(begun, rest...), whole) {
		t.Errorf("the download ended after %d of %d bytes: %v", len(begun)+len(rest), len(whole), err)
	}
	s.wait(t)
	if code := s.process.ProcessState.ExitCode(); code != 0 || strings.Contains(s.log.String(), "cut off") {
		t.Errorf("exit code %d:\n%s", code, s.log)
	}
}

// TestShutdownHasALimit: a download that would never end is cut off, and the client knows.
func TestShutdownHasALimit(t *testing.T) {
	s := start(t, "--state", "memory", "--profiles", "300", "--shutdown-timeout", "10ms")
	whole, begun, response := slowDownload(t, s, "20")
	rest, err := io.ReadAll(response.Body)
	if err == nil || len(begun)+len(rest) >= len(whole) {
		t.Errorf("%d of %d bytes arrived, and the error is %v", len(begun)+len(rest), len(whole), err)
	}
	s.wait(t)
	if code := s.process.ProcessState.ExitCode(); code != 0 || !strings.Contains(s.log.String(), "cut off") {
		t.Errorf("exit code %d:\n%s", code, s.log)
	}
}

// TestSecondSignalEndsAtOnce: who asks twice does not wait.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	s := start(t, "--state", "memory", "--profiles", "300", "--shutdown-timeout", "1h")
	slowDownload(t, s, "20")
	s.signal(t)
	s.wait(t)
	must.Equal(t, s.process.ProcessState.ExitCode(), 128+int(syscall.SIGTERM), "exit code:\n%s", s.log)
}

// TestHangup: a closed terminal ends the program as SIGTERM does.
func TestHangup(t *testing.T) {
	// Under nohup the tests ignore the signal, and so would the programs that
	// they start; one that is handled here has its default meaning there.
	handled := make(chan os.Signal, 1)
	signal.Notify(handled, syscall.SIGHUP)
	defer signal.Stop(handled)
	t.Run("serve", func(t *testing.T) {
		s := start(t, "--state", "memory", "--profiles", "300")
		must.Do(t, s.process.Process.Signal(syscall.SIGHUP))
		s.wait(t)
		if code := s.process.ProcessState.ExitCode(); code != 0 || !strings.Contains(s.log.String(), "SIGHUP") {
			t.Errorf("exit code %d:\n%s", code, s.log)
		}
	})
	t.Run("generate", func(t *testing.T) {
		directory := t.TempDir()
		s := launchCommand(t, exec.Command(program, "generate", "--kind", "userbase", "--profiles", "100000000", "--out",
			filepath.Join(directory, "x.csv")))
		entries := func() []os.DirEntry {
			return must.Get(os.ReadDir(directory))(t)
		}
		for over := patient(); len(entries()) == 0; runtime.Gosched() {
			if over() {
				t.Fatalf("no file is begun:\n%s", s.log)
			}
		}
		must.Do(t, s.process.Process.Signal(syscall.SIGHUP))
		s.wait(t)
		if code := s.process.ProcessState.ExitCode(); code != 1 || len(entries()) > 0 || !strings.Contains(s.log.String(), "(SIGHUP): ") {
			t.Errorf("exit code %d, left behind %v:\n%s", code, entries(), s.log)
		}
	})
}
